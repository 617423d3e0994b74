// The order of clusters for asks alike, kept: only clusters that changed are ranked again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "allocate/cache/kept.h"

namespace berth {

class Ranking {
 public:
  explicit Ranking(const AllocatePolicy& policy) : policy_(policy) {}

  // As OrderClusters has it. Holds until the alike's next.
  std::span<const ClusterIndex> Order(const Ask& ask, Alike& alike);
  // Clusters by datacenter and name: a cluster's place among them.
  std::uint32_t ByName(ClusterIndex cluster) const { return by_name_[At(cluster)]; }
  void RankByName(const Inventory& inventory);

 private:
  void RankAll(const Ask& ask, Alike& alike) const;
  bool RankChanged(const Ask& ask, Alike& alike) const;

  const AllocatePolicy& policy_;
  std::vector<std::uint32_t> by_name_;
};

}  // namespace berth
