#include "scale/cluster_autoscaler/replay.h"

#include <algorithm>
#include <utility>

#include "berth/check.h"
#include "scale/capacity/vm_count.h"

namespace berth {
namespace {

class AutoscalerReplay {
 public:
  AutoscalerReplay(const ExpanderEntry& expander, std::span<const InstanceDemand> demands,
                   std::span<const VmType> types, const ScaleDownSettings& settings, Rng rng)
      : expander_(expander),
        settings_(settings),
        rng_(rng),
        cluster_{demands, types},
        failed_(types.size(), false) {}

  void Step(const InstanceCounts& wanted, Duration step) {
    for (std::size_t s = 0; s < wanted.size(); ++s) SetInstances(s, wanted[s]);
    ScaleUp();
    run_.nodes_peak = std::max<std::uint64_t>(run_.nodes_peak, cluster_.nodes.size());
    const Time end = now_ + step;
    MarkUnneeded(cluster_, now_);
    // Nothing else changes within the step, so nodes go only when one's time is over or others
    // made room.
    bool changed = true;
    while (const std::optional<Time> next = NextEvent(end, changed)) {
      PayUntil(*next);
      changed = FailNodes();
      if (changed) {
        ScaleUp();
        run_.nodes_peak = std::max<std::uint64_t>(run_.nodes_peak, cluster_.nodes.size());
      } else {
        const std::size_t removed = ScaleDown(cluster_, settings_, now_);
        run_.nodes_removed += removed;
        changed = removed > 0;
      }
      if (changed) MarkUnneeded(cluster_, now_);
    }
    PayUntil(end);
  }

  AutoscalerRun run() const { return run_; }

 private:
  void SetInstances(std::size_t s, std::uint32_t wanted) {
    std::uint32_t there = pending_.empty() ? 0 : pending_[s];
    for (const AutoscaledNode& node : cluster_.nodes) there += node.pods[s];
    for (std::size_t n = cluster_.nodes.size(); n-- > 0 && there > wanted;) {
      const std::uint32_t gone = std::min(there - wanted, cluster_.nodes[n].pods[s]);
      cluster_.nodes[n].pods[s] -= gone;
      there -= gone;
    }
    pending_.resize(cluster_.demands.size(), 0);
    pending_[s] += wanted - there;
  }

  void ScaleUp() {
    for (AutoscaledNode& node : cluster_.nodes) {
      if (node.unready_since) continue;
      Resources free =
          cluster_.types[node.type].capacity - ResourcesOf(cluster_.demands, node.pods);
      for (std::size_t s = 0; s < pending_.size(); ++s) {
        const Resources& need = cluster_.demands[s].need;
        const std::uint32_t put = std::min(pending_[s], InstancesPerVm(need, free));
        for (const Resource r : kAllResources) free[r] -= need[r] * put;
        node.pods[s] += put;
        pending_[s] -= put;
      }
    }
    while (std::ranges::any_of(pending_, [](std::uint32_t pods) { return pods > 0; })) Expand();
  }

  void Expand() {
    std::vector<NodeEstimate> options;
    for (std::size_t t = 0; t < cluster_.types.size(); ++t) {
      NodeEstimate option = EstimateNodes(cluster_.demands, pending_, cluster_.types, t);
      if (!option.nodes.empty()) options.push_back(std::move(option));
    }
    BERTH_CHECK(!options.empty());
    const NodeEstimate& best = BestOption(
        expander_, {.demands = cluster_.demands, .types = cluster_.types, .options = options},
        rng_);
    for (const InstanceCounts& pods : best.nodes) {
      cluster_.nodes.push_back(
          {.type = best.type, .pods = pods, .keep = cluster_.types[best.type].keep});
    }
    run_.nodes_added += best.nodes.size();
    for (std::size_t s = 0; s < pending_.size(); ++s) pending_[s] -= best.placed[s];
  }

  // When a node fails or one has been unneeded for long enough, if that is before `end`. Those that
  // could have gone before are asked again only if something changed.
  std::optional<Time> NextEvent(Time end, bool changed) const {
    std::optional<Time> next;
    const auto consider = [&](Time at) {
      at = std::max(at, now_);
      if (at < end && (!next || at < *next)) next = at;
    };
    for (std::size_t t = 0; t < failed_.size(); ++t) {
      if (cluster_.types[t].unready_nodes > 0 && !failed_[t]) {
        consider(Time(cluster_.types[t].unready_after));
      }
    }
    for (const AutoscaledNode& node : cluster_.nodes) {
      if (!node.unneeded_since) continue;
      Time at = *node.unneeded_since + settings_.unneeded_time;
      if (node.unready_since) at = std::max(at, *node.unready_since + settings_.unready_time);
      if (changed || at > now_) consider(at);
    }
    return next;
  }

  // Whether it was the time of any.
  bool FailNodes() {
    bool any = false;
    for (std::size_t t = 0; t < failed_.size(); ++t) {
      const VmType& type = cluster_.types[t];
      if (type.unready_nodes == 0 || failed_[t] || Time(type.unready_after) > now_) continue;
      failed_[t] = true;
      any = true;
      std::uint32_t left = type.unready_nodes;
      for (AutoscaledNode& node : cluster_.nodes) {
        if (node.type != t || left == 0) continue;
        --left;
        node.unready_since = now_;
        for (std::size_t s = 0; s < pending_.size(); ++s) {
          pending_[s] += std::exchange(node.pods[s], 0);
        }
      }
    }
    return any;
  }

  void PayUntil(Time time) {
    const double hours = static_cast<double>((time - now_).count()) / 3.6e9;
    for (const AutoscaledNode& node : cluster_.nodes) {
      run_.cost_micros += hours * static_cast<double>(cluster_.types[node.type].hour_micros);
    }
    now_ = time;
  }

  const ExpanderEntry& expander_;
  const ScaleDownSettings& settings_;
  Rng rng_;
  AutoscaledCluster cluster_;
  std::vector<bool> failed_;  // Types whose time to fail has come.
  InstanceCounts pending_;
  Time now_{};
  AutoscalerRun run_;
};

}  // namespace

AutoscalerRun ReplayClusterAutoscaler(const ExpanderEntry& expander,
                                      std::span<const InstanceDemand> demands,
                                      std::span<const VmType> types,
                                      std::span<const InstanceCounts> wanted, Duration step,
                                      const ScaleDownSettings& settings, Rng rng) {
  AutoscalerReplay replay(expander, demands, types, settings, rng);
  for (const InstanceCounts& counts : wanted) replay.Step(counts, step);
  return replay.run();
}

}  // namespace berth
