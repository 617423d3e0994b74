#include <algorithm>

#include "sim/tenants/techniques/builtin.h"
#include "sim/tenants/violation_estimate.h"
#include "sim/tenants/weighting.h"

namespace berth {
namespace {

constexpr std::size_t kHeldOutNodes = 3;

// Algorithm 3 with W_Max.
class PrvWorstFit final : public Technique {
 public:
  explicit PrvWorstFit(const TechniqueContext& context)
      : cluster_(context.cluster), estimate_(context) {}

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override {
    const std::vector<NodeIndex> held_out = HeldOut();
    const auto scored = estimate_.Score(tenant, fits);
    std::vector<NodeIndex> candidates;
    std::vector<NodeIndex> held_out_candidates;
    for (const auto& of : scored) {
      if (!ViolationEstimate::Safe(of.risk)) continue;
      const bool held = std::ranges::find(held_out, of.node) != held_out.end();
      (held ? held_out_candidates : candidates).push_back(of.node);
    }
    if (candidates.empty()) candidates = std::move(held_out_candidates);
    if (candidates.empty()) candidates = ViolationEstimate::LeastHarmed(scored);
    return Least(candidates,
                 [&](NodeIndex node) { return FullnessWith(cluster_, node, tenant, WeighMax()); });
  }

  void Advance(Step now) override { estimate_.Advance(now); }
  void Placed(const ClusterTenant& tenant) override { estimate_.Placed(tenant); }
  void Left(const ClusterTenant& tenant, NodeIndex from) override { estimate_.Left(tenant, from); }
  void Exceeded(const ClusterTenant& tenant) override { estimate_.Exceeded(tenant); }

 private:
  // The emptiest, so that a large tenant finds room.
  std::vector<NodeIndex> HeldOut() const {
    std::vector<std::pair<double, NodeIndex>> fullness;
    for (NodeIndex node = 0; node < cluster_.node_count(); ++node) {
      fullness.emplace_back(WeighMax()(SharesOf(cluster_.reported(node), cluster_.capacity())),
                            node);
    }
    const std::size_t count = std::min(kHeldOutNodes, fullness.size());
    std::ranges::partial_sort(fullness, fullness.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<NodeIndex> nodes;
    for (std::size_t i = 0; i < count; ++i) nodes.push_back(fullness[i].second);
    return nodes;
  }

  const TenantCluster& cluster_;
  ViolationEstimate estimate_;
};

}  // namespace

std::unique_ptr<Technique> NewPrvWorstFit(const TechniqueContext& context) {
  return std::make_unique<PrvWorstFit>(context);
}

}  // namespace berth
