// Which machines are best for an ask, worked out from scratch over the whole fleet.
//
// This is the reference: slow and obvious. Whatever answers faster must answer the same.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "allocate/policy.h"

namespace berth {

struct Evaluation {
  std::vector<MachineIndex>
      best;  // Equally good, in the order of their names. Empty: none is valid.
  Funnel funnel;
};

// Clusters in the order in which they are looked at: by the policy's cluster preferences, or else
// the fullest first; then by name.
std::vector<ClusterIndex> OrderClusters(const AllocatePolicy& policy, const Ask& ask);

// Looks at clusters in this order until `policy.clusters` of them had a valid machine.
Evaluation EvaluateFromScratch(const AllocatePolicy& policy, const Ask& ask,
                               std::span<const ClusterIndex> order);

// The first validator that refuses a machine; none: it is valid.
const Validator* FirstRefusing(const AllocatePolicy& policy, const Ask& ask,
                               const Candidate& machine);

}  // namespace berth
