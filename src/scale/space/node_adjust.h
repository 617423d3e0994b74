// Adjust: the nodes that hold what is wanted, from those there are. What goes frees nodes, what
// comes takes the room of those that stay; for the rest nodes are added, or all are substituted,
// whichever costs less over the time that it is expected to last. Nodes that are substituted stay
// until the new ones are up, and are paid until then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"
#include "scale/space/node_sets.h"
#include "scale/space/placing.h"
#include "scale/space/space_policy.h"

namespace berth {

// What nodes are made of and for, by service.
struct NodeWorld {
  std::vector<InstanceDemand> demands{};
  std::vector<Duration> boots{};
  std::vector<VmType> types{};
  std::vector<std::vector<std::size_t>> special{};
};

struct AdjustAsk {
  NodeSet current{};  // That count, booting ones too.
  NodeSet leaving{};  // Substituted ones, still there: they hold nothing that is wanted.
  InstanceCounts wanted{};
  bool may_remove = true;

  friend bool operator==(const AdjustAsk&, const AdjustAsk&) = default;
};

struct NodeAdjustment {
  NodeSet nodes{};    // That are to hold what is wanted.
  NodeSet leaving{};  // That go when those are up.
  Duration up_after{};
  InstanceCounts held{};  // What the nodes hold: what was wanted, or less where bounds are.
  bool substituted = false;
  bool held_back = false;  // By a bound.
};

class NodeAdjuster {
 public:
  NodeAdjuster(PlacingWay way, NodeBounds bounds, const NodeWorld& world)
      : way_(way), bounds_(bounds), world_(world) {}

  // At least `least` of each service are kept if the bounds have room for that; beyond it services
  // are cut in proportion. Where there is more than bounds allow already, nothing is added.
  Result<NodeAdjustment> Adjust(const AdjustAsk& ask, const InstanceCounts& least) const;

 private:
  Result<NodeAdjustment> AdjustFreely(const AdjustAsk& ask) const;
  Result<PlacingChoice> Place(const InstanceCounts& wanted, const NodeSet& existing) const;
  bool IsWithin(const NodeAdjustment& adjustment) const;
  double ScoreOf(const NodeSet& nodes, Duration lasting) const;
  Duration UpAfter(const NodeSet& nodes) const;

  PlacingWay way_;
  NodeBounds bounds_;
  const NodeWorld& world_;
};

// The nodes there are with what is wanted on them as far as they have room: surplus leaves the
// least used nodes first, what is missing goes to the fullest. Nodes left empty go, unless they
// must stay.
struct RefilledNodes {
  NodeSet nodes{};
  InstanceCounts missing{};
};
RefilledNodes RefillNodes(const NodeWorld& world, const NodeSet& current,
                          const InstanceCounts& wanted, bool may_remove);

}  // namespace berth
