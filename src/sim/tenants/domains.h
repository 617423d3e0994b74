// Fault and update domains of a rehearsed cluster. They lie along the diagonal, as in Service
// Fabric unless it is told otherwise: node i is in fault domain i mod F and update domain i mod U.
#pragma once

#include <cstdint>

#include "sim/tenants/numbers.h"

namespace berth {

// How many there are; 0: every node is one of its own.
struct NodeDomains {
  std::uint32_t fault = 0;
  std::uint32_t update = 0;

  bool any() const { return fault > 0; }
  std::uint32_t FaultOf(NodeIndex node) const { return fault > 0 ? node % fault : node; }
  std::uint32_t UpdateOf(NodeIndex node) const { return update > 0 ? node % update : node; }
  // Whether two replicas of a tenant may be there.
  bool Apart(NodeIndex a, NodeIndex b) const {
    return FaultOf(a) != FaultOf(b) && UpdateOf(a) != UpdateOf(b);
  }
};

}  // namespace berth
