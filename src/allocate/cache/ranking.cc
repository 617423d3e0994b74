#include "allocate/cache/ranking.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace berth {
namespace {

// More than so many changed: sorting all is quicker than moving each.
constexpr std::size_t kMovedMax = 8;

}  // namespace

void Ranking::RankByName(const Inventory& inventory) {
  const auto clusters = inventory.clusters();
  if (by_name_.size() == clusters.size()) return;
  std::vector<std::uint32_t> order(clusters.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::sort(order, {}, [&](std::uint32_t i) {
    return std::tie(clusters[i].datacenter, clusters[i].name);
  });
  by_name_.resize(clusters.size());
  for (std::uint32_t rank = 0; rank < order.size(); ++rank) by_name_[order[rank]] = rank;
}

std::span<const ClusterIndex> Ranking::Order(const Ask& ask, Alike& alike) {
  RankByName(ask.inventory);
  const Journal& journal = ask.inventory.journal();
  if (alike.cluster_keys.size() != ask.inventory.clusters().size() || !RankChanged(ask, alike)) {
    RankAll(ask, alike);
  }
  alike.ranked_at = journal.position();
  return alike.order;
}

void Ranking::RankAll(const Ask& ask, Alike& alike) const {
  const auto clusters = ask.inventory.clusters();
  alike.cluster_keys.assign(clusters.size(), kNoKey);
  alike.order.clear();
  for (std::uint32_t i = 0; i < clusters.size(); ++i) {
    if (clusters[i].machines.empty()) continue;
    alike.cluster_keys[i] = policy_.ClusterKey(ask, clusters[i]);
    alike.order.push_back(ClusterIndex{i});
  }
  std::ranges::sort(alike.order, {}, [&](ClusterIndex c) {
    return std::pair(alike.cluster_keys[At(c)], ByName(c));
  });
}

// False when it takes ranking all.
bool Ranking::RankChanged(const Ask& ask, Alike& alike) const {
  std::size_t moved = 0;
  bool all = false;
  ask.inventory.journal().ForEachClusterSince(alike.ranked_at, [&](ClusterIndex cluster) {
    const ClusterState& state = ask.inventory[cluster];
    std::uint64_t& key = alike.cluster_keys[At(cluster)];
    all = all || state.machines.empty() != (key == kNoKey) || moved > kMovedMax;
    if (all || state.machines.empty()) return;
    const std::uint64_t now = policy_.ClusterKey(ask, state);
    if (now == key) return;
    ++moved;
    const auto by_key = [&](ClusterIndex c) {
      return std::pair(alike.cluster_keys[At(c)], ByName(c));
    };
    alike.order.erase(
        std::ranges::lower_bound(alike.order, std::pair(key, ByName(cluster)), {}, by_key));
    key = now;
    alike.order.insert(
        std::ranges::lower_bound(alike.order, std::pair(now, ByName(cluster)), {}, by_key),
        cluster);
  });
  return !all;
}

}  // namespace berth
