// The SPACE loop (section 9.1.7 of the thesis on predictive autoscaling): scale, place, adjust, and
// hand over a plan to whoever enforces it. Made of registered parts by a policy.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scale/space/autoscaler.h"
#include "scale/space/burst_guard.h"
#include "scale/space/node_planner.h"
#include "scale/space/service_counts.h"
#include "scale/space/space_policy.h"

namespace berth {

class SpaceAutoscaler final : public Autoscaler {
 public:
  // Refused, with what is wrong, if a service has no policy, or the policy names services or types
  // that there are not, or an instance fits on no type.
  static Result<std::unique_ptr<SpaceAutoscaler>> Make(SpacePolicy policy,
                                                       ScaledApplication application);

  Duration sync_period() const override { return policy_.sync; }
  ScalingPlan Decide(Time now, const DeploymentState& state, const MetricSource& metrics) override;

  std::vector<Lesson> LastLessons() const override;
  // Of its calculators that learn, each with what it learned for.
  std::string SaveLearned() const override;
  Status RestoreLearned(std::string_view bytes) override;

 private:
  SpaceAutoscaler(SpacePolicy policy, ScaledApplication application);
  Status MakeWorld();
  Status MakeServices();
  std::size_t LeadOf(std::size_t service, std::vector<std::string>& notes) const;
  std::vector<ServiceCounts> CountAll(Time now, const DeploymentState& state,
                                      const MetricSource& metrics, std::vector<std::string>& notes);
  void HoldBursts(Time now, std::vector<ServiceCounts>& counts, std::vector<std::string>& notes);
  std::string WhyChanged(const InstanceCounts& before, const InstanceCounts& after,
                         std::size_t step) const;
  void AddStates(Time now, const DeploymentState& state, const std::vector<ServiceCounts>& counts,
                 ScalingPlan& plan);

  const SpacePolicy policy_;
  const ScaledApplication application_;
  NodeWorld world_;
  std::vector<ServiceCounter> services_;
  struct LearningPart {
    std::string_view service;
    GroupCounter* group;
  };
  std::vector<LearningPart> learning_;  // Of the services.
  std::vector<BurstGuard> guards_;
  std::optional<NodePlanner> nodes_;  // None: nodes are somebody else's.
  std::optional<Time> started_;
};

}  // namespace berth
