#include <algorithm>

#include "sim/tenants/cluster.h"
#include "sim/tenants/techniques/builtin.h"

namespace berth {
namespace {

constexpr int kMovesPerDepartureMax = 10;

// After Kamali 2015: few nodes in use, kept few by moving at most ten tenants after an operation.
// There, classes by size decide which items share a node; here all are of one, so that it is first
// fit with holes filled from the last node.
class VectorPacking final : public Technique {
 public:
  explicit VectorPacking(const TechniqueContext& context) : cluster_(context.cluster) {}

  NodeIndex Choose(const ClusterTenant& /*tenant*/, std::span<const NodeIndex> fits) override {
    return fits.front();
  }

  void Left(const ClusterTenant& /*tenant*/, NodeIndex from) override {
    if (moving_) return;
    moves_left_ += kMovesPerDepartureMax;
    first_hole_ = std::min(first_hole_, from);
  }

  std::optional<Move> Repack() override {
    moving_ = false;
    if (moves_left_ == 0) {
      first_hole_ = kNoNode;
      return std::nullopt;
    }
    const NodeIndex last = LastInUse();
    for (NodeIndex node = first_hole_; node < last; ++node) {
      for (const TenantNumber number : cluster_.tenants(last)) {
        if (!cluster_.FitsNow(cluster_.tenant(number), node)) continue;
        --moves_left_;
        first_hole_ = node;
        moving_ = true;
        return Move{number, node};
      }
    }
    moves_left_ = 0;
    first_hole_ = kNoNode;
    return std::nullopt;
  }

 private:
  NodeIndex LastInUse() const {
    NodeIndex last = cluster_.node_count() - 1;
    while (last > 0 && cluster_.tenants(last).empty()) --last;
    return last;
  }

  const TenantCluster& cluster_;
  NodeIndex first_hole_ = kNoNode;
  int moves_left_ = 0;
  bool moving_ = false;
};

}  // namespace

std::unique_ptr<Technique> NewVectorPacking(const TechniqueContext& context) {
  return std::make_unique<VectorPacking>(context);
}

}  // namespace berth
