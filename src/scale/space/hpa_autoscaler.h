// The baseline pair: Kubernetes' Horizontal Pod Autoscaler counts instances, its Cluster Autoscaler
// the nodes for them. Neither foresees anything, and each goes by what the other has done.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "berth/rng.h"
#include "scale/cluster_autoscaler/expander.h"
#include "scale/cluster_autoscaler/scale_down.h"
#include "scale/scaler.h"
#include "scale/space/autoscaler.h"
#include "scale/space/count_path.h"

namespace berth {

struct HpaSettings {
  Duration sync = std::chrono::seconds(15);
  double target = 0.6;  // Of cpu, as a share of what an instance needs.
  CountLimits limits{};
  const ExpanderEntry* expander = nullptr;
  Duration unneeded = std::chrono::minutes(10);         // Before a node goes,
  Duration delay_after_add = std::chrono::minutes(10);  // and after one was added.
  std::uint64_t seed = 1;                               // Of the expander that draws.
};

class HpaAutoscaler final : public Autoscaler {
 public:
  // Reads the metric "cpu" of each service: used by an instance on average, as a share of its need.
  static Result<std::unique_ptr<HpaAutoscaler>> Make(const HpaSettings& settings,
                                                     ScaledApplication application);

  Duration sync_period() const override { return settings_.sync; }
  ScalingPlan Decide(Time now, const DeploymentState& state, const MetricSource& metrics) override;

 private:
  HpaAutoscaler(const HpaSettings& settings, ScaledApplication application);
  std::uint32_t CountOf(std::size_t service, Time now, const DeploymentState& state,
                        const MetricSource& metrics, ScalingPlan& plan);
  void FollowNodes(const DeploymentState& state);
  void FitPods(const InstanceCounts& wanted);
  void AddNodes(InstanceCounts pending, Time now);
  void RemoveNodes(Time now);

  const HpaSettings settings_;
  const ScaledApplication application_;
  std::vector<InstanceDemand> demands_;
  std::vector<std::unique_ptr<Scaler>> scalers_;
  AutoscaledCluster cluster_;
  InstanceCounts pending_;
  std::optional<Time> added_;
  Rng rng_;
};

}  // namespace berth
