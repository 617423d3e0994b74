// What the rules are asked about: one instance of one service.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "allocate/outlook.h"
#include "allocate/points.h"
#include "allocate/traits.h"
#include "berth/records.h"
#include "fleet/inventory.h"

namespace berth {

// Where a service's instances are already, its own tentative ones included.
class Footprint {
 public:
  Footprint() = default;
  Footprint(const Inventory& inventory, const ServiceState& service);

  void Add(const MachineState& machine, MachineIndex index);
  // Nothing is there yet, but the service is to stay where this machine is.
  void AnchorAt(MachineIndex index) { anchor_ = index; }

  bool empty() const { return machines_.empty(); }
  std::uint32_t OnMachine(MachineIndex machine) const;
  std::uint32_t InRack(RackIndex rack) const;
  std::uint32_t InUpdateDomain(DomainId domain) const;
  // What "within one cluster" is relative to: a machine that holds an instance, if any does.
  std::optional<MachineIndex> anchor() const { return anchor_; }

  // Calls f(MachineIndex) for every machine that holds an instance, in no order that may reach a
  // result.
  template <typename F>
  void ForEachMachine(F&& f) const {
    for (const auto& [machine, count] : machines_) f(machine);
  }

 private:
  std::unordered_map<MachineIndex, std::uint32_t> machines_;
  std::unordered_map<RackIndex, std::uint32_t> racks_;
  std::unordered_map<DomainId, std::uint32_t> update_domains_;
  std::optional<MachineIndex> anchor_;
};

struct Ask {
  const Inventory& inventory;
  Traits traits;
  const Service& service;
  TenantIndex tenant;
  const Footprint& footprint;
  std::uint32_t number = 0;                            // The instance's, within its service.
  std::optional<MachineIndex> leaving = std::nullopt;  // Not back onto this one.
  // Null where nothing is measured or foreseen, as in a what-if on stored records.
  const Outlook* outlook = nullptr;

  // The instance exists: its limit is part of its tenant's use already.
  bool IsCounted() const;
};

// For an instance of a service whose type, class and tenant the inventory knows.
Ask AskFor(const Inventory& inventory, const Service& service, const Instance& instance,
           const Footprint& footprint, const Outlook* outlook = nullptr);

// What most rules want to know of a machine, close together and ready to use.
struct Facts {
  Resources free;
  std::array<double, kResourceCount> points_per_unit{};  // Of what is usable.
  std::uint32_t behind = 0;  // How many machines follow it in its cluster's list.
};
Facts FactsOf(const MachineState& machine, std::uint32_t behind);

// A machine as the rules see it.
struct Candidate {
  MachineIndex index;
  const MachineState& state;
  const Facts* facts = nullptr;  // Worked out before; null: they are worked out when asked for.

  std::int64_t Free(Resource r) const {
    return facts != nullptr ? facts->free[r] : state.usable[r] - state.allocated[r];
  }
  bool Has(Resource r) const {
    return facts != nullptr ? facts->points_per_unit[static_cast<std::size_t>(r)] > 0
                            : state.usable[r] > 0;
  }
  bool HasRoom(const Resources& need) const {
    return need.FitsIn(facts != nullptr ? facts->free : state.Free());
  }
  // An amount as a share of what is usable, in points; 0 where nothing is.
  std::uint32_t ShareOf(Resource r, std::int64_t amount) const {
    return SharePoints(amount, facts != nullptr
                                   ? facts->points_per_unit[static_cast<std::size_t>(r)]
                                   : PointsPerUnit(state.usable[r]));
  }
  // Whether it is one of the last so many of its cluster's list.
  bool IsAmongLast(const Inventory& inventory, std::uint32_t count) const;
};

// A rack as the rules see it: a cell of machines that all stand in it.
struct RackCandidate {
  RackIndex index;
  const RackState& state;
};

}  // namespace berth
