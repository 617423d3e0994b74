#include "sim/replay_start.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace berth {
namespace {

// Whether what a record refers to is there.
bool IsGrounded(const Record& record, const Inventory& fleet) {
  if (const auto* service = std::get_if<Service>(&record)) {
    return fleet.Find(service->tenant) != nullptr &&
           fleet.settings().FindClass(service->klass) != nullptr;
  }
  if (const auto* instance = std::get_if<Instance>(&record)) {
    return fleet.FindService(instance->id.service) != nullptr &&
           fleet.Find(instance->type) != nullptr &&
           (!instance->HoldsRoom() || fleet.Find(instance->machine) != nullptr);
  }
  return true;
}

bool IsFleetState(RecordKind kind) {
  return kind != RecordKind::kLease && kind != RecordKind::kIdempotency &&
         kind != RecordKind::kDecision;
}

// Whether the commit is one that brings new instances: nothing else touches instances in it.
bool BringsInstances(const Decision* decision) {
  return decision != nullptr &&
         (decision->kind == DecisionKind::kCreate || decision->kind == DecisionKind::kScale ||
          (decision->kind == DecisionKind::kWait && decision->refusal));
}

bool CreatesService(const Committed& committed, const Service& service) {
  const Decision* decision = DecisionIn(committed);
  if (decision == nullptr || decision->kind == DecisionKind::kCreate) return true;
  const auto is_of_it = [&](const Update& update) {
    return update.key.kind == RecordKind::kInstance && update.record &&
           update.key.name == service.name;
  };
  // All instances that it ever had came with it.
  return BringsInstances(decision) &&
         std::ranges::count_if(committed.updates, is_of_it) == service.next_number;
}

class StartFinder {
 public:
  explicit StartFinder(const RecordedLog& log) : log_(log) {}

  ReplayStart Find() {
    for (const auto& committed : log_.commits) Note(*committed);
    for (const Update& update : log_.now->AllRecords()) {
      if (IsFleetState(update.key.kind) && !touched_.contains(update.key)) Keep(update);
    }
    LeaveOutNewMachines();
    // In an order in which they can be installed: it is that of the kinds, but the policy first.
    if (const auto policy = known_.find(KeyOf(RecordKind::kPolicy, "")); policy != known_.end())
      start_.fleet.Install(policy->second);
    for (const auto& [key, update] : known_) Install(update);
    MakeServicesWhole();
    return std::move(start_);
  }

 private:
  void Keep(const Update& update) { known_[update.key] = update; }

  // What the log shows of a record for the first time is what it was before, unless it came then.
  void Note(const Committed& committed) {
    for (const Update& update : committed.updates) {
      if (!IsFleetState(update.key.kind) || !touched_.insert(update.key).second) continue;
      if (!update.record) {
        start_.forgotten_services += update.key.kind == RecordKind::kService ? 1U : 0U;
        start_.forgotten_instances += update.key.kind == RecordKind::kInstance ? 1U : 0U;
        continue;
      }
      const auto* service = std::get_if<Service>(&*update.record);
      const bool comes = service != nullptr ? CreatesService(committed, *service)
                                            : update.key.kind == RecordKind::kInstance &&
                                                  BringsInstances(DecisionIn(committed));
      if (comes) continue;
      Keep(update);
      if (update.key.kind == RecordKind::kMachine) shown_machines_.insert(update.key);
    }
  }

  // A machine that the log shows ready, and on which nothing ran before, is taken to be new then.
  void LeaveOutNewMachines() {
    std::set<std::string> in_use;
    for (const auto& [key, update] : known_) {
      const auto* instance = std::get_if<Instance>(&*update.record);
      if (instance != nullptr) in_use.insert(instance->machine.str());
    }
    for (const RecordKey& key : shown_machines_) {
      const Machine& machine = std::get<Machine>(*known_.at(key).record);
      if (machine.health == Health::kReady && !in_use.contains(key.name)) known_.erase(key);
    }
  }

  void Install(const Update& update) {
    const auto* instance = std::get_if<Instance>(&*update.record);
    bool known = IsGrounded(*update.record, start_.fleet);
    if (known && instance != nullptr && instance->HoldsRoom()) {
      // Others, forgotten by now, may have left since to make room for it.
      known = instance->limit.FitsIn(start_.fleet.Find(instance->machine)->Free());
    }
    if (known) {
      start_.fleet.Install(update);
    } else {
      start_.forgotten_services += std::holds_alternative<Service>(*update.record) ? 1U : 0U;
      start_.forgotten_instances += instance != nullptr ? 1U : 0U;
    }
  }

  // A service has the instances that it declares: those that are known.
  void MakeServicesWhole() {
    std::vector<Service> services;
    for (const ServiceState& state : start_.fleet.services()) {
      if (state.vacant()) continue;
      std::map<std::pair<TypeId, RoleId>, std::uint32_t> counts;
      for (const Instance& instance : state.instances) ++counts[{instance.type, instance.role}];
      Service service = state.record;
      service.groups.clear();
      for (const auto& [group, count] : counts)
        service.groups.push_back({.type = group.first, .role = group.second, .count = count});
      services.push_back(std::move(service));
    }
    for (const Service& service : services) {
      const RecordKey key = KeyOf(Record(service));
      const bool empty = service.groups.empty();
      start_.forgotten_services += empty ? 1U : 0U;
      start_.fleet.Install({.key = key,
                            .record = empty ? std::nullopt : std::optional<Record>(service),
                            .revision = start_.fleet.OwnRevision(key)});
    }
  }

  const RecordedLog& log_;
  std::set<RecordKey> touched_;
  std::set<RecordKey> shown_machines_;
  std::map<RecordKey, Update> known_;
  ReplayStart start_;
};

// So that the replay's decisions are numbered on from where the recorded ones were: a number seeds
// a decision's draws.
void NumberOn(const RecordedLog& log, Inventory& fleet) {
  std::set<std::string> seen;
  for (const auto& committed : log.commits) {
    const Decision* decision = DecisionIn(*committed);
    if (decision == nullptr || !seen.insert(decision->id.agent).second) continue;
    if (decision->id.sequence < 2) continue;
    Decision last;
    last.id = {decision->id.agent, decision->id.sequence - 1};
    fleet.Install({.key = KeyOf(Record(last)), .record = last, .revision = {}});
  }
}

}  // namespace

const Decision* DecisionIn(const Committed& committed) {
  for (const Update& update : committed.updates) {
    if (update.key.kind == RecordKind::kDecision) return &std::get<Decision>(*update.record);
  }
  return nullptr;
}

ReplayStart StartOf(const RecordedLog& log) {
  if (log.whole()) return {};
  ReplayStart start = StartFinder(log).Find();
  NumberOn(log, start.fleet);
  const std::uint64_t first = ToNumber(log.now->revision()) - log.commits.size();
  start.fleet.SetRevision(Revision{first});
  return start;
}

void ApplyKnown(const Committed& committed, Inventory& fleet) {
  for (const Update& update : committed.updates) {
    if (!update.record || IsGrounded(*update.record, fleet)) fleet.Install(update);
  }
  fleet.SetRevision(committed.revision);
}

}  // namespace berth
