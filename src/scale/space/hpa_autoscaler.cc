#include "scale/space/hpa_autoscaler.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "scale/space/node_sets.h"
#include "scale/space/placing_fill.h"

namespace berth {
namespace {

bool AnyPending(const InstanceCounts& pending) {
  return std::ranges::any_of(pending, [](std::uint32_t pods) { return pods > 0; });
}

// The first nodes with room take what is pending.
void PutOnNodes(AutoscaledCluster& cluster, InstanceCounts& pending) {
  for (AutoscaledNode& node : cluster.nodes) {
    Resources free = cluster.types[node.type].capacity - ResourcesOf(cluster.demands, node.pods);
    for (std::size_t s = 0; s < pending.size(); ++s) {
      const Resources& need = cluster.demands[s].need;
      const std::uint32_t put = std::min(pending[s], RoomLeftFor(need, free));
      for (const Resource r : kAllResources) free[r] -= need[r] * put;
      node.pods[s] += put;
      pending[s] -= put;
    }
  }
}

std::vector<VmGroup> GroupsOf(const AutoscaledCluster& cluster) {
  std::vector<VmFilling> nodes;
  nodes.reserve(cluster.nodes.size());
  for (const AutoscaledNode& node : cluster.nodes) {
    nodes.push_back({.type = node.type, .instances = node.pods});
  }
  return GroupFillings(nodes);
}

}  // namespace

HpaAutoscaler::HpaAutoscaler(const HpaSettings& settings, ScaledApplication application)
    : settings_(settings), application_(std::move(application)), cluster_{}, rng_(settings.seed) {
  demands_.reserve(application_.services.size());
  for (const ScaledService& service : application_.services) {
    demands_.push_back({.service = service.name, .need = service.need});
  }
  cluster_ = {.demands = demands_, .types = application_.types};
}

Result<std::unique_ptr<HpaAutoscaler>> HpaAutoscaler::Make(const HpaSettings& settings,
                                                           ScaledApplication application) {
  std::unique_ptr<HpaAutoscaler> made(new HpaAutoscaler(settings, std::move(application)));
  BERTH_TRY(const ScalerEntry hpa, FindScaler("hpa"));
  for (const InstanceDemand& demand : made->demands_) {
    const std::int64_t cpu = demand.need[Resource::kCpu];
    if (cpu == 0) {
      return Status(Code::kInvalidArgument,
                    fmt::format("{} needs no cpu, which the HPA goes by; say how much an instance "
                                "needs",
                                demand.service));
    }
    if (!made->application_.types.empty() &&
        !CheapestHolding(demand.need, made->application_.types)) {
      return Status(Code::kInvalidArgument,
                    fmt::format("{}: no node type holds an instance of {}; add a larger type",
                                demand.service, FormatResources(demand.need)));
    }
    BERTH_TRY(auto scaler, hpa.make({.target = settings.target, .reference_milli = cpu}));
    made->scalers_.push_back(std::move(scaler));
  }
  return made;
}

std::uint32_t HpaAutoscaler::CountOf(std::size_t service, Time now, const DeploymentState& state,
                                     const MetricSource& metrics, ScalingPlan& plan) {
  const std::uint32_t replicas = state.ready[service] + state.starting[service];
  const auto kept = [&] {
    return std::clamp(replicas, settings_.limits.min, settings_.limits.max);
  };
  const Result<TimeSeries> cpu = metrics.Series({.name = "cpu", .service = service}, 1);
  if (!cpu.ok() || cpu.value().values.empty() || state.ready[service] == 0) {
    const std::string why = cpu.ok() ? "no cpu was measured yet" : cpu.status().message();
    plan.notes.push_back(fmt::format("{}: {}", demands_[service].service, why));
    return kept();
  }
  const double milli = static_cast<double>(demands_[service].need[Resource::kCpu]);
  scalers_[service]->Observe(
      {.at = now,
       .replicas = replicas,
       .starting = state.starting[service],
       .cpu_milli = std::max(0.0, cpu.value().values.back()) * milli * state.ready[service]});
  const auto count = scalers_[service]->Recommend();
  return count ? std::clamp(*count, settings_.limits.min, settings_.limits.max) : kept();
}

// The nodes there are, the oldest first, each with what is known of it.
void HpaAutoscaler::FollowNodes(const DeploymentState& state) {
  NodeSet left = GroupNodes(state.nodes);
  std::erase_if(cluster_.nodes, [&](const AutoscaledNode& node) {
    const auto found = std::ranges::find_if(left, [&](const VmGroup& group) {
      return group.count > 0 && group.type == node.type && group.instances == node.pods;
    });
    if (found == left.end()) return true;
    --found->count;
    return false;
  });
  for (const VmFilling& node : Ungrouped(left)) {
    cluster_.nodes.push_back({.type = node.type, .pods = node.instances});
  }
}

// Pods that go leave the youngest nodes first.
void HpaAutoscaler::FitPods(const InstanceCounts& wanted) {
  pending_.assign(wanted.size(), 0);
  for (std::size_t s = 0; s < wanted.size(); ++s) {
    std::uint32_t there = 0;
    for (const AutoscaledNode& node : cluster_.nodes) there += node.pods[s];
    for (std::size_t n = cluster_.nodes.size(); n-- > 0 && there > wanted[s];) {
      const std::uint32_t gone = std::min(there - wanted[s], cluster_.nodes[n].pods[s]);
      cluster_.nodes[n].pods[s] -= gone;
      there -= gone;
    }
    pending_[s] = wanted[s] - std::min(there, wanted[s]);
  }
  PutOnNodes(cluster_, pending_);
}

void HpaAutoscaler::AddNodes(InstanceCounts pending, Time now) {
  while (AnyPending(pending)) {
    std::vector<NodeEstimate> options;
    for (std::size_t t = 0; t < cluster_.types.size(); ++t) {
      NodeEstimate option = EstimateNodes(cluster_.demands, pending, cluster_.types, t);
      if (!option.nodes.empty()) options.push_back(std::move(option));
    }
    const NodeEstimate& best = BestOption(
        *settings_.expander,
        {.demands = cluster_.demands, .types = cluster_.types, .options = options}, rng_);
    for (const InstanceCounts& pods : best.nodes) {
      cluster_.nodes.push_back({.type = best.type, .pods = pods});
    }
    for (std::size_t s = 0; s < pending.size(); ++s) pending[s] -= best.placed[s];
    added_ = now;
  }
}

void HpaAutoscaler::RemoveNodes(Time now) {
  MarkUnneeded(cluster_, now);
  if (added_ && now < *added_ + settings_.delay_after_add) return;
  ScaleDown(cluster_, {.unneeded_time = settings_.unneeded}, now);
}

ScalingPlan HpaAutoscaler::Decide(Time now, const DeploymentState& state,
                                  const MetricSource& metrics) {
  ScalingPlan plan{.made = now};
  InstanceCounts wanted;
  InstanceCounts before;
  std::string why;
  for (std::size_t s = 0; s < demands_.size(); ++s) {
    before.push_back(state.ready[s] + state.starting[s]);
    wanted.push_back(CountOf(s, now, state, metrics, plan));
    if (wanted[s] == before[s]) continue;
    why += fmt::format("{}{} {} to {} ({})", why.empty() ? "" : "; ", demands_[s].service,
                       before[s], wanted[s],
                       scalers_[s]->Recommend() == wanted[s] ? scalers_[s]->Why() : "its limits");
  }
  PlannedState next{.at = now, .instances = wanted};
  if (!application_.types.empty()) {
    FollowNodes(state);
    FitPods(wanted);
    AddNodes(pending_, now);
    RemoveNodes(now);
    next.nodes = GroupsOf(cluster_);
  }
  const bool same_nodes = application_.types.empty() || next.nodes == GroupNodes(state.nodes);
  if (wanted == before && same_nodes) return plan;
  next.why = why.empty() ? "a node that nobody needed goes" : why;
  plan.states.push_back(std::move(next));
  return plan;
}

}  // namespace berth
