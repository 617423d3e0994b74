#include "fleet/draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "berth/check.h"

namespace berth {

Violation Because(std::string_view rule, std::string because) {
  return {.rule = RuleId(rule), .because = std::move(because)};
}

std::optional<Violation> Draft::ApplyAll() {
  if (change_.operations.size() > kOperationsMax) {
    NoteAll();
    return Because("size", fmt::format("a change holds at most {} operations, not {}; split it",
                                       kOperationsMax, change_.operations.size()));
  }
  std::optional<Violation> violation = CheckAnswered();
  for (const Operation& operation : change_.operations) {
    if (!violation && !duplicate_of_) {
      violation = std::visit([this](const auto& op) { return Apply(op); }, operation);
    }
    if (violation || duplicate_of_) Note(operation);
  }
  Settle();
  return violation;
}

std::optional<Violation> Draft::CheckAnswered() {
  for (const Operation& operation : change_.operations) {
    const auto* put = std::get_if<Put>(&operation);
    const auto* asked = put == nullptr ? nullptr : std::get_if<Idempotency>(&put->record);
    if (asked == nullptr) continue;
    const auto known = inventory_.idempotency().find(asked->key);
    if (known == inventory_.idempotency().end() || known->second.expires <= now_) continue;
    if (known->second.request_hash != asked->request_hash) {
      return Because("idempotency",
                     fmt::format("key {} was used before for a different request; choose another",
                                 asked->key));
    }
    duplicate_of_ = known->second.decision;
    return std::nullopt;
  }
  return std::nullopt;
}

void Draft::NoteAll() {
  for (const Operation& operation : change_.operations) Note(operation);
}

void Draft::NoteInstance(const InstanceId& id) {
  DraftService& service = ServiceOf(id.service);
  auto [at, fresh] = service.instances.try_emplace(id.number);
  if (service.before == nullptr) return;
  TenantOf(service.before->record.tenant);
  const Instance* instance = service.before->Find(id.number);
  if (instance == nullptr) return;
  if (fresh) {
    at->second.before = instance;
    at->second.after.Refer(*instance);
  }
  if (instance->HoldsRoom()) MachineOf(instance->machine);
}

void Draft::NoteKey(const RecordKey& key) {
  switch (key.kind) {
    case RecordKind::kTenant:
      TenantOf(TenantId(key.name));
      return;
    case RecordKind::kMachine:
      MachineOf(MachineId(key.name));
      return;
    case RecordKind::kService:
      ServiceOf(key.name);
      return;
    case RecordKind::kInstance:
      NoteInstance({key.name, static_cast<std::uint32_t>(key.number)});
      return;
    case RecordKind::kType:
    case RecordKind::kPolicy:
    case RecordKind::kLease:
    case RecordKind::kIdempotency:
    case RecordKind::kDecision:
      noted_.insert(key);
      return;
  }
}

void Draft::Note(const Operation& operation) {
  if (const auto* put = std::get_if<Put>(&operation)) {
    NoteKey(KeyOf(put->record));
    const auto* instance = std::get_if<Instance>(&put->record);
    if (instance != nullptr && instance->HoldsRoom()) MachineOf(instance->machine);
  } else if (const auto* remove = std::get_if<Remove>(&operation)) {
    NoteKey(remove->key);
    if (remove->key.kind == RecordKind::kService) {
      for (const Instance* instance : InstancesOf(ServiceOf(remove->key.name))) {
        NoteInstance(instance->id);
      }
    }
  } else if (const auto* move = std::get_if<Move>(&operation)) {
    NoteInstance(move->instance);
    MachineOf(move->to);
  } else if (const auto* resize = std::get_if<Resize>(&operation)) {
    NoteInstance(resize->instance);
  } else if (const auto* set = std::get_if<SetPending>(&operation)) {
    NoteInstance(set->instance);
  } else if (const auto* transition = std::get_if<Transition>(&operation)) {
    NoteInstance(transition->instance);
  }
}

namespace {

// "on m-3", "pending", "ended".
std::string Whereabouts(const Instance& instance) {
  return instance.HoldsRoom() ? "on " + instance.machine.str()
                              : std::string(ToString(instance.state));
}

Violation Elsewhere(const Instance& instance, MachineId expected) {
  return Because("elsewhere", fmt::format("instance {} is {}, not {}; read it again",
                                          ToString(instance.id), Whereabouts(instance),
                                          expected.empty() ? "pending" : "on " + expected.str()));
}

}  // namespace

std::optional<Violation> Draft::Apply(const Move& move) {
  Result<DraftInstance*> draft = Existing(move.instance);
  if (!draft.ok()) return Because("exists", draft.status().message());
  const Instance& now = *draft.value()->after;
  if (now.machine != move.from || now.state == InstanceState::kEnded) {
    return Elsewhere(now, move.from);
  }
  if (move.to.empty() || move.to == move.from) {
    return Because("elsewhere", fmt::format("instance {}: a move needs another machine to go to",
                                            ToString(move.instance)));
  }
  Instance& next = draft.value()->after.Change();
  EnterState(next, InstanceState::kPlaced);
  next.machine = move.to;
  next.timeline.allocation = {};
  return std::nullopt;
}

std::optional<Violation> Draft::Apply(const SetPending& set) {
  Result<DraftInstance*> draft = Existing(set.instance);
  if (!draft.ok()) return Because("exists", draft.status().message());
  const Instance& now = *draft.value()->after;
  if (now.machine != set.from) return Elsewhere(now, set.from);
  if (!now.HoldsRoom()) {
    return Because("elsewhere",
                   fmt::format("instance {} is {}, {}", ToString(set.instance), ToString(now.state),
                               now.state == InstanceState::kPending ? "and waits already"
                                                                    : "and cannot wait"));
  }
  Instance& next = draft.value()->after.Change();
  Timeline& timeline = next.timeline;
  if (set.reason == WaitReason::kPreempted) {
    ++timeline.preemptions;
    timeline.overhead += timeline.allocation;
  }
  timeline.allocation = {};
  EnterState(next, InstanceState::kPending);
  next.machine = MachineId();
  return std::nullopt;
}

std::optional<Violation> Draft::Apply(const Transition& transition) {
  Result<DraftInstance*> draft = Existing(transition.instance);
  if (!draft.ok()) return Because("exists", draft.status().message());
  const Instance& now = *draft.value()->after;
  if (!now.HoldsRoom()) {
    return Because("elsewhere", fmt::format("instance {} is {}, so nothing can be reported of it",
                                            ToString(transition.instance), ToString(now.state)));
  }
  Instance& next = draft.value()->after.Change();
  switch (transition.report) {
    case Reported::kStarted:
      if (next.state == InstanceState::kRunning) break;
      NoteStart(next.timeline);
      EnterState(next, InstanceState::kRunning);
      break;
    case Reported::kEnded:
      EnterState(next, InstanceState::kEnded);
      next.machine = MachineId();
      break;
    case Reported::kOutOfMemory:
      ++next.timeline.out_of_memory;
      [[fallthrough]];
    case Reported::kFailed:
      ++next.timeline.failures;
      EnterState(next, InstanceState::kPlaced);
      break;
  }
  return std::nullopt;
}

void Draft::EnterState(Instance& instance, InstanceState next) const {
  Timeline& timeline = instance.timeline;
  // Authors' clocks may differ; time never runs backwards for an instance.
  const Time at = std::max(change_.at, timeline.since);
  const Duration spent = at - timeline.since;
  if (instance.state == InstanceState::kPending) timeline.waited += spent;
  if (instance.state == InstanceState::kPlaced || instance.state == InstanceState::kRunning) {
    timeline.ran += spent;
  }
  instance.state = next;
  timeline.since = at;
}

// It counts as running from the moment it was placed, so that whoever reports no starts loses
// nothing. Its first start is part of what it was promised; a later one turns out to be waiting.
// One that failed and is started again where it is was allocated before.
void Draft::NoteStart(Timeline& timeline) const {
  if (timeline.allocation > Duration()) return;
  timeline.allocation = std::max(change_.at - timeline.since, Duration());
  if (timeline.ran == Duration() && timeline.preemptions == 0) return;
  timeline.ran -= timeline.allocation;
  timeline.waited += timeline.allocation;
}

Result<DraftInstance*> Draft::Existing(const InstanceId& id) {
  DraftService& service = ServiceOf(id.service);
  auto [at, fresh] = service.instances.try_emplace(id.number);
  DraftInstance& draft = at->second;
  if (fresh && service.before != nullptr) {
    draft.before = service.before->Find(id.number);
    if (draft.before != nullptr) draft.after.Refer(*draft.before);
  }
  if (!draft.after) {
    return Status(Code::kNotFound, fmt::format("there is no instance {}", ToString(id)));
  }
  return &draft;
}

void Draft::Settle() {
  for (const auto& [name, service] : services_) {
    if (service.before != nullptr) --TenantOf(service.before->record.tenant).services;
    if (service.after) ++TenantOf(service.after->tenant).services;
    for (const auto& [number, instance] : service.instances) {
      if (instance.before != nullptr) TakeOff(service, instance);
      if (instance.after) PutOn(service, instance);
    }
  }
}

void Draft::TakeOff(const DraftService& service, const DraftInstance& instance) {
  const Instance& was = *instance.before;
  if (was.state != InstanceState::kEnded) {
    TenantOf(service.before->record.tenant).used -= was.limit;
  }
  if (!was.HoldsRoom()) return;
  DraftMachine& machine = MachineOf(was.machine);
  machine.allocated -= was.limit;
  --machine.instances;
  machine.changed.push_back({&service, &instance});
}

void Draft::PutOn(const DraftService& service, const DraftInstance& instance) {
  const Instance* was = instance.before;
  const Instance& becomes = *instance.after;
  const bool more = was == nullptr || !becomes.limit.FitsIn(was->limit);
  if (becomes.state != InstanceState::kEnded) {
    DraftTenant& tenant = TenantOf(service.after->tenant);
    tenant.used += becomes.limit;
    tenant.grows = tenant.grows || more;
  }
  if (!becomes.HoldsRoom()) return;
  DraftMachine& machine = MachineOf(becomes.machine);
  machine.allocated += becomes.limit;
  ++machine.instances;
  const bool arrives = was == nullptr || was->machine != becomes.machine;
  if (arrives) machine.changed.push_back({&service, &instance});
  machine.gains = machine.gains || arrives;
  machine.grows = machine.grows || arrives || more;
}

DraftService& Draft::ServiceOf(const std::string& name) {
  auto [at, fresh] = services_.try_emplace(name, &pool_);
  if (fresh) {
    at->second.before = inventory_.FindService(name);
    if (at->second.before != nullptr) at->second.after.Refer(at->second.before->record);
  }
  return at->second;
}

DraftMachine& Draft::MachineOf(MachineId name) {
  auto [at, fresh] = machines_.try_emplace(name, &pool_);
  if (fresh) {
    at->second.before = inventory_.Find(name);
    if (at->second.before != nullptr) {
      at->second.after.Refer(at->second.before->record);
      at->second.allocated += at->second.before->allocated;
      at->second.instances = std::ssize(at->second.before->instances);
    }
  }
  return at->second;
}

DraftTenant& Draft::TenantOf(TenantId name) {
  auto [at, fresh] = tenants_.try_emplace(name);
  if (fresh) {
    at->second.before = inventory_.Find(name);
    if (at->second.before != nullptr) {
      at->second.after.Refer(at->second.before->record);
      at->second.used = at->second.before->used;
      at->second.services = at->second.before->services;
    }
  }
  return at->second;
}

}  // namespace berth
