// The nodes of a plan, state by state. It remembers between decisions which nodes a substitution
// left behind, and when nodes were last added.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scale/space/autoscaler.h"
#include "scale/space/node_adjust.h"
#include "scale/space/space_policy.h"

namespace berth {

struct WantedState {
  Time at{};
  InstanceCounts counts{};
};

struct NodeState {
  Time at{};
  NodeSet nodes{};         // Those that leave too.
  InstanceCounts held{};   // On those that do not leave.
  std::string what{};      // What is done to nodes, in a few words; empty: nothing.
  std::size_t wanted = 0;  // The state that it is for.
};

struct NodePlan {
  InstanceCounts held{};  // Now, on the nodes that do not leave.
  // One for each time at which nodes, or what they hold, change.
  std::vector<NodeState> states{};
};

// Substituted nodes.
struct LeavingNodes {
  NodeSet nodes{};
  Time expected{};  // To be gone, when they were substituted,
  Time gone{};      // and now.
};

// What is known from the states that were enforced.
struct NodeMemory {
  std::optional<LeavingNodes> leaving{};
  std::optional<Time> added{};
};

class NodePlanner {
 public:
  NodePlanner(const NodePolicy& policy, const NodeWorld& world, InstanceCounts least);

  // States in order of time, the first one's time being now. What is due before `next` will be
  // enforced.
  NodePlan Plan(const DeploymentState& state, const std::vector<WantedState>& wanted, Time next,
                std::vector<std::string>& notes);

 private:
  void LookAtLeaving(const DeploymentState& state, Time now, Time next,
                     std::vector<std::string>& notes);
  Result<NodeAdjustment> Adjusted(const AdjustAsk& ask);

  const NodePolicy& policy_;
  const NodeWorld& world_;
  InstanceCounts least_;
  NodeAdjuster adjuster_;
  NodeMemory memory_;
  // The last answers, the latest first: from one decision to the next much stays as it is.
  std::deque<std::pair<AdjustAsk, NodeAdjustment>> kept_;
};

}  // namespace berth
