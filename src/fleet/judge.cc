#include "fleet/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "berth/check.h"
#include "fleet/draft.h"
#include "fleet/judge_service.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

using Verdict = std::optional<Violation>;

// "40 cpu of 32": how much of what is over.
std::string Excess(Resource r, const ResourceTotals& sum, const Resources& bound) {
  const auto shown = static_cast<std::int64_t>(std::min<ResourceTotals::Wide>(sum[r], INT64_MAX));
  return fmt::format("{} {} of {}", FormatAmount(r, shown), ResourceName(r),
                     FormatAmount(r, bound[r]));
}

// Who would be on a machine: its occupancy now, with the changed instances taken out and put back.
struct Residents {
  std::map<TenantId, std::int64_t> tenants;
  std::int64_t isolating = 0;

  void Add(const Service& service, std::int64_t count) {
    tenants[service.tenant] += count;
    if (service.constraints.isolate) isolating += count;
  }
  bool Holds() const {
    return isolating == 0 ||
           std::ranges::count_if(tenants, [](const auto& t) { return t.second > 0; }) <= 1;
  }
};

// Nobody on it and nobody who comes asks for isolation.
bool NobodyIsolates(const DraftMachine& machine) {
  return machine.before->occupancy.isolating == 0 &&
         std::ranges::none_of(machine.changed, [](const DraftMachine::Changed& changed) {
           const After<Service>& service = changed.service->after;
           return service && service->constraints.isolate;
         });
}

Residents ResidentsOf(const Draft& draft, MachineId name, const DraftMachine& machine) {
  Residents residents;
  const Inventory& inventory = draft.inventory();
  for (const auto& [tenant, count] : machine.before->occupancy.tenants) {
    residents.tenants[inventory[tenant].record.name] += count;
  }
  residents.isolating = machine.before->occupancy.isolating;
  for (const auto& [service, instance] : machine.changed) {
    if (instance->before != nullptr && instance->before->machine == name) {
      residents.Add(service->before->record, -1);
    }
    if (instance->after && instance->after->machine == name) residents.Add(*service->after, 1);
  }
  return residents;
}

bool SamePlaceAndSku(const Machine& a, const Machine& b) {
  return a.datacenter == b.datacenter && a.cluster == b.cluster && a.row == b.row &&
         a.rack == b.rack && a.update_domain == b.update_domain && a.sku == b.sku;
}

// A record may change under what runs there, but not so that it would have to move.
Verdict CheckMachineRecord(const Draft& draft, MachineId name, const DraftMachine& machine) {
  if (machine.instances == 0) return std::nullopt;
  if (!machine.after) {
    return Because("in-use",
                   fmt::format("machine {} still holds instances; drain it first", name.str()));
  }
  if (machine.before == nullptr) return std::nullopt;  // CheckMachine refuses what arrives there.
  const Machine& was = machine.before->record;
  if (!SamePlaceAndSku(was, *machine.after)) {
    return Because("in-use", fmt::format("machine {} holds instances and cannot change its rack, "
                                         "update domain or SKU; drain it first",
                                         name.str()));
  }
  // One that is over already, because the policy allows less than it did, may still change health.
  const Resources usable = draft.settings().Usable(machine.after->capacity);
  for (const Resource r : kAllResources) {
    if (machine.after->capacity[r] < was.capacity[r] && machine.allocated[r] > usable[r]) {
      return Because("in-use",
                     fmt::format("machine {} has {} allocated; drain it before shrinking it",
                                 name.str(), Excess(r, machine.allocated, usable)));
    }
  }
  return std::nullopt;
}

// A cluster is machines of one SKU: checked against the machines that stay as they are.
Verdict CheckClusters(const Draft& draft) {
  std::map<std::pair<DatacenterId, ClusterId>, std::pair<SkuId, MachineId>> skus;
  for (const auto& [name, machine] : draft.machines()) {
    if (!machine.replaced || !machine.after) continue;
    const Machine& record = *machine.after;
    const auto [at, fresh] =
        skus.try_emplace({record.datacenter, record.cluster}, std::pair(record.sku, name));
    if (!fresh && at->second.first != record.sku) {
      return Because("one-sku", fmt::format("machine {} is a {} but machine {} of the same cluster "
                                            "{} is a {}; a cluster holds one SKU",
                                            name.str(), record.sku.str(), at->second.second.str(),
                                            record.cluster.str(), at->second.first.str()));
    }
  }
  if (skus.empty()) return std::nullopt;
  for (const ClusterState& cluster : draft.inventory().clusters()) {
    const auto put = skus.find({cluster.datacenter, cluster.name});
    if (put == skus.end() || put->second.first == cluster.sku) continue;
    for (const MachineIndex index : cluster.machines) {
      const MachineId other = draft.inventory()[index].record.name;
      const auto changed = draft.machines().find(other);
      if (changed == draft.machines().end() || !changed->second.replaced) {
        return Because("one-sku",
                       fmt::format("machine {} is a {} but cluster {} holds {}; a cluster "
                                   "holds one SKU",
                                   put->second.second.str(), put->second.first.str(),
                                   cluster.name.str(), cluster.sku.str()));
      }
    }
  }
  return std::nullopt;
}

Verdict CheckMachine(const Draft& draft, MachineId name, const DraftMachine& machine) {
  if (machine.replaced) {
    if (auto violation = CheckMachineRecord(draft, name, machine)) return violation;
  }
  if (!machine.grows) return std::nullopt;
  if (machine.before == nullptr || (machine.gains && machine.replaced)) {
    return Because("exists", fmt::format("machine {} is not in the fleet, or changes at the same "
                                         "time; place on it afterwards",
                                         name.str()));
  }
  if (machine.gains && !TakesPlacements(machine.before->record.health)) {
    return Because("healthy", fmt::format("machine {} is {} and takes no new instances", name.str(),
                                          ToString(machine.before->record.health)));
  }
  const bool as_before = !machine.replaced && !draft.changes_policy();
  const Resources usable =
      as_before ? machine.before->usable : draft.settings().Usable(machine.after->capacity);
  if (const auto over = FirstOver(machine.allocated, usable)) {
    return Because("fits", fmt::format("machine {} would have {} allocated", name.str(),
                                       Excess(*over, machine.allocated, usable)));
  }
  if (machine.gains && !NobodyIsolates(machine) && !ResidentsOf(draft, name, machine).Holds()) {
    return Because("isolates", fmt::format("machine {} would hold an isolating service beside "
                                           "another tenant",
                                           name.str()));
  }
  return std::nullopt;
}

Verdict CheckSupported(const Draft& draft, const DraftInstance& instance) {
  const bool arrives =
      instance.after && instance.after->HoldsRoom() &&
      (instance.before == nullptr || instance.before->machine != instance.after->machine);
  if (!arrives) return std::nullopt;
  const InstanceType* type = draft.TypeNow(instance.after->type);
  if (type == nullptr) {
    return Because("exists", fmt::format("instance {}: there is no type {}",
                                         ToString(instance.after->id), instance.after->type.str()));
  }
  const Machine& machine = draft.machines().at(instance.after->machine).before->record;
  if (!SupportsType(machine, *type)) {
    return Because("supports",
                   fmt::format("machine {} does not support type {}: it is not of its SKUs or "
                               "lacks a label that the type requires",
                               machine.name.str(), type->name.str()));
  }
  return std::nullopt;
}

Verdict CheckTenant(TenantId name, const DraftTenant& tenant) {
  if (!tenant.after) {
    if (!tenant.replaced) {
      return Because("exists", fmt::format("there is no tenant {}; create it first", name.str()));
    }
    if (tenant.services > 0) {
      return Because("in-use",
                     fmt::format("tenant {} still owns services; delete them first", name.str()));
    }
    return std::nullopt;
  }
  if (!tenant.grows || !tenant.after->quota) return std::nullopt;
  if (const auto over = FirstOver(tenant.used, *tenant.after->quota)) {
    return Because(
        "quota", fmt::format("tenant {} would use {}; ask for less or raise its quota", name.str(),
                             Excess(*over, tenant.used, *tenant.after->quota)));
  }
  return std::nullopt;
}

// What services still name cannot go: a type, or a class that the policy leaves out.
Verdict CheckNamedByServices(const Draft& draft) {
  const bool removes_types =
      std::ranges::any_of(draft.types(), [](const auto& type) { return !type.second; });
  if (!removes_types && !draft.changes_policy()) return std::nullopt;
  for (const ServiceState& state : draft.inventory().services()) {
    const Service* service = state.vacant() ? nullptr : draft.ServiceNow(state);
    if (service == nullptr) continue;
    for (const InstanceGroup& group : service->groups) {
      const auto put = draft.types().find(group.type);
      if (put == draft.types().end() || put->second) continue;
      return Because("in-use", fmt::format("type {} is used by service {}; delete that first",
                                           group.type.str(), service->name));
    }
    if (draft.settings().FindClass(service->klass) == nullptr) {
      return Because("in-use", fmt::format("class {} is used by service {}; keep it in the policy",
                                           service->klass.str(), service->name));
    }
  }
  return std::nullopt;
}

Verdict CheckGuard(const Inventory& inventory, const ChangeSet& change, Time now) {
  if (!change.guard) return std::nullopt;
  const auto held = inventory.leases().find(change.guard->lease);
  if (held != inventory.leases().end() && held->second.epoch == change.guard->epoch &&
      held->second.expires > now) {
    return std::nullopt;
  }
  return Because("lease", fmt::format("lease {} is no longer in epoch {}; another holder has taken "
                                      "over",
                                      change.guard->lease, change.guard->epoch));
}

Verdict CheckAll(const Draft& draft) {
  for (const auto& [name, tenant] : draft.tenants()) {
    if (auto violation = CheckTenant(name, tenant)) return violation;
  }
  for (const auto& [name, machine] : draft.machines()) {
    if (auto violation = CheckMachine(draft, name, machine)) return violation;
  }
  if (auto violation = CheckClusters(draft)) return violation;
  if (auto violation = CheckNamedByServices(draft)) return violation;
  for (const auto& [name, service] : draft.services()) {
    for (const auto& [number, instance] : service.instances) {
      if (auto violation = CheckSupported(draft, instance)) return violation;
    }
  }
  for (const auto& [name, service] : draft.services()) {
    if (auto violation = CheckService(draft, name, service)) return violation;
  }
  return std::nullopt;
}

// All but the updates, and which records it names unless it is accepted.
Judgement JudgeDraft(Draft& draft, const Inventory& inventory, const ChangeSet& change, Time now) {
  Judgement judgement;
  judgement.violation = draft.ApplyAll();
  judgement.duplicate_of = draft.duplicate_of();
  if (judgement.duplicate_of) {
    judgement.named = draft.NamedRecords();
    return judgement;
  }
  if (Verdict lost = CheckGuard(inventory, change, now)) {
    judgement.violation =
        std::move(lost);  // Said first, whatever else is wrong; no retry cures it.
    judgement.named = draft.NamedRecords();
    judgement.named.push_back(KeyOf(RecordKind::kLease, change.guard->lease));
    return judgement;
  }
  if (!judgement.violation) judgement.violation = CheckAll(draft);
  if (judgement.violation) {
    judgement.named = draft.NamedRecords();
    // It may have held on what it was decided on: a quota used up by others and a record that is
    // gone leave no newer record behind to tell.
    judgement.stale = inventory.revision() > change.seen;
    return judgement;
  }
  // Every placement depends on the policy, which is not named so that a conflict need not carry it.
  const bool places = !draft.machines().empty() || !draft.services().empty();
  judgement.stale =
      (places && inventory.policy_revision() > change.seen) || draft.AnyChangedSince(change.seen);
  return judgement;
}

bool Accepted(const Judgement& judgement) {
  return !judgement.violation && !judgement.duplicate_of;
}

}  // namespace

Judgement Judge(const Inventory& inventory, const ChangeSet& change, Time now, Wanted wanted) {
  Draft draft(inventory, change, now);
  Judgement judgement = JudgeDraft(draft, inventory, change, now);
  if (!Accepted(judgement)) return judgement;
  if (wanted == Wanted::kEverything) judgement.named = draft.NamedRecords();
  judgement.updates = draft.TakeUpdates(/*with_answers=*/wanted == Wanted::kEverything,
                                        /*change_given_up=*/false);
  return judgement;
}

Judgement Judge(const Inventory& inventory, ChangeSet&& change, Time now) {
  Draft draft(inventory, change, now);
  Judgement judgement = JudgeDraft(draft, inventory, change, now);
  if (Accepted(judgement)) {
    judgement.updates = draft.TakeUpdates(/*with_answers=*/true, /*change_given_up=*/true);
  }
  return judgement;
}

}  // namespace berth
