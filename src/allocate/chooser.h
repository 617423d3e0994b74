// Finds the machines that are best for an ask. Two do: one from scratch, slow and obvious, and one
// from what is kept between asks (evaluator.h). On the same state they answer the same.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "allocate/policy.h"

namespace berth {

class Chooser {
 public:
  struct Found {
    std::uint32_t best = 0;  // How many machines are equally good, and no others better.
    Funnel funnel;
  };

  virtual ~Chooser() = default;

  // Clusters in the order in which they are looked at: by the policy's cluster preferences, or else
  // the fullest first; then by name. Holds until the next order is asked for.
  virtual std::span<const ClusterIndex> Order(const Ask& ask) = 0;

  // Looks at clusters in this order until `policy.clusters` of them had a valid machine.
  virtual Found Find(const Ask& ask, std::span<const ClusterIndex> order) = 0;

  // After Find, for the same ask: the n'th of the best in the order of ids, which is that of
  // datacenter, cluster, row, rack and name.
  virtual MachineIndex Best(const Ask& ask, std::uint32_t n) = 0;
  // The `most` best valid machines that were looked at, the better first; all of the best if they
  // are more. In the order of ids where equally good.
  virtual std::vector<MachineIndex> Top(const Ask& ask, std::uint32_t most) = 0;
};

}  // namespace berth
