#include "allocate/evaluate.h"

#include <algorithm>
#include <tuple>

#include "allocate/points.h"

namespace berth {
namespace {

struct Valid {
  MachineIndex index;
  std::uint64_t key;
};

// What the walk over the machines counts and keeps.
struct Walk {
  std::vector<std::uint32_t> refused;  // By each validator, first refusals only.
  std::vector<Valid> valid;
  std::uint32_t clusters = 0;
  std::uint32_t machines = 0;
};

std::size_t FirstRefusingIndex(const AllocatePolicy& policy, const Ask& ask,
                               const Candidate& machine) {
  std::size_t i = 0;
  while (i < policy.validators.size() && policy.validators[i]->IsValid(ask, machine)) ++i;
  return i;
}

bool WalkCluster(const AllocatePolicy& policy, const Ask& ask, ClusterIndex cluster, Walk& walk) {
  const std::size_t valid_before = walk.valid.size();
  ++walk.clusters;
  for (const MachineIndex index : ask.inventory[cluster].machines) {
    if (index == ask.leaving) continue;
    ++walk.machines;
    const Candidate machine{index, ask.inventory[index]};
    const std::size_t refusing = FirstRefusingIndex(policy, ask, machine);
    if (refusing < policy.validators.size()) {
      ++walk.refused[refusing];
    } else {
      walk.valid.push_back({index, policy.Key(ask, machine)});
    }
  }
  return walk.valid.size() > valid_before;
}

std::vector<FunnelStep> FunnelSteps(const AllocatePolicy& policy, const Walk& walk,
                                    std::uint64_t best) {
  std::vector<FunnelStep> steps;
  std::uint32_t left = walk.machines;
  for (std::size_t i = 0; i < policy.validators.size(); ++i) {
    left -= walk.refused[i];
    steps.push_back(
        {.rule = RuleId(policy.validators[i]->name()), .validator = true, .left = left});
  }
  if (walk.valid.empty()) return steps;
  for (const RankedPreference& preference : policy.preferences) {
    const auto as_good = [&](const Valid& v) {
      return v.key >> preference.shift == best >> preference.shift;
    };
    steps.push_back(
        {.rule = RuleId(preference.rule->name()),
         .validator = false,
         .left = static_cast<std::uint32_t>(std::ranges::count_if(walk.valid, as_good))});
  }
  return steps;
}

}  // namespace

std::vector<ClusterIndex> OrderClusters(const AllocatePolicy& policy, const Ask& ask) {
  struct Ranked {
    std::vector<std::uint32_t> points;
    ClusterIndex index;
  };
  std::vector<Ranked> ranked;
  const auto clusters = ask.inventory.clusters();
  for (std::uint32_t i = 0; i < clusters.size(); ++i) {
    const ClusterState& cluster = clusters[i];
    if (cluster.machines.empty()) continue;
    Ranked entry{.points = {}, .index = ClusterIndex{i}};
    for (const RankedClusterPreference& preference : policy.cluster_preferences) {
      const std::uint32_t points = preference.rule->Points(ask, cluster);
      entry.points.push_back(preference.buckets == 0 ? points : Bucket(points, preference.buckets));
    }
    if (policy.cluster_preferences.empty()) entry.points = {kPointsMax - AllocatedShare(cluster)};
    ranked.push_back(std::move(entry));
  }
  std::ranges::sort(ranked, [&](const Ranked& a, const Ranked& b) {
    const ClusterState& x = clusters[At(a.index)];
    const ClusterState& y = clusters[At(b.index)];
    return std::tie(a.points, x.datacenter, x.name) < std::tie(b.points, y.datacenter, y.name);
  });
  std::vector<ClusterIndex> order;
  order.reserve(ranked.size());
  for (const Ranked& entry : ranked) order.push_back(entry.index);
  return order;
}

Evaluation EvaluateFromScratch(const AllocatePolicy& policy, const Ask& ask,
                               std::span<const ClusterIndex> order) {
  Walk walk;
  walk.refused.resize(policy.validators.size());
  std::uint32_t suitable = 0;
  for (const ClusterIndex cluster : order) {
    if (WalkCluster(policy, ask, cluster, walk) && ++suitable == policy.clusters) break;
  }
  std::uint64_t best = UINT64_MAX;
  for (const Valid& valid : walk.valid) best = std::min(best, valid.key);

  Evaluation evaluation;
  for (const Valid& valid : walk.valid) {
    if (valid.key == best) evaluation.best.push_back(valid.index);
  }
  std::ranges::sort(evaluation.best, {},
                    [&](MachineIndex m) { return ask.inventory[m].record.name; });
  evaluation.funnel = {.type = ask.type.name,
                       .role = ask.role,
                       .instances = 1,
                       .clusters = walk.clusters,
                       .machines = walk.machines,
                       .steps = FunnelSteps(policy, walk, best)};
  return evaluation;
}

const Validator* FirstRefusing(const AllocatePolicy& policy, const Ask& ask,
                               const Candidate& machine) {
  const std::size_t i = FirstRefusingIndex(policy, ask, machine);
  return i < policy.validators.size() ? policy.validators[i].get() : nullptr;
}

}  // namespace berth
