// Draft's puts and removals: what a record must look like, and what removing it takes along.
#include <fmt/format.h>

#include <algorithm>

#include "fleet/draft.h"

namespace berth {
namespace {

using Verdict = std::optional<Violation>;

// What clients coin and Berth only keeps: idempotency keys, holders of leases.
constexpr std::size_t kTextMax = 256;

// How messages call a record. Only then is it worth making its key.
std::string Called(const Record& record) { return ToString(KeyOf(record)); }

Verdict CheckName(const auto& record, std::string_view name) {
  if (IsValidName(name)) return std::nullopt;
  return Because("names", fmt::format("{}: a name is 1 to 128 letters, digits, '.', '_' or '-'",
                                      Called(record)));
}

template <typename Tag>
Verdict CheckPart(const auto& record, std::string_view what, Name<Tag> name) {
  if (name.empty() || IsValidName(name.str())) return std::nullopt;
  return Because("names",
                 fmt::format("{}: its {} '{}' is not a name: 1 to 128 letters, digits, '.', '_' or "
                             "'-'",
                             Called(record), what, name.str()));
}

Verdict CheckText(RecordKind kind, std::string_view what, std::string_view text) {
  const bool printable = std::ranges::all_of(text, [](char c) { return c > ' ' && c <= '~'; });
  if (!text.empty() && text.size() <= kTextMax && printable) return std::nullopt;
  return Because("names", fmt::format("{}: a {} is 1 to {} printable characters without spaces",
                                      ToString(kind), what, kTextMax));
}

// Sorted, so that one list can be looked for in another.
Verdict CheckLabels(const auto& record, const Labels& labels) {
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const auto& [name, value] = labels[i];
    if (!IsValidName(name.str()) || (!value.empty() && !IsValidName(value.str()))) {
      return Because("names",
                     fmt::format("{}: label '{}: {}' is not made of letters, digits, '.', '_' or "
                                 "'-'",
                                 Called(record), name.str(), value.str()));
    }
    if (i > 0 && labels[i - 1].first >= name) {
      return Because("names", fmt::format("{}: label {} is there twice or out of order",
                                          Called(record), name.str()));
    }
  }
  return std::nullopt;
}

Verdict CheckAmounts(const auto& record, const Resources& amounts) {
  for (const Resource r : kAllResources) {
    if (amounts[r] < 0 || amounts[r] > kAmountMax) {
      return Because("amounts", fmt::format("{}: {} must be 0 to {}, not {}", Called(record),
                                            ResourceName(r), kAmountMax, amounts[r]));
    }
  }
  return std::nullopt;
}

Verdict CheckLimit(const Instance& instance, const Resources& limit) {
  if (auto violation = CheckAmounts(instance, limit)) return violation;
  if (!limit.IsZero()) return std::nullopt;
  return Because("amounts", fmt::format("{}: its limit is nothing; give it at least cpu or memory",
                                        Called(instance)));
}

Violation Missing(const RecordKey& key) {
  return Because("exists", fmt::format("there is no {}", ToString(key)));
}

}  // namespace

Verdict Draft::Apply(const Put& put) {
  putting_ = &put.record;
  if (put.replaces || inventory_.revision() > change_.seen) {
    const RecordKey key = KeyOf(put.record);
    if (put.replaces && !inventory_.Has(key)) {
      return Because("exists", fmt::format("{} is gone; read it again", ToString(key)));
    }
    if (auto violation = CheckUnchanged(key)) return violation;
  }
  return std::visit([this](const auto& record) { return PutRecord(record); }, put.record);
}

Verdict Draft::Apply(const Remove& remove) {
  const RecordKey& key = remove.key;
  if (auto violation = CheckUnchanged(key)) return violation;
  switch (key.kind) {
    case RecordKind::kTenant:
      return RemoveTenant(TenantId(key.name));
    case RecordKind::kMachine:
      return RemoveMachine(MachineId(key.name));
    case RecordKind::kService:
      return RemoveService(key.name);
    case RecordKind::kInstance:
      return RemoveInstance({key.name, static_cast<std::uint32_t>(key.number)});
    case RecordKind::kLease:
      return RemoveLease(key);
    case RecordKind::kType:
      return RemoveType(TypeId(key.name));
    case RecordKind::kPolicy:
    case RecordKind::kIdempotency:
      return RemoveOther(key);
    case RecordKind::kDecision:
      return Because("decisions", "decisions are never removed; the log forgets them by age");
  }
  return std::nullopt;
}

// Replacing or removing a record that someone replaced in the meantime would undo their change
// unseen. Leases and idempotency records
// have their own rules; instances change by operations.
Verdict Draft::CheckUnchanged(const RecordKey& key) const {
  const bool guarded = key.kind == RecordKind::kTenant || key.kind == RecordKind::kType ||
                       key.kind == RecordKind::kMachine || key.kind == RecordKind::kService ||
                       key.kind == RecordKind::kPolicy;
  if (!guarded || inventory_.revision() <= change_.seen ||
      inventory_.OwnRevision(key) <= change_.seen) {
    return std::nullopt;
  }
  return Because(
      "unchanged",
      fmt::format("{} was changed at revision {}, after the revision {} this was decided on; "
                  "read it again",
                  ToString(key), ToNumber(inventory_.OwnRevision(key)), ToNumber(change_.seen)));
}

Verdict Draft::PutRecord(const Tenant& tenant) {
  if (auto violation = CheckName(tenant, tenant.name.str())) return violation;
  for (const Resource r : kAllResources) {
    if (tenant.quota && (*tenant.quota)[r] < 0) {
      return Because("amounts", fmt::format("{}: its quota of {} is negative", Called(tenant),
                                            ResourceName(r)));
    }
  }
  DraftTenant& draft = TenantOf(tenant.name);
  draft.after.Refer(tenant);
  draft.replaced = true;
  return std::nullopt;
}

Verdict Draft::PutRecord(const InstanceType& type) {
  if (auto violation = CheckName(type, type.name.str())) return violation;
  if (auto violation = CheckAmounts(type, type.size)) return violation;
  if (auto violation = CheckLabels(type, type.requires_labels)) return violation;
  for (const SkuId sku : type.skus) {
    if (auto violation = CheckPart(type, "sku", sku)) return violation;
  }
  if (type.size.IsZero()) {
    return Because("amounts", fmt::format("{}: its size is nothing; give it at least cpu or memory",
                                          Called(type)));
  }
  types_[type.name].Refer(type);
  return std::nullopt;
}

Verdict Draft::PutRecord(const Machine& machine) {
  if (auto violation = CheckName(machine, machine.name.str())) return violation;
  if (auto violation = CheckPart(machine, "datacenter", machine.datacenter)) return violation;
  if (auto violation = CheckPart(machine, "cluster", machine.cluster)) return violation;
  if (auto violation = CheckPart(machine, "row", machine.row)) return violation;
  if (auto violation = CheckPart(machine, "rack", machine.rack)) return violation;
  if (auto violation = CheckPart(machine, "update domain", machine.update_domain)) return violation;
  if (auto violation = CheckPart(machine, "sku", machine.sku)) return violation;
  if (auto violation = CheckAmounts(machine, machine.capacity)) return violation;
  if (auto violation = CheckLabels(machine, machine.labels)) return violation;
  DraftMachine& draft = MachineOf(machine.name);
  draft.after.Refer(machine);
  draft.replaced = true;
  return std::nullopt;
}

Verdict Draft::PutRecord(const Service& service) {
  if (auto violation = CheckName(service, service.name)) return violation;
  if (auto violation = CheckLabels(service, service.constraints.labels)) return violation;
  std::uint64_t count = 0;  // Wide: the counts' sum may be what overflows.
  for (const InstanceGroup& group : service.groups) {
    if (auto violation = CheckPart(service, "role", group.role)) return violation;
    count += group.count;
  }
  if (count > kGangMax) {
    return Because("size", fmt::format("{}: {} instances, at most {} in one service",
                                       Called(service), count, kGangMax));
  }
  DraftService& draft = ServiceOf(service.name);
  const std::uint32_t numbered = draft.after ? draft.after->next_number : 0;
  draft.after.Refer(service);
  if (numbered > service.next_number) draft.after.Change().next_number = numbered;
  draft.replaced = true;
  return std::nullopt;
}

Verdict Draft::PutRecord(const Instance& instance) {
  DraftService& service = ServiceOf(instance.id.service);
  if (!service.after) {
    return Because(
        "exists", fmt::format("{}: there is no service {}", Called(instance), instance.id.service));
  }
  DraftInstance& draft = service.instances[instance.id.number];
  if (service.before != nullptr) draft.before = service.before->Find(instance.id.number);
  if (draft.before != nullptr || draft.after) {
    return Because("exists", fmt::format("{} exists already", Called(instance)));
  }
  const bool reused =
      service.before != nullptr && instance.id.number < service.before->record.next_number;
  if (reused || instance.id.number == UINT32_MAX) {
    return Because("numbers",
                   fmt::format("{}: numbers are not reused; service {} continues at {}",
                               Called(instance), instance.id.service, service.after->next_number));
  }
  if (auto violation = CheckLimit(instance, instance.limit)) return violation;
  if (instance.id.number >= service.after->next_number) {
    service.after.Change().next_number = instance.id.number + 1;
    service.numbered = true;
  }
  draft.after.Refer(instance);
  Instance& next = draft.after.Change();
  next.state = instance.machine.empty() ? InstanceState::kPending : InstanceState::kPlaced;
  next.timeline = Timeline{.created = change_.at, .since = change_.at};
  return std::nullopt;
}

Verdict Draft::PutRecord(const PolicyText& policy) {
  Result<FleetSettings> parsed = ParseFleetSettings(policy.text);
  if (!parsed.ok()) return Because("policy", parsed.status().message());
  settings_ = std::move(parsed).value();
  others_[KeyOf(RecordKind::kPolicy, "")].Refer(*putting_);
  return std::nullopt;
}

Verdict Draft::PutRecord(const Lease& lease) {
  if (auto violation = CheckName(lease, lease.name)) return violation;
  if (auto violation = CheckText(RecordKind::kLease, "holder", lease.holder)) return violation;
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
  Become(KeyOf(RecordKind::kLease, lease.name), taken);
  return std::nullopt;
}

Verdict Draft::PutRecord(const Idempotency& answered) {
  if (auto violation = CheckText(RecordKind::kIdempotency, "key", answered.key)) return violation;
  others_[KeyOf(RecordKind::kIdempotency, answered.key)].Refer(*putting_);
  return std::nullopt;
}

Verdict Draft::PutRecord(const Decision& decision) {
  if (auto violation = CheckName(decision, decision.id.agent)) return violation;
  const auto last = inventory_.decisions().find(decision.id.agent);
  if (last != inventory_.decisions().end() && last->second >= decision.id.sequence) {
    return Because("decisions", fmt::format("decision {} exists already", ToString(decision.id)));
  }
  others_[KeyOf(*putting_)].Refer(*putting_);
  return std::nullopt;
}

void Draft::Become(const RecordKey& key, const Record& record) {
  After<Record>& after = others_[key];
  after.Refer(record);
  after.Change();
}

Verdict Draft::RemoveOther(const RecordKey& key) {
  const auto worked_out = others_.find(key);
  const bool exists =
      worked_out != others_.end() ? static_cast<bool>(worked_out->second) : inventory_.Has(key);
  if (!exists) return Missing(key);
  if (key.kind == RecordKind::kPolicy) settings_ = DefaultFleetSettings();
  others_[key].Remove();
  return std::nullopt;
}

Verdict Draft::RemoveType(TypeId name) {
  if (TypeNow(name) == nullptr) return Missing(KeyOf(RecordKind::kType, name.str()));
  types_[name].Remove();
  return std::nullopt;
}

Verdict Draft::RemoveTenant(TenantId name) {
  DraftTenant& draft = TenantOf(name);
  if (!draft.after) return Missing(KeyOf(RecordKind::kTenant, name.str()));
  draft.after.Remove();
  draft.replaced = true;
  return std::nullopt;
}

Verdict Draft::RemoveMachine(MachineId name) {
  DraftMachine& draft = MachineOf(name);
  if (!draft.after) return Missing(KeyOf(RecordKind::kMachine, name.str()));
  draft.after.Remove();
  draft.replaced = true;
  return std::nullopt;
}

Verdict Draft::RemoveService(const std::string& name) {
  DraftService& draft = ServiceOf(name);
  if (!draft.after) return Missing(KeyOf(RecordKind::kService, name));
  for (const Instance* instance : InstancesOf(draft)) {
    if (auto violation = RemoveInstance(instance->id)) return violation;
  }
  draft.after.Remove();
  draft.replaced = true;
  return std::nullopt;
}

Verdict Draft::RemoveInstance(const InstanceId& id) {
  Result<DraftInstance*> draft = Existing(id);
  if (!draft.ok()) return Because("exists", draft.status().message());
  draft.value()->after.Remove();
  return std::nullopt;
}

// A lease is given back, not forgotten: were its epoch to start anew, an old holder's guard would
// hold again.
Verdict Draft::RemoveLease(const RecordKey& key) {
  const auto held = inventory_.leases().find(key.name);
  if (held == inventory_.leases().end()) return Missing(key);
  const bool ours = change_.guard && change_.guard->lease == key.name;
  if (held->second.expires > now_ && !ours) {
    return Because("lease", fmt::format("lease {} is held by {}; only a change under it gives it "
                                        "back",
                                        key.name, held->second.holder));
  }
  Lease given_back = held->second;
  given_back.expires = std::min(given_back.expires, now_);
  Become(key, given_back);
  return std::nullopt;
}

Verdict Draft::Apply(const Resize& resize) {
  Result<DraftInstance*> draft = Existing(resize.instance);
  if (!draft.ok()) return Because("exists", draft.status().message());
  if (auto violation = CheckLimit(*draft.value()->after, resize.limit)) return violation;
  draft.value()->after.Change().limit = resize.limit;
  return std::nullopt;
}

}  // namespace berth
