#include "scale/space/node_planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.h"

namespace berth {
namespace {

// New nodes may be so late before those that they substitute count again.
constexpr Duration kSubstitutePatience = std::chrono::minutes(10);
constexpr std::size_t kAnswersKept = 32;

std::string SignedNodes(std::string_view sign, const NodeSet& nodes,
                        std::span<const VmType> types) {
  std::vector<std::uint64_t> counts(types.size(), 0);
  for (const VmGroup& group : nodes) counts[group.type] += group.count;
  std::string words;
  for (std::size_t t = 0; t < types.size(); ++t) {
    if (counts[t] == 0) continue;
    words +=
        fmt::format("{}{}{} {}", words.empty() ? "" : ", ", sign, counts[t], types[t].FullName());
  }
  return words;
}

// By type alone: instances that come to or leave a node that stays are no change of nodes.
NodeSet Emptied(NodeSet nodes) {
  for (VmGroup& group : nodes) std::ranges::fill(group.instances, 0);
  return GroupNodes(nodes);
}

std::string ChangeInWords(const NodeSet& from, const NodeSet& to, std::span<const VmType> types) {
  const NodeSet before = Emptied(from);
  const NodeSet after = Emptied(to);
  const std::string more = SignedNodes("+", Without(after, before), types);
  const std::string fewer = SignedNodes("-", Without(before, after), types);
  return more + (more.empty() || fewer.empty() ? "" : ", ") + fewer;
}

bool NothingStarts(const DeploymentState& state) {
  return state.nodes_booting == 0 &&
         std::accumulate(state.starting.begin(), state.starting.end(), std::uint64_t{0}) == 0;
}

// What was adjusted stays as it is while the same is asked for.
bool AsksTheSame(const AdjustAsk& one, const AdjustAsk& other) {
  return one.wanted == other.wanted && one.may_remove == other.may_remove &&
         one.leaving.empty() == other.leaving.empty();
}

// From state to state, as if each were enforced at its time.
class NodeWalk {
 public:
  NodeWalk(const NodeWorld& world, const DeploymentState& state, NodeMemory memory)
      : world_(world), memory_(std::move(memory)), shown_(GroupNodes(state.nodes)) {
    current_ = memory_.leaving ? Without(shown_, memory_.leaving->nodes) : shown_;
  }

  // What leaves before the next state is gone by then. Of two states at one time the second would
  // undo the first.
  void LetLeave(Time now, Time at, std::size_t before) {
    if (!memory_.leaving || memory_.leaving->gone > at) return;
    const Time gone = std::max(memory_.leaving->gone, now);
    memory_.leaving.reset();
    if (gone < at) Show(gone, before);
  }

  AdjustAsk AskFor(const WantedState& wanted, Duration cooldown) const {
    return {.current = current_,
            .leaving = memory_.leaving ? memory_.leaving->nodes : NodeSet{},
            .wanted = wanted.counts,
            .may_remove = !memory_.added || wanted.at >= *memory_.added + cooldown};
  }

  void Take(Time at, std::size_t index, const NodeAdjustment& to) {
    if (!Without(Emptied(to.nodes), Emptied(current_)).empty()) memory_.added = at;
    current_ = to.nodes;
    if (to.substituted) {
      memory_.leaving =
          LeavingNodes{.nodes = to.leaving, .expected = at + to.up_after, .gone = at + to.up_after};
    }
    Show(at, index);
  }

  std::vector<NodeState> Finish(Time last, std::size_t index) {
    if (memory_.leaving) {
      const Time gone = std::max(memory_.leaving->gone, last);
      memory_.leaving.reset();
      Show(gone, index);
    }
    return std::move(states_);
  }

  const NodeMemory& memory() const { return memory_; }
  InstanceCounts Held() const { return InstancesOn(current_, world_.demands.size()); }

 private:
  void Show(Time at, std::size_t index) {
    NodeSet nodes = memory_.leaving ? Joined(current_, memory_.leaving->nodes) : current_;
    if (nodes == shown_) return;
    states_.push_back({.at = at,
                       .nodes = nodes,
                       .held = Held(),
                       .what = ChangeInWords(shown_, nodes, world_.types),
                       .wanted = index});
    shown_ = std::move(nodes);
  }

  const NodeWorld& world_;
  NodeMemory memory_;
  NodeSet shown_;  // Of the last state.
  NodeSet current_;
  std::vector<NodeState> states_;
};

}  // namespace

NodePlanner::NodePlanner(const NodePolicy& policy, const NodeWorld& world, InstanceCounts least)
    : policy_(policy),
      world_(world),
      least_(std::move(least)),
      adjuster_({.first = policy.strategy,
                 .scorer = policy.scorer,
                 .chooser = policy.chooser,
                 .lifetime = policy.lifetime},
                policy.bounds, world) {}

// Old nodes go when the new ones are up. If that takes far too long, the old ones are no longer
// old: they count like all others again.
void NodePlanner::LookAtLeaving(const DeploymentState& state, Time now, Time next,
                                std::vector<std::string>& notes) {
  std::optional<LeavingNodes>& leaving = memory_.leaving;
  if (!leaving) return;
  leaving->nodes = Common(state.nodes, leaving->nodes);
  if (leaving->nodes.empty()) {
    leaving.reset();
  } else if (now >= leaving->gone && !NothingStarts(state)) {
    notes.emplace_back("substituted nodes stay: the new ones are not up yet");
    leaving->gone = next;
    if (now > leaving->expected + kSubstitutePatience) leaving.reset();
  }
}

Result<NodeAdjustment> NodePlanner::Adjusted(const AdjustAsk& ask) {
  for (const auto& [asked, answer] : kept_) {
    if (asked == ask) return answer;
  }
  BERTH_TRY(NodeAdjustment answer, adjuster_.Adjust(ask, least_));
  if (kept_.size() == kAnswersKept) kept_.pop_back();
  kept_.emplace_front(ask, answer);
  return answer;
}

NodePlan NodePlanner::Plan(const DeploymentState& state, const std::vector<WantedState>& wanted,
                           Time next, std::vector<std::string>& notes) {
  const Time now = wanted.front().at;
  LookAtLeaving(state, now, next, notes);
  NodeWalk walk(world_, state, memory_);
  NodePlan plan{.held = walk.Held()};
  bool held_back = false;
  std::optional<AdjustAsk> settled;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Time at = wanted[i].at;
    walk.LetLeave(now, at, i == 0 ? 0 : i - 1);
    AdjustAsk ask = walk.AskFor(wanted[i], policy_.cooldown);
    if (settled && AsksTheSame(*settled, ask)) continue;
    const Result<NodeAdjustment> adjusted = Adjusted(ask);
    settled = std::move(ask);
    if (!adjusted.ok()) {
      notes.push_back(adjusted.status().message());
      break;
    }
    held_back |= adjusted.value().held_back;
    walk.Take(at, i, adjusted.value());
    if (at < next) memory_ = walk.memory();
  }
  if (held_back) notes.emplace_back("held back by the bounds of nodes or cost");
  plan.states = walk.Finish(wanted.back().at, wanted.size() - 1);
  return plan;
}

}  // namespace berth
