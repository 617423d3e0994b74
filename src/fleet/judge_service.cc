#include "fleet/judge_service.h"

#include <fmt/format.h>

#include <map>
#include <span>
#include <utility>

#include "fleet/predicates.h"

namespace berth {
namespace {

using Verdict = std::optional<Violation>;

// Asked of the instances that arrive and, when the service asks for other labels, of all. Machines
// may be relabelled under what runs there.
Verdict CheckLabels(const Draft& draft, const DraftService& service,
                    std::span<const Instance* const> instances) {
  const Labels& required = service.after->constraints.labels;
  if (required.empty()) return std::nullopt;
  const bool all =
      service.before == nullptr || service.before->record.constraints.labels != required;
  for (const Instance* instance : instances) {
    if (!instance->HoldsRoom()) continue;
    const MachineState* machine = draft.inventory().Find(instance->machine);
    if (machine == nullptr) continue;  // CheckMachine has refused it.
    const Instance* was =
        service.before == nullptr ? nullptr : service.before->Find(instance->id.number);
    const bool arrives = was == nullptr || was->machine != instance->machine;
    if ((all || arrives) && !HasLabels(machine->record.labels, required)) {
      return Because("supports", fmt::format("machine {} lacks a label that service {} requires",
                                             machine->record.name.str(), service.after->name));
    }
  }
  return std::nullopt;
}

Verdict CheckSpread(const Draft& draft, const Service& service,
                    std::span<const Instance* const> instances) {
  const Constraints& constraints = service.constraints;
  const std::uint32_t per_machine = MaxPerMachine(constraints);
  const std::uint32_t per_rack = MaxPerRack(constraints, service.InstanceCount());
  const std::uint32_t per_domain = MaxPerUpdateDomain(constraints);
  if (per_machine == kAnyNumber && per_rack == kAnyNumber && per_domain == kAnyNumber &&
      constraints.within == Scope::kZone) {
    return std::nullopt;
  }
  std::map<MachineId, std::uint32_t> on_machine;
  std::map<RackIndex, std::uint32_t> in_rack;
  std::map<DomainId, std::uint32_t> in_domain;
  const MachineState* first = nullptr;
  for (const Instance* instance : instances) {
    if (!instance->HoldsRoom()) continue;
    const MachineState* machine = draft.inventory().Find(instance->machine);
    if (machine == nullptr) continue;  // CheckMachine has refused it.
    if (++on_machine[instance->machine] > per_machine) {
      return Because("at_most_per_machine",
                     fmt::format("service {} allows {} per machine and machine {} would "
                                 "hold more",
                                 service.name, per_machine, instance->machine.str()));
    }
    if (++in_rack[machine->rack] > per_rack) {
      return Because("at_most_per_rack",
                     fmt::format("service {} allows {} per rack and rack {} would hold "
                                 "more",
                                 service.name, per_rack, draft.inventory()[machine->rack].path));
    }
    const DomainId domain = machine->record.update_domain;
    if (++in_domain[domain] > per_domain) {
      return Because("at_most_per_update_domain",
                     fmt::format("service {} allows {} per update domain and update domain {} "
                                 "would hold more",
                                 service.name, per_domain, domain.str()));
    }
    if (first == nullptr) first = machine;
    if (!SameScope(constraints.within, *first, *machine)) {
      return Because("colocates",
                     fmt::format("service {} must stay within one {}; machines {} and "
                                 "{} are apart",
                                 service.name, ToString(constraints.within),
                                 first->record.name.str(), machine->record.name.str()));
    }
  }
  return std::nullopt;
}

// Its instances are just those that its groups promise: a gang is whole or absent.
Verdict CheckWhole(const Service& service, std::span<const Instance* const> instances) {
  if (service.groups.size() == 1 && instances.size() == 1 && service.groups[0].count == 1 &&
      instances[0]->type == service.groups[0].type &&
      instances[0]->role == service.groups[0].role) {
    return std::nullopt;  // What most services are, without a map.
  }
  std::map<std::pair<TypeId, RoleId>, std::int64_t> missing;
  for (const InstanceGroup& group : service.groups)
    missing[{group.type, group.role}] += group.count;
  for (const Instance* instance : instances) --missing[{instance->type, instance->role}];
  for (const auto& [group, count] : missing) {
    if (count != 0) {
      return Because("whole",
                     fmt::format("service {} would have {} {} instances of type {} than it "
                                 "declares",
                                 service.name, count > 0 ? count : -count,
                                 count > 0 ? "fewer" : "more", group.first.str()));
    }
  }
  return std::nullopt;
}

}  // namespace

Verdict CheckService(const Draft& draft, const std::string& name, const DraftService& service) {
  if (!service.after) return std::nullopt;
  const auto instances = draft.InstancesOf(service);
  if (service.replaced) {
    for (const InstanceGroup& group : service.after->groups) {
      if (draft.TypeNow(group.type) == nullptr) {
        return Because("exists",
                       fmt::format("service {}: there is no type {}", name, group.type.str()));
      }
    }
    if (draft.settings().FindClass(service.after->klass) == nullptr) {
      return Because("exists", fmt::format("service {}: the policy has no class '{}'", name,
                                           service.after->klass.str()));
    }
    if (service.before != nullptr &&
        (service.before->record.tenant != service.after->tenant ||
         service.before->record.constraints.isolate != service.after->constraints.isolate)) {
      return Because("fixed",
                     fmt::format("service {} cannot change its tenant or isolation; delete "
                                 "it and create it anew",
                                 name));
    }
  }
  if (auto violation = CheckWhole(*service.after, instances)) return violation;
  if (auto violation = CheckLabels(draft, service, instances)) return violation;
  return CheckSpread(draft, *service.after, instances);
}

}  // namespace berth
