#include "sim/replay_requests.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/replay_start.h"

namespace berth {
namespace {

template <typename T>
const T* FirstPut(const Committed& committed) {
  for (const Update& update : committed.updates) {
    if (!update.record) continue;
    if (const auto* record = std::get_if<T>(&*update.record)) return record;
  }
  return nullptr;
}

// Of the service that was decided about; those who yielded are in the same commit.
const Instance* FirstInstanceOf(const Committed& committed, const Decision& decision) {
  for (const Update& update : committed.updates) {
    const auto* instance = update.record ? std::get_if<Instance>(&*update.record) : nullptr;
    if (instance != nullptr && instance->id.service == decision.subject) return instance;
  }
  return nullptr;
}

bool IsOfTheFleet(RecordKind kind) {
  return kind == RecordKind::kTenant || kind == RecordKind::kType || kind == RecordKind::kMachine;
}

// Limits that instances of a new service started with and that their types do not say.
std::vector<StartingLimit> RecommendedStarts(const Inventory& before, const Committed& committed) {
  std::vector<StartingLimit> starts;
  for (const Update& update : committed.updates) {
    const auto* instance = update.record ? std::get_if<Instance>(&*update.record) : nullptr;
    if (instance == nullptr) continue;
    const InstanceType* type = before.Find(instance->type);
    if (type == nullptr || instance->limit == type->size ||
        std::ranges::find(starts, instance->type, &StartingLimit::type) != starts.end()) {
      continue;
    }
    starts.push_back({instance->type, instance->limit, {}});
  }
  return starts;
}

std::optional<Action> ServicePut(const Inventory& before, const Committed& committed) {
  const auto* service = FirstPut<Service>(committed);
  if (service == nullptr) return std::nullopt;
  if (before.FindService(service->name) == nullptr) {
    return CreateService{*service, RecommendedStarts(before, committed)};
  }
  return ScaleService{service->name, service->groups};
}

// An instance that did not leave on its own: the machine it was on neither drains nor is down.
bool StoodWell(const Inventory& before, const Instance& was) {
  const MachineState* machine = was.HoldsRoom() ? before.Find(was.machine) : nullptr;
  return machine != nullptr && machine->record.health != Health::kDown &&
         machine->record.health != Health::kDraining;
}

std::optional<Action> MoveOf(const Inventory& before, const Committed& committed,
                             const Decision& decision) {
  // The engine places those that wait of its own accord, and says who yields to them.
  if (decision.reason == MoveReason::kWaited) return std::nullopt;
  // Where no machine was looked for, one was named; perhaps the one it was on.
  if (decision.funnels.empty() && decision.placed.size() == 1) {
    const Placement& placed = decision.placed.front();
    return MoveInstance{{decision.subject, placed.instance}, placed.machine};
  }
  const Instance* instance = FirstInstanceOf(committed, decision);
  const Instance* was = instance == nullptr ? nullptr : before.Find(instance->id);
  if (was == nullptr || !StoodWell(before, *was)) return std::nullopt;
  return MoveInstance{instance->id, MachineId()};
}

std::optional<Action> ResizeOf(const Inventory& before, const Committed& committed,
                               const Decision& decision) {
  if (const Instance* instance = FirstInstanceOf(committed, decision))
    return ResizeService{instance->id.service, instance->type, instance->limit};
  // To the limit that they had. It is asked again all the same, because a new limit has the engine
  // look for room for those that wait.
  const ServiceState* service = before.FindService(decision.subject);
  if (service == nullptr) return std::nullopt;
  for (const Instance& one : service->instances) {
    const auto keeps_limit = [&](const Instance& other) {
      return other.type != one.type || other.limit == one.limit ||
             other.state == InstanceState::kEnded;
    };
    if (one.state != InstanceState::kEnded &&
        std::ranges::all_of(service->instances, keeps_limit)) {
      return ResizeService{decision.subject, one.type, one.limit};
    }
  }
  return std::nullopt;
}

std::optional<Action> SuspensionOf(const Inventory& before, const Committed& committed) {
  const auto* instance = FirstPut<Instance>(committed);
  const Instance* was = instance == nullptr ? nullptr : before.Find(instance->id);
  if (was == nullptr || !was->HoldsRoom()) return std::nullopt;
  const MachineState* machine = before.Find(was->machine);
  if (machine == nullptr || machine->record.health == Health::kDown) return std::nullopt;
  const bool preempted = instance->timeline.preemptions > was->timeline.preemptions;
  return SuspendInstance{instance->id, preempted ? WaitReason::kPreempted : WaitReason::kNoRoom};
}

std::optional<Action> FleetChangeOf(const Inventory& before, const Committed& committed) {
  ChangeFleet change;
  for (const Update& update : committed.updates) {
    if (!IsOfTheFleet(update.key.kind)) continue;
    if (update.record) {
      change.put.push_back(*update.record);
    } else {
      change.remove.push_back(update.key);
    }
  }
  if (change.put.empty() && change.remove.empty()) return std::nullopt;
  const auto* machine = change.put.size() == 1 && change.remove.empty()
                            ? std::get_if<Machine>(&change.put.front())
                            : nullptr;
  const MachineState* was = machine == nullptr ? nullptr : before.Find(machine->name);
  if (was != nullptr) {
    Machine otherwise_same = was->record;
    otherwise_same.health = machine->health;
    if (otherwise_same == *machine) return SetHealth{machine->name, machine->health};
  }
  return change;
}

std::optional<Action> ActionOf(const Inventory& before, const Committed& committed,
                               const Decision& decision) {
  switch (decision.kind) {
    case DecisionKind::kCreate:
    case DecisionKind::kScale:
      return ServicePut(before, committed);
    case DecisionKind::kWait:
      return decision.refusal ? ServicePut(before, committed) : SuspensionOf(before, committed);
    case DecisionKind::kResize:
      return ResizeOf(before, committed, decision);
    case DecisionKind::kMove:
      return MoveOf(before, committed, decision);
    case DecisionKind::kDelete:
      return DeleteService{decision.subject};
    case DecisionKind::kFleet:
      return FleetChangeOf(before, committed);
    case DecisionKind::kPolicy: {
      const auto* policy = FirstPut<PolicyText>(committed);
      if (policy == nullptr) return std::nullopt;
      return ApplyPolicy{policy->text};
    }
  }
  return std::nullopt;
}

// What was reported of an instance, to be seen in how its record changed.
std::optional<Action> ReportOf(const Inventory& before, const Committed& committed) {
  const auto* instance = FirstPut<Instance>(committed);
  const Instance* was = instance == nullptr ? nullptr : before.Find(instance->id);
  if (was == nullptr) return std::nullopt;
  Reported report = Reported::kStarted;
  if (instance->timeline.out_of_memory > was->timeline.out_of_memory) {
    report = Reported::kOutOfMemory;
  } else if (instance->timeline.failures > was->timeline.failures) {
    report = Reported::kFailed;
  } else if (instance->state == InstanceState::kEnded) {
    report = Reported::kEnded;
  }
  return ReportInstance{instance->id, report};
}

std::optional<Loaded> LoadOf(const Inventory& before, const Committed& committed) {
  Loaded loaded;
  for (const Update& update : committed.updates) {
    if (!IsOfTheFleet(update.key.kind) && update.key.kind != RecordKind::kPolicy) continue;
    if (update.record) {
      loaded.operations.emplace_back(
          Put{.record = *update.record, .replaces = before.Has(update.key)});
    } else {
      loaded.operations.emplace_back(Remove{update.key});
    }
  }
  return loaded.operations.empty() ? std::nullopt : std::optional(std::move(loaded));
}

// `last` is the last number that a commit took.
void AddRequest(const Inventory& before, const Committed& committed, DecisionId& last,
                RecordedRequests& all) {
  RecordedRequest request{.revision = committed.revision, .at = committed.at};
  std::optional<Action> action;
  if (const Decision* decision = DecisionIn(committed)) {
    last = decision->id;
    all.conflicts += decision->conflicts;
    if (decision->refusal && decision->kind != DecisionKind::kWait) {
      ++all.unknown_by_rule[decision->refusal->rule.str()];
      return;
    }
    request.decision = *decision;
    action = ActionOf(before, committed, *decision);
  } else {
    action = ReportOf(before, committed);
    if (std::optional<Loaded> loaded = action ? std::nullopt : LoadOf(before, committed)) {
      request.what = *std::move(loaded);
      all.requests.push_back(std::move(request));
      return;
    }
  }
  if (!action) return;
  if (!request.decision) ++last.sequence;
  request.number = last;
  request.what = *std::move(action);
  all.requests.push_back(std::move(request));
}

struct Words {
  std::string operator()(const CreateService& a) const { return "create " + a.service.name; }
  std::string operator()(const ScaleService& a) const { return "scale " + a.service; }
  std::string operator()(const ResizeService& a) const { return "resize " + a.service; }
  std::string operator()(const DeleteService& a) const { return "delete " + a.service; }
  std::string operator()(const MoveInstance& a) const { return "move " + ToString(a.instance); }
  std::string operator()(const PlacePending& a) const { return "place " + a.service; }
  std::string operator()(const SeatPending& a) const { return "seat " + a.service; }
  std::string operator()(const SuspendInstance& a) const {
    return "suspend " + ToString(a.instance);
  }
  std::string operator()(const ReportInstance& a) const { return "report " + ToString(a.instance); }
  std::string operator()(const SetHealth& a) const {
    return fmt::format("set {} {}", a.machine.str(), ToString(a.health));
  }
  std::string operator()(const ChangeFleet& /*a*/) const { return "change of the fleet"; }
  std::string operator()(const ApplyPolicy& /*a*/) const { return "policy"; }
};

}  // namespace

RecordedRequests RequestsOf(const RecordedLog& log, const Inventory& start) {
  RecordedRequests all;
  Inventory fleet = start;
  DecisionId last;
  for (const auto& committed : log.commits) {
    AddRequest(fleet, *committed, last, all);
    ApplyKnown(*committed, fleet);
  }
  return all;
}

bool IsAboutAService(const RecordedRequest& request) {
  const auto* action = std::get_if<Action>(&request.what);
  return action != nullptr && !std::holds_alternative<ReportInstance>(*action) &&
         !std::holds_alternative<SetHealth>(*action) &&
         !std::holds_alternative<ChangeFleet>(*action) &&
         !std::holds_alternative<ApplyPolicy>(*action);
}

std::string Describe(const RecordedRequest& request) {
  const auto* action = std::get_if<Action>(&request.what);
  return action == nullptr ? "load of a fleet" : std::visit(Words(), *action);
}

}  // namespace berth
