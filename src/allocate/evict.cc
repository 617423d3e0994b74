#include "allocate/evict.h"

#include <algorithm>
#include <tuple>

#include "allocate/points.h"

namespace berth {
namespace {

using Victims = std::vector<const Instance*>;

Victims EvictableOn(const Inventory& inventory, const MachineState& machine) {
  Victims found;
  if (machine.occupancy.evictable == 0) return found;
  for (const InstanceRef ref : machine.instances) {
    const ServiceState& service = inventory[ref.service];
    if (inventory.IsEvictable(service.record)) found.push_back(service.Find(ref.number));
  }
  // The machine has them in no order that may reach a decision.
  std::ranges::sort(found, {}, [](const Instance* i) { return i->id; });
  return found;
}

// What is still lacking of each resource, never negative.
Resources Lacking(const MachineState& machine, const Resources& need, const Victims& victims) {
  Resources lacking = need - machine.Free();
  for (const Instance* victim : victims) lacking -= victim->limit;
  for (const Resource r : kAllResources) lacking[r] = std::max<std::int64_t>(lacking[r], 0);
  return lacking;
}

std::uint64_t Covered(const Instance& instance, const Resources& lacking) {
  std::uint64_t covered = 0;
  for (const Resource r : kAllResources) {
    covered += ShareInPoints(std::min(instance.limit[r], lacking[r]), lacking[r]);
  }
  return covered;
}

}  // namespace

Resources EvictableRoom(const Inventory& inventory, const MachineState& machine) {
  Resources room;
  for (const Instance* instance : EvictableOn(inventory, machine)) room += instance->limit;
  return room;
}

std::vector<const Instance*> ChooseVictims(const Inventory& inventory, const MachineState& machine,
                                           const Resources& need) {
  Victims left = EvictableOn(inventory, machine);
  Victims victims;
  for (;;) {
    const Resources lacking = Lacking(machine, need, victims);
    if (lacking.IsZero()) break;
    // Ids rise in the list and the first of the largest is taken: the lowest id where all is equal.
    const auto most = std::ranges::max_element(left, {}, [&](const Instance* i) {
      return std::tuple(Covered(*i, lacking), i->timeline.created);
    });
    if (most == left.end() || Covered(**most, lacking) == 0) return {};
    victims.push_back(*most);
    left.erase(most);
  }
  for (std::size_t i = 0; i < victims.size();) {
    Victims without = victims;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    if (Lacking(machine, need, without).IsZero()) {
      victims = std::move(without);
    } else {
      ++i;
    }
  }
  std::ranges::sort(victims, {}, [](const Instance* i) { return i->id; });
  return victims;
}

}  // namespace berth
