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
  const DraftService& service = ServiceOf(id.service);
  auto [at, fresh] = instances_.try_emplace(id);
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
      for (const Instance* instance : InstancesOf(remove->key.name)) {
        NoteInstance(InstanceId(instance->id));
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
  if (set.reason == WaitReason::kPreempted) ++next.timeline.preemptions;
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
      if (next.state != InstanceState::kRunning) EnterState(next, InstanceState::kRunning);
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

Result<DraftInstance*> Draft::Existing(const InstanceId& id) {
  DraftService& service = ServiceOf(id.service);
  auto [at, fresh] = instances_.try_emplace(id);
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
  }
  for (const auto& [id, instance] : instances_) {
    const DraftService& owner = services_.at(id.service);
    const Instance* was = instance.before;
    const Instance* becomes = instance.after ? &*instance.after : nullptr;
    if (was != nullptr) TakeOff(id, TenantOf(owner.before->record.tenant), *was);
    if (becomes != nullptr) PutOn(id, TenantOf(owner.after->tenant), *becomes, was);
  }
}

void Draft::TakeOff(const InstanceId& id, DraftTenant& tenant, const Instance& was) {
  if (was.state != InstanceState::kEnded) tenant.used -= was.limit;
  if (!was.HoldsRoom()) return;
  DraftMachine& machine = MachineOf(was.machine);
  machine.allocated -= was.limit;
  --machine.instances;
  machine.changed.push_back(&id);
}

void Draft::PutOn(const InstanceId& id, DraftTenant& tenant, const Instance& becomes,
                  const Instance* was) {
  const bool more = was == nullptr || !becomes.limit.FitsIn(was->limit);
  if (becomes.state != InstanceState::kEnded) {
    tenant.used += becomes.limit;
    tenant.grows = tenant.grows || more;
  }
  if (!becomes.HoldsRoom()) return;
  DraftMachine& machine = MachineOf(becomes.machine);
  machine.allocated += becomes.limit;
  ++machine.instances;
  const bool arrives = was == nullptr || was->machine != becomes.machine;
  if (arrives) machine.changed.push_back(&id);
  machine.gains = machine.gains || arrives;
  machine.grows = machine.grows || arrives || more;
}

DraftService& Draft::ServiceOf(const std::string& name) {
  auto [at, fresh] = services_.try_emplace(name);
  if (fresh) {
    at->second.before = inventory_.FindService(name);
    if (at->second.before != nullptr) at->second.after.Refer(at->second.before->record);
  }
  return at->second;
}

DraftMachine& Draft::MachineOf(MachineId name) {
  auto [at, fresh] = machines_.try_emplace(name);
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

const InstanceType* Draft::TypeNow(TypeId name) const {
  if (others_.empty()) return inventory_.Find(name);
  const auto put = others_.find(KeyOf(RecordKind::kType, name.str()));
  if (put == others_.end()) return inventory_.Find(name);
  return put->second ? &std::get<InstanceType>(*put->second) : nullptr;
}

std::vector<TypeId> Draft::RemovedTypes() const {
  std::vector<TypeId> removed;
  for (const auto& [key, record] : others_) {
    if (key.kind == RecordKind::kType && !record) removed.emplace_back(key.name);
  }
  return removed;
}

const Service* Draft::ServiceNow(const ServiceState& before) const {
  const auto changed = services_.find(before.record.name);
  if (changed == services_.end()) return &before.record;
  return changed->second.after ? &*changed->second.after : nullptr;
}

std::pmr::vector<const Instance*> Draft::InstancesOf(const std::string& service) const {
  std::pmr::vector<const Instance*> all(&pool_);
  const auto known = services_.find(service);
  const ServiceState* before =
      known != services_.end() ? known->second.before : inventory_.FindService(service);
  auto changed = instances_.lower_bound(InstanceId{service, 0});
  const auto is_ours = [&] {
    return changed != instances_.end() && changed->first.service == service;
  };
  const auto take_changed = [&] {
    if (changed->second.after) all.push_back(&*changed->second.after);
    ++changed;
  };
  if (before != nullptr) {
    for (const Instance& instance : before->instances) {
      while (is_ours() && changed->first.number < instance.id.number) take_changed();
      if (is_ours() && changed->first.number == instance.id.number) {
        take_changed();
      } else {
        all.push_back(&instance);
      }
    }
  }
  while (is_ours()) take_changed();
  return all;
}

std::vector<Update> Draft::TakeUpdates(bool with_answers, bool change_given_up) {
  std::vector<Update> updates;
  updates.reserve(others_.size() + services_.size() + instances_.size());
  // Built in place: an update is large.
  const auto remove = [&](RecordKey key) -> Update& {
    Update& update = updates.emplace_back();
    update.key = std::move(key);
    return update;
  };
  const auto put = [&](RecordKey key, auto& after) {
    remove(std::move(key)).record.emplace(after.Take(change_given_up));
  };
  // Things come before what needs them and go after it.
  for (auto& [key, record] : others_) {
    const bool answer = key.kind == RecordKind::kDecision || key.kind == RecordKind::kIdempotency;
    if (answer && !with_answers) continue;
    if (record) {
      put(key, record);
    } else {
      remove(key);
    }
  }
  for (auto& [name, tenant] : tenants_) {
    if (tenant.replaced && tenant.after) put(KeyOf(RecordKind::kTenant, name.str()), tenant.after);
  }
  for (auto& [name, machine] : machines_) {
    if (machine.replaced && machine.after)
      put(KeyOf(RecordKind::kMachine, name.str()), machine.after);
  }
  for (auto& [name, service] : services_) {
    if ((service.replaced || service.numbered) && service.after)
      put(KeyOf(RecordKind::kService, name), service.after);
  }
  for (auto& [id, instance] : instances_) {
    const bool same =
        instance.before != nullptr && instance.after && *instance.before == *instance.after;
    if (instance.after && !same) put(KeyOf(id), instance.after);
    if (!instance.after && instance.before != nullptr) remove(KeyOf(id));
  }
  for (const auto& [name, service] : services_) {
    if (service.replaced && !service.after) remove(KeyOf(RecordKind::kService, name));
  }
  for (const auto& [name, machine] : machines_) {
    if (machine.replaced && !machine.after) remove(KeyOf(RecordKind::kMachine, name.str()));
  }
  for (const auto& [name, tenant] : tenants_) {
    if (tenant.replaced && !tenant.after) remove(KeyOf(RecordKind::kTenant, name.str()));
  }
  return updates;
}

std::vector<RecordKey> Draft::NamedRecords() const {
  std::vector<RecordKey> named(noted_.begin(), noted_.end());
  for (const auto& [key, record] : others_) named.push_back(key);
  for (const auto& [name, tenant] : tenants_) {
    named.push_back(KeyOf(RecordKind::kTenant, name.str()));
  }
  for (const auto& [name, machine] : machines_) {
    named.push_back(KeyOf(RecordKind::kMachine, name.str()));
  }
  for (const auto& [name, service] : services_) named.push_back(KeyOf(RecordKind::kService, name));
  for (const auto& [id, instance] : instances_) named.push_back(KeyOf(id));
  std::erase_if(named, [](const RecordKey& key) { return key.kind == RecordKind::kDecision; });
  std::ranges::sort(named);
  named.erase(std::unique(named.begin(), named.end()), named.end());
  return named;
}

bool Draft::AnyChangedSince(Revision seen) const {
  if (inventory_.revision() <= seen) return false;
  for (const auto& [key, record] : others_) {
    if (key.kind != RecordKind::kDecision && inventory_.OwnRevision(key) > seen) return true;
  }
  for (const auto& [name, tenant] : tenants_) {
    if (tenant.before != nullptr && tenant.before->own_revision > seen) return true;
  }
  for (const auto& [name, machine] : machines_) {
    if (machine.before != nullptr && machine.before->revision > seen) return true;
  }
  // A service's revision is also that of its instances.
  for (const auto& [name, service] : services_) {
    if (service.before != nullptr && service.before->revision > seen) return true;
  }
  return false;
}

}  // namespace berth
