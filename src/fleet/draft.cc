#include "fleet/draft.h"

#include <fmt/format.h>

#include <algorithm>

#include "berth/check.h"

namespace berth {
namespace {

Violation Because(std::string_view rule, std::string because) {
  return {.rule = RuleId(rule), .because = std::move(because)};
}

std::optional<Violation> CheckName(const RecordKey& key) {
  if (IsValidName(key.name)) return std::nullopt;
  return Because("names", fmt::format("{}: a name is 1 to 128 letters, digits, '.', '_' or '-'",
                                      ToString(key)));
}

std::optional<Violation> CheckAmounts(const RecordKey& key, const Resources& amounts) {
  for (const Resource r : kAllResources) {
    if (amounts[r] < 0 || amounts[r] > kAmountMax) {
      return Because("amounts", fmt::format("{}: {} must be 0 to {}, not {}", ToString(key),
                                            ResourceName(r), kAmountMax, amounts[r]));
    }
  }
  return std::nullopt;
}

bool IsIdempotency(const Operation& operation) {
  const auto* put = std::get_if<Put>(&operation);
  return put != nullptr && std::holds_alternative<Idempotency>(put->record);
}

}  // namespace

std::optional<Violation> Draft::ApplyAll() {
  if (change_.operations.size() > kOperationsMax) {
    return Because("size", fmt::format("a change holds at most {} operations, not {}; split it",
                                       kOperationsMax, change_.operations.size()));
  }
  // Idempotency keys first: a retry is answered with what was decided, not with its collision with
  // what was decided.
  std::optional<Violation> violation;
  for (const Operation& operation : change_.operations) {
    if (IsIdempotency(operation)) Step(operation, violation);
  }
  for (const Operation& operation : change_.operations) {
    if (!IsIdempotency(operation)) Step(operation, violation);
  }
  return violation;
}

void Draft::Step(const Operation& operation, std::optional<Violation>& violation) {
  if (!violation && !duplicate_of_) {
    violation = std::visit([this](const auto& op) { return Apply(op); }, operation);
  }
  // Whoever is refused gets back every record that the change named, this operation's too.
  if (violation || duplicate_of_) Note(operation);
}

void Draft::NoteInstance(const InstanceId& id) {
  instances_.try_emplace(id);
  const DraftService& service = ServiceOf(id.service);
  if (service.before == nullptr) return;
  TenantOf(service.before->record.tenant);
  if (const Instance* instance = service.before->Find(id.number)) {
    if (instance->HoldsRoom()) MachineOf(instance->machine);
  }
}

void Draft::Note(const Operation& operation) {
  if (const auto* put = std::get_if<Put>(&operation)) {
    if (const auto* machine = std::get_if<Machine>(&put->record)) MachineOf(machine->name);
    if (const auto* service = std::get_if<Service>(&put->record)) ServiceOf(service->name);
    if (const auto* tenant = std::get_if<Tenant>(&put->record)) TenantOf(tenant->name);
    if (const auto* instance = std::get_if<Instance>(&put->record)) {
      NoteInstance(instance->id);
      if (instance->HoldsRoom()) MachineOf(instance->machine);
    }
    NoteOther(KeyOf(put->record));
  } else if (const auto* move = std::get_if<Move>(&operation)) {
    NoteInstance(move->instance);
    MachineOf(move->to);
  } else if (const auto* resize = std::get_if<Resize>(&operation)) {
    NoteInstance(resize->instance);
  } else if (const auto* set = std::get_if<SetPending>(&operation)) {
    NoteInstance(set->instance);
  } else if (const auto* transition = std::get_if<Transition>(&operation)) {
    NoteInstance(transition->instance);
  } else if (const auto* remove = std::get_if<Remove>(&operation)) {
    if (remove->key.kind == RecordKind::kService) ServiceOf(remove->key.name);
    if (remove->key.kind == RecordKind::kMachine) MachineOf(MachineId(remove->key.name));
    if (remove->key.kind == RecordKind::kTenant) TenantOf(TenantId(remove->key.name));
    NoteOther(remove->key);
  }
}

void Draft::NoteOther(const RecordKey& key) {
  const bool other = key.kind == RecordKind::kType || key.kind == RecordKind::kPolicy ||
                     key.kind == RecordKind::kLease || key.kind == RecordKind::kIdempotency;
  if (other) others_.try_emplace(key);
}

std::optional<Violation> Draft::Apply(const Put& put) {
  const RecordKey key = KeyOf(put.record);
  if (auto violation = CheckUnchanged(key)) return violation;
  return std::visit([this](const auto& record) { return PutRecord(record); }, put.record);
}

std::optional<Violation> Draft::Apply(const Remove& remove) {
  const RecordKey& key = remove.key;
  if (auto violation = CheckUnchanged(key)) return violation;
  switch (key.kind) {
    case RecordKind::kTenant:
      return RemoveTenant(TenantId(key.name));
    case RecordKind::kType:
      return RemoveType(TypeId(key.name));
    case RecordKind::kMachine:
      return RemoveMachine(MachineId(key.name));
    case RecordKind::kService:
      return RemoveService(key.name);
    case RecordKind::kInstance:
      return RemoveInstance({key.name, static_cast<std::uint32_t>(key.number)});
    case RecordKind::kPolicy:
    case RecordKind::kLease:
    case RecordKind::kIdempotency:
      others_[key] = std::nullopt;
      return std::nullopt;
    case RecordKind::kDecision:
      return Because("decisions", "decisions are never removed; the log forgets them by age");
  }
  return std::nullopt;
}

// Replacing or removing a record that someone replaced in the meantime would undo their change
// unseen. Leases and idempotency records have their own rules; instances change by operations.
std::optional<Violation> Draft::CheckUnchanged(const RecordKey& key) const {
  const bool guarded = key.kind == RecordKind::kTenant || key.kind == RecordKind::kType ||
                       key.kind == RecordKind::kMachine || key.kind == RecordKind::kService ||
                       key.kind == RecordKind::kPolicy;
  if (!guarded || inventory_.OwnRevision(key) <= change_.seen) return std::nullopt;
  return Because("unchanged", fmt::format("{} was changed at revision {}, after the revision {} "
                                          "this was decided on; read it again",
                                          ToString(key), ToNumber(inventory_.OwnRevision(key)),
                                          ToNumber(change_.seen)));
}

std::optional<Violation> Draft::PutRecord(const Tenant& tenant) {
  const RecordKey key = KeyOf(Record(tenant));
  if (auto violation = CheckName(key)) return violation;
  DraftTenant& draft = TenantOf(tenant.name);
  draft.after = tenant;
  draft.replaced = true;
  return std::nullopt;
}

std::optional<Violation> Draft::PutRecord(const InstanceType& type) {
  const RecordKey key = KeyOf(Record(type));
  if (auto violation = CheckName(key)) return violation;
  if (auto violation = CheckAmounts(key, type.size)) return violation;
  if (type.size.IsZero()) {
    return Because("amounts", fmt::format("{}: its size is nothing; give it at least cpu or memory",
                                          ToString(key)));
  }
  others_[key] = type;
  return std::nullopt;
}

std::optional<Violation> Draft::PutRecord(const Machine& machine) {
  const RecordKey key = KeyOf(Record(machine));
  if (auto violation = CheckName(key)) return violation;
  if (auto violation = CheckAmounts(key, machine.capacity)) return violation;
  DraftMachine& draft = MachineOf(machine.name);
  draft.after = machine;
  draft.replaced = true;
  return std::nullopt;
}

std::optional<Violation> Draft::PutRecord(const Service& service) {
  const RecordKey key = KeyOf(Record(service));
  if (auto violation = CheckName(key)) return violation;
  if (service.InstanceCount() > kGangMax) {
    return Because("size", fmt::format("{}: {} instances, at most {} in one service", ToString(key),
                                       service.InstanceCount(), kGangMax));
  }
  DraftService& draft = ServiceOf(service.name);
  draft.after = service;
  draft.replaced = true;
  TenantOf(service.tenant);
  return std::nullopt;
}

std::optional<Violation> Draft::PutRecord(const Instance& instance) {
  const RecordKey key = KeyOf(instance.id);
  DraftService& service = ServiceOf(instance.id.service);
  if (!service.after) {
    return Because("exists", fmt::format("{}: there is no service {}", ToString(key), key.name));
  }
  DraftInstance& draft = instances_[instance.id];
  if (service.before != nullptr) draft.before = service.before->Find(instance.id.number);
  if (draft.before != nullptr || draft.after) {
    return Because("exists", fmt::format("{} exists already", ToString(key)));
  }
  if (auto violation = CheckAmounts(key, instance.limit)) return violation;
  draft.after = instance;
  draft.after->state = instance.machine.empty() ? InstanceState::kPending : InstanceState::kPlaced;
  draft.after->timeline = Timeline{.created = change_.at, .since = change_.at};
  Rebook(instance.id.service, std::nullopt, draft.after);
  return std::nullopt;
}

std::optional<Violation> Draft::PutRecord(const PolicyText& policy) {
  const Result<FleetSettings> parsed = ParseFleetSettings(policy.text);
  if (!parsed.ok()) return Because("policy", parsed.status().message());
  others_[KeyOf(Record(policy))] = policy;
  return std::nullopt;
}

std::optional<Violation> Draft::PutRecord(const Lease& lease) {
  const auto held = inventory_.leases().find(lease.name);
  const bool current = held != inventory_.leases().end() && held->second.expires > now_;
  if (current && held->second.holder != lease.holder) {
    return Because("lease", fmt::format("lease {} is held by {} (epoch {})", lease.name,
                                        held->second.holder, held->second.epoch));
  }
  Lease taken = lease;
  taken.epoch = held == inventory_.leases().end() ? 1
                : current                         ? held->second.epoch
                                                  : held->second.epoch + 1;
  others_[KeyOf(Record(lease))] = taken;
  return std::nullopt;
}

std::optional<Violation> Draft::PutRecord(const Idempotency& answered) {
  const auto known = inventory_.idempotency().find(answered.key);
  if (known != inventory_.idempotency().end() && known->second.expires > now_) {
    if (known->second.request_hash != answered.request_hash) {
      return Because("idempotency",
                     fmt::format("key {} was used before for a different request; choose another",
                                 answered.key));
    }
    duplicate_of_ = known->second.decision;
    return std::nullopt;
  }
  others_[KeyOf(Record(answered))] = answered;
  return std::nullopt;
}

std::optional<Violation> Draft::PutRecord(const Decision& decision) {
  const auto last = inventory_.decisions().find(decision.id.agent);
  if (last != inventory_.decisions().end() && last->second >= decision.id.sequence) {
    return Because("decisions",
                   fmt::format("decision {} exists already", ToString(decision.id)));
  }
  others_[KeyOf(Record(decision))] = decision;
  return std::nullopt;
}

std::optional<Violation> Draft::RemoveTenant(TenantId name) {
  DraftTenant& draft = TenantOf(name);
  if (!draft.after) return Because("exists", fmt::format("there is no tenant {}", name.str()));
  draft.after.reset();
  draft.replaced = true;
  return std::nullopt;
}

std::optional<Violation> Draft::RemoveType(TypeId name) {
  if (TypeNow(name) == nullptr) {
    return Because("exists", fmt::format("there is no type {}", name.str()));
  }
  for (const ServiceState& service : inventory_.services()) {
    const bool uses = std::ranges::any_of(service.record.groups,
                                          [&](const InstanceGroup& g) { return g.type == name; });
    if (uses) {
      return Because("in-use", fmt::format("type {} is used by service {}; delete that first",
                                           name.str(), service.record.name));
    }
  }
  others_[KeyOf(RecordKind::kType, name.str())] = std::nullopt;
  return std::nullopt;
}

std::optional<Violation> Draft::RemoveMachine(MachineId name) {
  DraftMachine& draft = MachineOf(name);
  if (!draft.after) return Because("exists", fmt::format("there is no machine {}", name.str()));
  draft.after.reset();
  draft.replaced = true;
  return std::nullopt;
}

std::optional<Violation> Draft::RemoveService(const std::string& name) {
  DraftService& draft = ServiceOf(name);
  if (!draft.after) return Because("exists", fmt::format("there is no service {}", name));
  for (const Instance* instance : InstancesOf(name)) {
    if (auto violation = RemoveInstance(InstanceId(instance->id))) return violation;
  }
  draft.after.reset();
  draft.replaced = true;
  return std::nullopt;
}

std::optional<Violation> Draft::RemoveInstance(const InstanceId& id) {
  Result<DraftInstance*> draft = Existing(id);
  if (!draft.ok()) return Because("exists", draft.status().message());
  Rebook(id.service, draft.value()->after, std::nullopt);
  draft.value()->after.reset();
  return std::nullopt;
}

std::optional<Violation> Draft::Apply(const Resize& resize) {
  Result<DraftInstance*> draft = Existing(resize.instance);
  if (!draft.ok()) return Because("exists", draft.status().message());
  if (auto violation = CheckAmounts(KeyOf(resize.instance), resize.limit)) return violation;
  Instance next = *draft.value()->after;
  next.limit = resize.limit;
  Rebook(resize.instance.service, draft.value()->after, next);
  draft.value()->after = std::move(next);
  return std::nullopt;
}

std::optional<Violation> Draft::Apply(const Move& move) {
  Result<DraftInstance*> draft = Existing(move.instance);
  if (!draft.ok()) return Because("exists", draft.status().message());
  Instance next = *draft.value()->after;
  if (next.machine != move.from || next.state == InstanceState::kEnded || move.to.empty()) {
    return Because("elsewhere", fmt::format("instance {} is not on {} any more",
                                            ToString(move.instance), move.from.str()));
  }
  next.machine = move.to;
  EnterState(next, InstanceState::kPlaced);
  Rebook(move.instance.service, draft.value()->after, next);
  draft.value()->after = std::move(next);
  return std::nullopt;
}

std::optional<Violation> Draft::Apply(const SetPending& set) {
  Result<DraftInstance*> draft = Existing(set.instance);
  if (!draft.ok()) return Because("exists", draft.status().message());
  Instance next = *draft.value()->after;
  if (next.machine != set.from || next.machine.empty()) {
    return Because("elsewhere", fmt::format("instance {} is not on {} any more",
                                            ToString(set.instance), set.from.str()));
  }
  next.machine = MachineId();
  if (set.reason == WaitReason::kPreempted) ++next.timeline.preemptions;
  EnterState(next, InstanceState::kPending);
  Rebook(set.instance.service, draft.value()->after, next);
  draft.value()->after = std::move(next);
  return std::nullopt;
}

std::optional<Violation> Draft::Apply(const Transition& transition) {
  Result<DraftInstance*> draft = Existing(transition.instance);
  if (!draft.ok()) return Because("exists", draft.status().message());
  Instance next = *draft.value()->after;
  if (!next.HoldsRoom()) {
    return Because("elsewhere",
                   fmt::format("instance {} is {}, so nothing can be reported of it",
                               ToString(transition.instance), ToString(next.state)));
  }
  switch (transition.report) {
    case Report::kStarted:
      if (next.state != InstanceState::kRunning) EnterState(next, InstanceState::kRunning);
      break;
    case Report::kEnded:
      EnterState(next, InstanceState::kEnded);
      next.machine = MachineId();
      break;
    case Report::kOutOfMemory:
      ++next.timeline.out_of_memory;
      [[fallthrough]];
    case Report::kFailed:
      ++next.timeline.failures;
      EnterState(next, InstanceState::kPlaced);
      break;
  }
  Rebook(transition.instance.service, draft.value()->after, next);
  draft.value()->after = std::move(next);
  return std::nullopt;
}

void Draft::EnterState(Instance& instance, InstanceState next) const {
  Timeline& timeline = instance.timeline;
  // Authors' clocks may differ; time never runs backwards for an instance.
  const Time at = std::max(change_.at, timeline.since);
  const Duration spent = at - timeline.since;
  if (instance.state == InstanceState::kPending) timeline.waited += spent;
  if (instance.HoldsRoom() && instance.state != InstanceState::kPending) timeline.ran += spent;
  instance.state = next;
  timeline.since = at;
}

Result<DraftInstance*> Draft::Existing(const InstanceId& id) {
  DraftService& service = ServiceOf(id.service);
  auto [at, fresh] = instances_.try_emplace(id);
  DraftInstance& draft = at->second;
  if (fresh && service.before != nullptr) {
    draft.before = service.before->Find(id.number);
    if (draft.before != nullptr) draft.after = *draft.before;
  }
  if (!draft.after) {
    return Status(Code::kNotFound, fmt::format("there is no instance {}", ToString(id)));
  }
  return &draft;
}

void Draft::Rebook(const std::string& service, const std::optional<Instance>& was,
                   const std::optional<Instance>& becomes) {
  const DraftService& owner = ServiceOf(service);
  DraftTenant& tenant = TenantOf(owner.after->tenant);
  if (was && was->state != InstanceState::kEnded) tenant.used -= was->limit;
  if (becomes && becomes->state != InstanceState::kEnded) {
    tenant.used += becomes->limit;
    tenant.grows = tenant.grows || !was || !becomes->limit.FitsIn(was->limit);
  }
  if (was && was->HoldsRoom()) {
    DraftMachine& machine = MachineOf(was->machine);
    machine.allocated -= was->limit;
    machine.changed.push_back(was->id);
  }
  if (becomes && becomes->HoldsRoom()) {
    DraftMachine& machine = MachineOf(becomes->machine);
    machine.allocated += becomes->limit;
    machine.changed.push_back(becomes->id);
    const bool arrives = !was || was->machine != becomes->machine;
    machine.gains = machine.gains || arrives;
    machine.grows = machine.grows || arrives || !becomes->limit.FitsIn(was->limit);
  }
}

DraftService& Draft::ServiceOf(const std::string& name) {
  auto [at, fresh] = services_.try_emplace(name);
  if (fresh) {
    at->second.before = inventory_.FindService(name);
    if (at->second.before != nullptr) at->second.after = at->second.before->record;
  }
  return at->second;
}

DraftMachine& Draft::MachineOf(MachineId name) {
  auto [at, fresh] = machines_.try_emplace(name);
  if (fresh) {
    at->second.before = inventory_.Find(name);
    if (at->second.before != nullptr) {
      at->second.after = at->second.before->record;
      at->second.allocated = at->second.before->allocated;
    }
  }
  return at->second;
}

DraftTenant& Draft::TenantOf(TenantId name) {
  auto [at, fresh] = tenants_.try_emplace(name);
  if (fresh) {
    at->second.before = inventory_.Find(name);
    if (at->second.before != nullptr) {
      at->second.after = at->second.before->record;
      at->second.used = at->second.before->used;
    }
  }
  return at->second;
}

const InstanceType* Draft::TypeNow(TypeId name) const {
  const auto put = others_.find(KeyOf(RecordKind::kType, name.str()));
  if (put == others_.end()) return inventory_.Find(name);
  return put->second ? &std::get<InstanceType>(*put->second) : nullptr;
}

std::vector<const Instance*> Draft::InstancesOf(const std::string& service) const {
  std::vector<const Instance*> all;
  const ServiceState* before = inventory_.FindService(service);
  auto changed = instances_.lower_bound(InstanceId{service, 0});
  const auto is_ours = [&] { return changed != instances_.end() && changed->first.service == service; };
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

std::vector<Update> Draft::Updates() const {
  std::vector<Update> updates;
  const auto add = [&](RecordKey key, std::optional<Record> record) {
    updates.push_back({.key = std::move(key), .record = std::move(record), .revision = {}});
  };
  const auto as_record = [](const auto& optional) {
    return optional ? std::optional<Record>(*optional) : std::nullopt;
  };
  // Things come before what needs them and go after it.
  for (const auto& [key, record] : others_) add(key, record);
  for (const auto& [name, tenant] : tenants_) {
    if (tenant.replaced && tenant.after) add(KeyOf(RecordKind::kTenant, name.str()), as_record(tenant.after));
  }
  for (const auto& [name, machine] : machines_) {
    if (machine.replaced && machine.after) add(KeyOf(RecordKind::kMachine, name.str()), as_record(machine.after));
  }
  for (const auto& [name, service] : services_) {
    if (service.replaced && service.after) add(KeyOf(RecordKind::kService, name), as_record(service.after));
  }
  for (const auto& [id, instance] : instances_) {
    const bool same = instance.before != nullptr && instance.after && *instance.before == *instance.after;
    const bool never_was = instance.before == nullptr && !instance.after;
    if (!same && !never_was) add(KeyOf(id), as_record(instance.after));
  }
  for (const auto& [name, service] : services_) {
    if (service.replaced && !service.after) add(KeyOf(RecordKind::kService, name), std::nullopt);
  }
  for (const auto& [name, machine] : machines_) {
    if (machine.replaced && !machine.after) add(KeyOf(RecordKind::kMachine, name.str()), std::nullopt);
  }
  for (const auto& [name, tenant] : tenants_) {
    if (tenant.replaced && !tenant.after) add(KeyOf(RecordKind::kTenant, name.str()), std::nullopt);
  }
  return updates;
}

std::vector<RecordKey> Draft::Named() const {
  std::vector<RecordKey> named;
  for (const auto& [key, record] : others_) {
    if (key.kind != RecordKind::kDecision) named.push_back(key);
  }
  for (const auto& [name, tenant] : tenants_) named.push_back(KeyOf(RecordKind::kTenant, name.str()));
  for (const auto& [name, machine] : machines_) named.push_back(KeyOf(RecordKind::kMachine, name.str()));
  for (const auto& [name, service] : services_) named.push_back(KeyOf(RecordKind::kService, name));
  for (const auto& [id, instance] : instances_) named.push_back(KeyOf(id));
  return named;
}

}  // namespace berth
