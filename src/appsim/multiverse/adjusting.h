// How a wish for more or fewer instances becomes orders: first on the groups there are, then on new
// nodes, beside the old ones or in place of them, whichever looks cheaper.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "appsim/multiverse/node_group.h"
#include "appsim/multiverse/placing.h"

namespace berth::multiverse {

struct InstanceChange {
  std::size_t group = 0;
  std::size_t service = 0;
  std::int64_t change = 0;
};

// Nodes to give up, with the instances that go with them.
struct NodeRemoval {
  std::size_t group = 0;
  std::uint32_t nodes = 0;
  Counts instances{};
};

struct Orders {
  std::vector<InstanceChange> changes{};
  std::vector<NodeRemoval> removals{};
  NewNodes added{};
  bool substitutes = false;  // What is added is to replace all groups there are.
};

// `wanted`: by service, above zero for more. Groups without nodes are passed over.
Orders PlanOrders(const std::vector<std::int64_t>& wanted, const std::vector<NodeGroup>& groups,
                  const NodePlacer& placer, const SimulationSet& set, const Quirks& quirks,
                  Rng& rng);

}  // namespace berth::multiverse
