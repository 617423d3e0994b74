// The nodes and instances of an application in a region: ordered, booting, up, stopping, gone. It
// does what a plan says, as fast as nodes and instances start and stop, and keeps the bill: a node
// is paid for from the moment it is ordered until it is gone. An instance that another is to
// replace works until that one is ready.
#pragma once

#include <cstdint>
#include <vector>

#include "appsim/agenda.h"
#include "appsim/app_flow.h"
#include "appsim/app_outcome.h"
#include "scale/space/autoscaler.h"

namespace berth {

class AppPlatform {
 public:
  AppPlatform(const AppModel& model, const Rng& rng, Agenda& agenda, AppFlow& flow);

  // What there is at first.
  void Deploy(const std::vector<VmGroup>& groups);
  void Enforce(const PlannedState& planned);
  void Change(const AppChange& change);

  DeploymentState State() const;
  void EndStep(AppSeries& series);
  void EndRun(AppOutcome& outcome);

 private:
  // Leaving: is to stop, and works until those that are to replace it are ready.
  enum class Life : std::uint8_t { kBooting, kUp, kLeaving, kStopping, kGone };
  struct Instance {
    std::uint32_t service = 0;
    std::uint32_t node = 0;
    std::uint32_t in_flow = kNone;
    Life life = Life::kBooting;
  };
  struct NodeOfType {
    std::size_t type = 0;
    std::int64_t ordered = 0;
    std::uint32_t in_flow = kNone;
    Life life = Life::kBooting;
    std::vector<std::uint32_t> instances{};  // That are not gone.
  };
  // Between an order and there being what was ordered.
  struct Pending {
    std::uint64_t count = 0;
    std::int64_t since = 0;
  };

  bool Lives(const NodeOfType& node) const {
    return node.life == Life::kBooting || node.life == Life::kUp;
  }
  // Nothing more is ordered: there are, or were, too many.
  bool IsFull() const {
    return nodes_.size() + instances_.size() >= kAppInstancesMax ||
           alive_.size() + instances_alive_ >= kAppAliveMax;
  }
  InstanceCounts InstancesOn(const NodeOfType& node) const;
  std::vector<std::uint32_t> LivingNodes() const;
  bool OrderNode(std::size_t type, const InstanceCounts& instances);
  void OrderInstance(std::uint32_t node, std::uint32_t service);
  void SetInstances(std::uint32_t node, const InstanceCounts& wanted);
  void SetNodes(const std::vector<VmGroup>& groups);
  void SetCounts(const InstanceCounts& wanted);
  std::vector<std::uint32_t> MatchExactly(std::vector<VmGroup>& wanted);
  void StopNode(std::uint32_t node);
  void StopInstance(std::uint32_t instance);
  void LetGo(std::uint32_t service);
  void StopNow(std::uint32_t instance);
  void NodeIsUp(std::uint32_t node);
  void NodeIsGone(std::uint32_t node);
  void InstanceIsReady(std::uint32_t instance);
  void InstanceIsGone(std::uint32_t instance);
  void StartBoot(std::uint32_t instance);
  void Begun(bool up);
  void Done(bool up);

  const AppModel& model_;
  Draws draws_;
  Agenda& agenda_;
  AppFlow& flow_;
  std::vector<NodeOfType> nodes_;     // All that ever were, by number.
  std::vector<std::uint32_t> alive_;  // Those that are not gone, in order.
  std::vector<Instance> instances_;   // All that ever were.
  std::size_t instances_alive_ = 0;
  std::vector<std::uint32_t> wanted_;  // Instances that boot or are up, by service,
  std::vector<std::vector<std::uint32_t>> leaving_;
  Pending pending_[2];  // Less, more.
  std::vector<ScalingInterval> intervals_;
  Meter<1> hour_micros_;
  Meter<kUsedCount> capacity_;
  double cost_micros_ = 0;
  std::vector<NodeTypeOutcome> bill_;
  std::uint64_t not_placed_ = 0;
};

}  // namespace berth
