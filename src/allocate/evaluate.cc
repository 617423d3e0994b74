#include "allocate/evaluate.h"

#include <algorithm>
#include <tuple>

namespace berth {
namespace {

// What the walk over the machines counts and keeps.
struct Walk {
  std::vector<std::uint32_t> shut_out;  // By each cluster validator, machines of whole clusters.
  std::vector<std::uint32_t> refused;   // By each validator, first refusals only.
  std::vector<Ranked> valid;
  std::uint32_t clusters = 0;
  std::uint32_t machines = 0;
};

std::size_t FirstRefusing(const AllocatePolicy& policy, const Ask& ask, const Candidate& machine) {
  std::size_t i = 0;
  while (i < policy.validators.size() && policy.validators[i].rule->IsValid(ask, machine)) ++i;
  return i;
}

std::size_t FirstShuttingOut(const AllocatePolicy& policy, const Ask& ask,
                             const ClusterState& cluster) {
  std::size_t i = 0;
  while (i < policy.cluster_validators.size() &&
         policy.cluster_validators[i].rule->IsValid(ask, cluster)) {
    ++i;
  }
  return i;
}

// Whether any of the cluster's machines is valid.
bool WalkCluster(const AllocatePolicy& policy, const Ask& ask, ClusterIndex cluster, Walk& walk) {
  const std::size_t valid_before = walk.valid.size();
  const std::size_t shut_out = FirstShuttingOut(policy, ask, ask.inventory[cluster]);
  ++walk.clusters;
  for (const MachineIndex index : ask.inventory[cluster].machines) {
    if (index == ask.leaving) continue;
    ++walk.machines;
    if (shut_out < policy.cluster_validators.size()) {
      ++walk.shut_out[shut_out];
      continue;
    }
    const Candidate machine{index, ask.inventory[index]};
    const std::size_t refusing = FirstRefusing(policy, ask, machine);
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
  for (std::size_t i = 0; i < policy.cluster_validators.size(); ++i) {
    left -= walk.shut_out[i];
    steps.push_back({.rule = policy.cluster_validators[i].id, .validator = true, .left = left});
  }
  for (std::size_t i = 0; i < policy.validators.size(); ++i) {
    left -= walk.refused[i];
    steps.push_back({.rule = policy.validators[i].id, .validator = true, .left = left});
  }
  if (walk.valid.empty()) return steps;
  for (const RankedPreference& preference : policy.preferences) {
    const int shift = preference.place.shift;
    const auto as_good = [&](const Ranked& r) { return r.key >> shift == best >> shift; };
    steps.push_back(
        {.rule = preference.id,
         .validator = false,
         .left = static_cast<std::uint32_t>(std::ranges::count_if(walk.valid, as_good))});
  }
  return steps;
}

auto IdOf(const Inventory& inventory, MachineIndex index) {
  const Machine& m = inventory[index].record;
  return std::tie(m.datacenter, m.cluster, m.row, m.rack, m.name);
}

}  // namespace

std::vector<ClusterIndex> OrderClusters(const AllocatePolicy& policy, const Ask& ask) {
  struct RankedCluster {
    std::uint64_t key;
    ClusterIndex index;
  };
  std::vector<RankedCluster> ranked;
  const auto clusters = ask.inventory.clusters();
  for (std::uint32_t i = 0; i < clusters.size(); ++i) {
    if (clusters[i].machines.empty()) continue;
    ranked.push_back({policy.ClusterKey(ask, clusters[i]), ClusterIndex{i}});
  }
  std::ranges::sort(ranked, [&](const RankedCluster& a, const RankedCluster& b) {
    const ClusterState& x = clusters[At(a.index)];
    const ClusterState& y = clusters[At(b.index)];
    return std::tie(a.key, x.datacenter, x.name) < std::tie(b.key, y.datacenter, y.name);
  });
  std::vector<ClusterIndex> order;
  order.reserve(ranked.size());
  for (const RankedCluster& entry : ranked) order.push_back(entry.index);
  return order;
}

Evaluation EvaluateFromScratch(const AllocatePolicy& policy, const Ask& ask,
                               std::span<const ClusterIndex> order) {
  Walk walk;
  walk.shut_out.resize(policy.cluster_validators.size());
  walk.refused.resize(policy.validators.size());
  std::uint32_t suitable = 0;
  for (const ClusterIndex cluster : order) {
    if (WalkCluster(policy, ask, cluster, walk) && ++suitable == policy.clusters) break;
  }
  std::uint64_t best = kNoKey;
  for (const Ranked& valid : walk.valid) best = std::min(best, valid.key);

  Evaluation evaluation;
  for (const Ranked& valid : walk.valid) {
    if (valid.key == best) evaluation.best.push_back(valid.index);
  }
  std::ranges::sort(evaluation.best, {}, [&](MachineIndex m) { return IdOf(ask.inventory, m); });
  evaluation.funnel = {.type = ask.traits.type.name,
                       .role = ask.traits.role,
                       .instances = 1,
                       .clusters = walk.clusters,
                       .machines = walk.machines,
                       .steps = FunnelSteps(policy, walk, best)};
  evaluation.valid = std::move(walk.valid);
  return evaluation;
}

std::vector<MachineIndex> TopOf(std::span<const Ranked> in_id_order, std::uint32_t most) {
  std::vector<Ranked> sorted(in_id_order.begin(), in_id_order.end());
  std::ranges::stable_sort(sorted, {}, &Ranked::key);
  std::size_t count = 0;
  while (count < sorted.size() && (count < most || sorted[count].key == sorted[0].key)) ++count;
  std::vector<MachineIndex> top;
  for (std::size_t i = 0; i < count; ++i) top.push_back(sorted[i].index);
  return top;
}

Chooser::Found FromScratch::Find(const Ask& ask, std::span<const ClusterIndex> order) {
  found_ = EvaluateFromScratch(policy_, ask, order);
  return {.best = static_cast<std::uint32_t>(found_.best.size()), .funnel = found_.funnel};
}

MachineIndex FromScratch::Best(const Ask& /*ask*/, std::uint32_t n) { return found_.best[n]; }

std::vector<MachineIndex> FromScratch::Top(const Ask& ask, std::uint32_t most) {
  std::ranges::sort(found_.valid, {},
                    [&](const Ranked& ranked) { return IdOf(ask.inventory, ranked.index); });
  return TopOf(found_.valid, most);
}

}  // namespace berth
