#include "allocate/ask.h"

#include <tuple>

#include "berth/check.h"

namespace berth {
namespace {

template <typename Key>
std::uint32_t CountOf(const std::unordered_map<Key, std::uint32_t>& counts, Key key) {
  const auto at = counts.find(key);
  return at == counts.end() ? 0 : at->second;
}

}  // namespace

Footprint::Footprint(const Inventory& inventory, const ServiceState& service) {
  for (const Instance& instance : service.instances) {
    if (!instance.HoldsRoom()) continue;
    const MachineIndex machine = *inventory.IndexOf(instance.machine);
    Add(inventory[machine], machine);
  }
}

void Footprint::Add(const MachineState& machine, MachineIndex index) {
  ++machines_[index];
  ++racks_[machine.rack];
  ++update_domains_[machine.record.update_domain];
  anchor_ = index;
}

std::uint32_t Footprint::OnMachine(MachineIndex machine) const {
  return CountOf(machines_, machine);
}

std::uint32_t Footprint::InRack(RackIndex rack) const { return CountOf(racks_, rack); }

std::uint32_t Footprint::InUpdateDomain(DomainId domain) const {
  return CountOf(update_domains_, domain);
}

Ask AskFor(const Inventory& inventory, const Service& service, const Instance& instance,
           const Footprint& footprint, const Outlook* outlook) {
  const InstanceType* type = inventory.Find(instance.type);
  const ServiceClass* klass = inventory.settings().FindClass(service.klass);
  const std::optional<TenantIndex> tenant = inventory.IndexOf(service.tenant);
  BERTH_CHECK(type != nullptr && klass != nullptr && tenant.has_value());
  return {.inventory = inventory,
          .traits = {.type = *type,
                     .role = instance.role,
                     .klass = *klass,
                     .limit = instance.limit,
                     .labels = service.constraints.labels,
                     .epoch = outlook != nullptr ? outlook->epoch() : 0,
                     .known_as = outlook != nullptr ? outlook->KnownAs(instance) : 0},
          .service = service,
          .tenant = *tenant,
          .footprint = footprint,
          .number = instance.id.number,
          .outlook = outlook};
}

bool Ask::IsCounted() const {
  const ServiceState* known = inventory.FindService(service.name);
  return known != nullptr && known->Find(number) != nullptr;
}

Facts FactsOf(const MachineState& machine, std::uint32_t behind) {
  Facts facts;
  facts.free = machine.Free();
  facts.behind = behind;
  for (const Resource r : kAllResources) {
    facts.points_per_unit[static_cast<std::size_t>(r)] = PointsPerUnit(machine.usable[r]);
  }
  return facts;
}

bool Candidate::IsAmongLast(const Inventory& inventory, std::uint32_t count) const {
  if (facts != nullptr) return facts->behind < count;
  const std::vector<MachineIndex>& all = inventory[state.cluster].machines;
  if (all.size() <= count) return true;
  // The list is in this order, so one comparison tells.
  const auto place = [](const Machine& m) { return std::tie(m.row, m.rack, m.name); };
  return place(state.record) > place(inventory[all[all.size() - count - 1]].record);
}

}  // namespace berth
