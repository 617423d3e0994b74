#include "scale/space/node_adjust.h"

#include <algorithm>

#include "scale/space/placing_fill.h"

namespace berth {
namespace {

// Of what is wanted beyond the least, bounds are looked for in so many parts.
constexpr std::uint64_t kBoundParts = 256;

InstanceCounts PartBetween(const InstanceCounts& least, const InstanceCounts& wanted,
                           std::uint64_t part) {
  InstanceCounts counts = wanted;
  for (std::size_t s = 0; s < counts.size(); ++s) {
    const std::uint32_t from = std::min(least[s], wanted[s]);
    counts[s] = from + static_cast<std::uint32_t>((wanted[s] - from) * part / kBoundParts);
  }
  return counts;
}

// Scores are one over a cost, and costs add up.
double ScoreOfBoth(double one, double other) { return 1 / (1 / one + 1 / other); }

}  // namespace

Result<PlacingChoice> NodeAdjuster::Place(const InstanceCounts& wanted,
                                          const NodeSet& existing) const {
  return PlaceInstances(way_, {.demands = world_.demands,
                               .wanted = wanted,
                               .types = world_.types,
                               .existing = existing,
                               .special = world_.special});
}

double NodeAdjuster::ScoreOf(const NodeSet& nodes, Duration lasting) const {
  return way_.scorer->score(nodes, world_.types, lasting);
}

bool NodeAdjuster::IsWithin(const NodeAdjustment& adjustment) const {
  const std::uint64_t nodes = NodesIn(adjustment.nodes) + NodesIn(adjustment.leaving);
  const std::int64_t price =
      HourMicrosOf(adjustment.nodes, world_.types) + HourMicrosOf(adjustment.leaving, world_.types);
  return (!bounds_.nodes || nodes <= *bounds_.nodes) &&
         (!bounds_.hour_micros || price <= *bounds_.hour_micros);
}

Duration NodeAdjuster::UpAfter(const NodeSet& nodes) const {
  Duration node_boot{};
  Duration service_boot{};
  for (const VmGroup& group : nodes) {
    node_boot = std::max(node_boot, world_.types[group.type].boot);
    for (std::size_t s = 0; s < group.instances.size(); ++s) {
      if (group.instances[s] > 0) service_boot = std::max(service_boot, world_.boots[s]);
    }
  }
  return node_boot + service_boot;
}

Result<NodeAdjustment> NodeAdjuster::AdjustFreely(const AdjustAsk& ask) const {
  RefilledNodes refilled = RefillNodes(world_, ask.current, ask.wanted, ask.may_remove);
  NodeAdjustment expanded{.nodes = refilled.nodes, .leaving = ask.leaving, .held = ask.wanted};
  double score = ScoreOf(refilled.nodes, way_.lifetime);
  if (AnyWanted(refilled.missing)) {
    BERTH_TRY(const PlacingChoice added, Place(refilled.missing, ask.current));
    score = ScoreOfBoth(score, added.score);
    expanded.nodes = Joined(refilled.nodes, added.nodes);
  }
  // One substitution at a time, and of something.
  if (!ask.may_remove || !ask.leaving.empty() || ask.current.empty() || !AnyWanted(ask.wanted)) {
    return expanded;
  }
  BERTH_TRY(PlacingChoice anew, Place(ask.wanted, ask.current));
  NodeAdjustment substituted{.nodes = std::move(anew.nodes), .held = ask.wanted};
  // Nodes that are as they should be need not be substituted.
  const NodeSet same = Common(ask.current, substituted.nodes);
  substituted.leaving = Without(ask.current, same);
  substituted.up_after = UpAfter(Without(substituted.nodes, same));
  substituted.substituted = !substituted.leaving.empty();
  const double new_score =
      ScoreOfBoth(anew.score, ScoreOf(substituted.leaving, substituted.up_after));
  return new_score > score && IsWithin(substituted) ? substituted : expanded;
}

Result<NodeAdjustment> NodeAdjuster::Adjust(const AdjustAsk& ask,
                                            const InstanceCounts& least) const {
  BERTH_TRY(NodeAdjustment best, AdjustFreely(ask));
  if (IsWithin(best)) return best;
  AdjustAsk less = ask;
  // What is there already takes nothing more.
  const InstanceCounts there = InstancesOn(ask.current, ask.wanted.size());
  for (std::size_t s = 0; s < there.size(); ++s) {
    less.wanted[s] = std::min(ask.wanted[s], there[s]);
  }
  BERTH_TRY(best, AdjustFreely(less));
  std::uint64_t fits = 0;
  std::uint64_t too_much = kBoundParts;
  while (fits + 1 < too_much) {
    const std::uint64_t part = (fits + too_much) / 2;
    less.wanted = PartBetween(least, ask.wanted, part);
    BERTH_TRY(NodeAdjustment tried, AdjustFreely(less));
    if (IsWithin(tried)) {
      fits = part;
      best = std::move(tried);
    } else {
      too_much = part;
    }
  }
  best.held_back = true;
  return best;
}

}  // namespace berth
