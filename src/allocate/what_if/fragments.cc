#include "allocate/what_if/fragments.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "fleet/predicates.h"

namespace berth {
namespace {

constexpr std::int64_t kLittleUsedBelowPercent = 50;
constexpr std::int64_t kStrandedFromPercent = 10;

// How many of a size fit into a room, and which resource allows no more.
struct Fitting {
  std::int64_t count = 0;
  Resource short_of = Resource::kCpu;
};

Fitting CountFitting(const Resources& room, const Resources& size) {
  Fitting fitting;
  bool bounded = false;
  for (const Resource r : kAllResources) {
    if (size[r] <= 0) continue;
    const std::int64_t count = std::max<std::int64_t>(0, room[r] / size[r]);
    if (bounded && count >= fitting.count) continue;
    fitting = {.count = count, .short_of = r};
    bounded = true;
  }
  return fitting;
}

Fragment FragmentOf(const MachineState& machine, std::span<const CommonType> types) {
  Fragment fragment{.machine = machine.record.name,
                    .instances = machine.instances.size(),
                    .millicores = machine.record.capacity[Resource::kCpu],
                    .allocated_millicores = machine.allocated[Resource::kCpu],
                    .free_millicores = std::max<std::int64_t>(0, machine.Free()[Resource::kCpu])};
  std::int64_t usable_millicores = 0;
  bool first = true;
  for (const CommonType& common : types) {
    if (!SupportsType(machine.record, common.type)) continue;
    const Fitting fitting = CountFitting(machine.Free(), common.type.size);
    const std::int64_t millicores = fitting.count * common.type.size[Resource::kCpu];
    if (!first && millicores <= usable_millicores) continue;
    usable_millicores = millicores;
    fragment.short_of = fitting.short_of;
    first = false;
  }
  fragment.stranded_millicores = fragment.free_millicores - usable_millicores;
  fragment.little_used =
      100 * fragment.allocated_millicores < kLittleUsedBelowPercent * fragment.millicores;
  fragment.stranded =
      fragment.stranded_millicores > 0 &&
      100 * fragment.stranded_millicores >= kStrandedFromPercent * fragment.millicores;
  return fragment;
}

}  // namespace

std::vector<CommonType> CommonestTypes(const Inventory& fleet, std::size_t most) {
  std::map<TypeId, std::uint64_t> running;
  for (const ServiceState& service : fleet.services()) {
    for (const Instance& instance : service.instances) {
      if (instance.HoldsRoom()) ++running[instance.type];
    }
  }
  std::vector<CommonType> types;
  for (const auto& [name, count] : running) {
    if (const InstanceType* type = fleet.Find(name)) types.push_back({*type, count});
  }
  std::ranges::sort(types, [](const CommonType& a, const CommonType& b) {
    return std::tuple(b.running, a.type.name.str()) < std::tuple(a.running, b.type.name.str());
  });
  if (types.size() > most) types.resize(most);
  return types;
}

std::uint64_t RoomFor(const Inventory& fleet, const InstanceType& type) {
  std::uint64_t count = 0;
  for (const MachineState& machine : fleet.machines()) {
    if (machine.vacant() || !TakesPlacements(machine.record.health)) continue;
    if (machine.occupancy.isolating > 0 || !SupportsType(machine.record, type)) continue;
    count += static_cast<std::uint64_t>(CountFitting(machine.Free(), type.size).count);
  }
  return count;
}

std::vector<Fragment> FindFragments(const Inventory& fleet, std::span<const CommonType> types) {
  std::vector<Fragment> fragments;
  for (const MachineState& machine : fleet.machines()) {
    if (machine.vacant() || machine.instances.empty()) continue;
    if (!TakesPlacements(machine.record.health)) continue;
    Fragment fragment = FragmentOf(machine, types);
    if (fragment.little_used || fragment.stranded) fragments.push_back(fragment);
  }
  std::ranges::sort(fragments, [](const Fragment& a, const Fragment& b) {
    return std::tuple(b.free_millicores, a.machine.str()) <
           std::tuple(a.free_millicores, b.machine.str());
  });
  return fragments;
}

}  // namespace berth
