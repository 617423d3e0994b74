// Finds machines for several instances of one service: for all of them, or for none.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "allocate/chooser.h"
#include "berth/rng.h"

namespace berth {

struct GangResult {
  // Others that go for it, and from where.
  struct Eviction {
    InstanceId instance;
    MachineId from;
  };

  std::vector<Placement> placed;  // In the order of the instances' numbers.
  std::vector<Eviction> evicted;
  std::vector<Funnel> funnels;
  std::optional<Refusal> refusal;  // Then nothing is placed.
};

// How to choose among machines.
struct Choosing {
  const AllocatePolicy& policy;
  Chooser& chooser;
  Rng rng;
  std::uint32_t top = 0;  // Among so many at the top, to avoid conflicts; 0: among the best only.
  Outlook* outlook = nullptr;  // Null: nothing is foreseen.
};

// `wanted` are instances without a machine. The view is used as a scratch pad, so that each sees
// those before it, and is as before when this returns. `leaving` is a machine not to go back to.
GangResult PlaceGang(const Choosing& choosing, Inventory& view, const Service& service,
                     std::span<const Instance> wanted,
                     std::optional<MachineIndex> leaving = std::nullopt);

// The same for one instance on the one machine that was asked for.
GangResult PlaceOn(const Choosing& choosing, Inventory& view, const Service& service,
                   const Instance& instance, MachineId machine);

}  // namespace berth
