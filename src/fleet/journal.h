// What changed since: an inventory's machines in the order of their last change, cluster by
// cluster.
//
// Each machine stands in it once, at its latest change, so that asking "what changed in this
// cluster since p" costs what changed there, however long ago p was.
#pragma once

#include <cstdint>
#include <vector>

#include "base/large_vector.h"
#include "fleet/index.h"

namespace berth {

// Numbered things in the order in which they were last touched, in any number of lists.
class Recency {
 public:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  // To the front of its list. `latest` is that list's front.
  void Touch(std::uint32_t at, std::uint64_t position, std::uint32_t& latest);
  void Remove(std::uint32_t at, std::uint32_t& latest);

  // Calls f(number) for what was touched after `position`, the latest first.
  template <typename F>
  void ForEachSince(std::uint64_t position, std::uint32_t latest, F&& f) const {
    for (std::uint32_t at = latest; at != kNone && links_[at].position > position;
         at = links_[at].older) {
      f(at);
    }
  }

 private:
  struct Link {
    std::uint64_t position = 0;  // 0: in no list.
    std::uint32_t older = kNone;
    std::uint32_t newer = kNone;
  };
  LargeVector<Link> links_;
};

class Journal {
 public:
  // The number of changes so far; keep it to ask later what came after.
  std::uint64_t position() const { return position_; }
  // The position of the last change in a cluster; 0: none.
  std::uint64_t LastIn(ClusterIndex cluster) const {
    return At(cluster) < latest_in_.size() ? latest_in_[At(cluster)].position : 0;
  }

  // A machine changed, in the cluster where it stands now.
  void Touch(MachineIndex machine, ClusterIndex cluster);
  // It stands there no longer.
  void Leave(MachineIndex machine, ClusterIndex cluster);

  // Calls f(MachineIndex) once for every machine of the cluster touched after `position`, latest
  // first.
  template <typename F>
  void ForEachSince(ClusterIndex cluster, std::uint64_t position, F&& f) const {
    if (LastIn(cluster) <= position) return;
    machines_.ForEachSince(position, latest_in_[At(cluster)].machine,
                           [&](std::uint32_t at) { f(MachineIndex{at}); });
  }
  // The same for the clusters in which anything changed.
  template <typename F>
  void ForEachClusterSince(std::uint64_t position, F&& f) const {
    clusters_.ForEachSince(position, latest_cluster_,
                           [&](std::uint32_t at) { f(ClusterIndex{at}); });
  }
  // The same for all machines, cluster by cluster.
  template <typename F>
  void ForEachSince(std::uint64_t position, F&& f) const {
    ForEachClusterSince(position,
                        [&](ClusterIndex cluster) { ForEachSince(cluster, position, f); });
  }

 private:
  struct Latest {
    std::uint64_t position = 0;
    std::uint32_t machine = Recency::kNone;
  };
  Latest& Changed(ClusterIndex cluster);

  Recency machines_;
  Recency clusters_;
  std::vector<Latest> latest_in_;  // By cluster.
  std::uint32_t latest_cluster_ = Recency::kNone;
  std::uint64_t position_ = 0;
};

}  // namespace berth
