#include "scale/cluster_autoscaler/scale_down.h"

#include <algorithm>
#include <numeric>

#include "scale/capacity/vm_count.h"

namespace berth {
namespace {

std::uint64_t PodsOn(const AutoscaledNode& node) {
  return std::accumulate(node.pods.begin(), node.pods.end(), std::uint64_t{0});
}

// What other nodes take over from one that leaves.
struct Takeover {
  std::size_t node = 0;
  InstanceCounts pods{};
};

// The first nodes that are ready, stay and have room take as much as fits; none if that is not all.
std::optional<std::vector<Takeover>> PlanDrain(const AutoscaledCluster& cluster,
                                               std::size_t leaving, const std::vector<bool>& gone) {
  InstanceCounts left = cluster.nodes[leaving].pods;
  std::uint64_t pods = PodsOn(cluster.nodes[leaving]);
  std::vector<Takeover> plan;
  for (std::size_t n = 0; n < cluster.nodes.size() && pods > 0; ++n) {
    const AutoscaledNode& node = cluster.nodes[n];
    if (n == leaving || gone[n] || node.unready_since) continue;
    Resources free = cluster.types[node.type].capacity - ResourcesOf(cluster.demands, node.pods);
    Takeover takeover{.node = n, .pods = InstanceCounts(left.size(), 0)};
    for (std::size_t s = 0; s < left.size(); ++s) {
      const Resources& need = cluster.demands[s].need;
      const std::uint32_t taken = std::min(left[s], InstancesPerVm(need, free));
      for (const Resource r : kAllResources) free[r] -= need[r] * taken;
      takeover.pods[s] = taken;
      left[s] -= taken;
      pods -= taken;
    }
    plan.push_back(std::move(takeover));
  }
  if (pods > 0) return std::nullopt;
  return plan;
}

void Drain(AutoscaledCluster& cluster, std::size_t leaving, const std::vector<Takeover>& plan) {
  for (const Takeover& takeover : plan) {
    InstanceCounts& pods = cluster.nodes[takeover.node].pods;
    for (std::size_t s = 0; s < pods.size(); ++s) pods[s] += takeover.pods[s];
  }
  std::ranges::fill(cluster.nodes[leaving].pods, 0);
}

bool LongEnough(std::optional<Time> since, Duration wanted, Time now) {
  return since && now - *since >= wanted;
}

bool MayGo(const AutoscaledNode& node, const ScaleDownSettings& settings, Time now) {
  if (node.keep || !LongEnough(node.unneeded_since, settings.unneeded_time, now)) return false;
  return !node.unready_since || LongEnough(node.unready_since, settings.unready_time, now);
}

// What may still be taken away of cpu and memory.
class RemovalBudget {
 public:
  RemovalBudget(const AutoscaledCluster& cluster, const Resources& least) {
    for (const AutoscaledNode& node : cluster.nodes) left_ += cluster.types[node.type].capacity;
    left_ -= least;
  }

  bool Take(const Resources& capacity) {
    for (const Resource r : {Resource::kCpu, Resource::kMemory}) {
      if (left_[r] < capacity[r]) return false;
    }
    left_ -= capacity;
    return true;
  }

 private:
  ResourceTotals left_;
};

bool HasBlockingPod(const AutoscaledNode& node, const std::vector<bool>& blocking) {
  for (std::size_t s = 0; s < blocking.size(); ++s) {
    if (blocking[s] && node.pods[s] > 0) return true;
  }
  return false;
}

}  // namespace

void MarkUnneeded(AutoscaledCluster& cluster, Time now) {
  const std::vector<bool> all_stay(cluster.nodes.size(), false);
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (!PlanDrain(cluster, n, all_stay)) {
      cluster.nodes[n].unneeded_since.reset();
    } else if (!cluster.nodes[n].unneeded_since) {
      cluster.nodes[n].unneeded_since = now;
    }
  }
}

std::size_t ScaleDown(AutoscaledCluster& cluster, const ScaleDownSettings& settings, Time now) {
  RemovalBudget budget(cluster, settings.least);
  std::vector<std::size_t> candidates;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    const AutoscaledNode& node = cluster.nodes[n];
    if (MayGo(node, settings, now) && budget.Take(cluster.types[node.type].capacity)) {
      candidates.push_back(n);
    }
  }
  std::ranges::stable_sort(candidates, {}, [&](std::size_t n) { return PodsOn(cluster.nodes[n]); });
  const bool any_empty = !candidates.empty() && PodsOn(cluster.nodes[candidates[0]]) == 0;
  std::vector<bool> gone(cluster.nodes.size(), false);
  for (const std::size_t n : candidates) {
    if (any_empty && PodsOn(cluster.nodes[n]) > 0) break;
    if (HasBlockingPod(cluster.nodes[n], settings.blocking)) continue;
    if (const auto plan = PlanDrain(cluster, n, gone)) {
      Drain(cluster, n, *plan);
      gone[n] = true;
    }
  }
  std::vector<AutoscaledNode> stay;
  for (std::size_t n = 0; n < cluster.nodes.size(); ++n) {
    if (!gone[n]) stay.push_back(std::move(cluster.nodes[n]));
  }
  const std::size_t removed = cluster.nodes.size() - stay.size();
  cluster.nodes = std::move(stay);
  return removed;
}

}  // namespace berth
