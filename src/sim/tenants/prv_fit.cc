#include "sim/tenants/prv_fit.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "sim/tenants/weighting.h"

namespace berth {
namespace {

constexpr std::size_t kHeldOutNodes = 3;

class PrvFit : public Technique {
 public:
  PrvFit(const TechniqueContext& context, Fullness by, ViolationEstimate::Least least)
      : cluster_(context.cluster), estimate_(context, least), by_(by) {}

  void Advance(Step now) override { estimate_.Advance(now); }
  void Placed(const ClusterTenant& tenant) override { estimate_.Placed(tenant); }
  void Left(const ClusterTenant& tenant, NodeIndex from) override { estimate_.Left(tenant, from); }
  void Exceeded(const ClusterTenant& tenant) override { estimate_.Exceeded(tenant); }

 protected:
  const TenantCluster& cluster() const { return cluster_; }
  ViolationEstimate& estimate() { return estimate_; }

  double FullnessOf(NodeIndex node) const {
    const LoadShares shares = SharesOf(cluster_.reported(node), cluster_.capacity());
    return by_ == Fullness::kMax ? WeighMax()(shares) : WeighSum(cluster_)(shares);
  }
  double FullnessOf(NodeIndex node, const ClusterTenant& with) const {
    return by_ == Fullness::kMax ? FullnessWith(cluster_, node, with, WeighMax())
                                 : FullnessWith(cluster_, node, with, WeighSum(cluster_));
  }

 private:
  const TenantCluster& cluster_;
  ViolationEstimate estimate_;
  const Fullness by_;
};

// Algorithm 2.
class PrvBestFit final : public PrvFit {
 public:
  using PrvFit::PrvFit;

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override {
    const auto scored = estimate().Score(tenant, fits);
    std::vector<NodeIndex> candidates;
    for (const auto& of : scored) {
      if (ViolationEstimate::Safe(of.risk)) candidates.push_back(of.node);
    }
    if (candidates.empty()) candidates = estimate().LeastHarmed(scored);
    return Least(candidates, [&](NodeIndex node) { return -FullnessOf(node, tenant); });
  }
};

// Algorithm 3.
class PrvWorstFit final : public PrvFit {
 public:
  using PrvFit::PrvFit;

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override {
    const std::vector<NodeIndex> held_out = HeldOut();
    const auto scored = estimate().Score(tenant, fits);
    std::vector<NodeIndex> candidates;
    std::vector<NodeIndex> held_out_candidates;
    for (const auto& of : scored) {
      if (!ViolationEstimate::Safe(of.risk)) continue;
      const bool held = std::ranges::find(held_out, of.node) != held_out.end();
      (held ? held_out_candidates : candidates).push_back(of.node);
    }
    if (candidates.empty()) candidates = std::move(held_out_candidates);
    if (candidates.empty()) candidates = estimate().LeastHarmed(scored);
    return Least(candidates, [&](NodeIndex node) { return FullnessOf(node, tenant); });
  }

 private:
  // The emptiest, so that a large tenant finds room.
  std::vector<NodeIndex> HeldOut() const {
    std::vector<std::pair<double, NodeIndex>> fullness;
    for (NodeIndex node = 0; node < cluster().node_count(); ++node) {
      fullness.emplace_back(FullnessOf(node), node);
    }
    const std::size_t count = std::min(kHeldOutNodes, fullness.size());
    std::ranges::partial_sort(fullness, fullness.begin() + static_cast<std::ptrdiff_t>(count));
    std::vector<NodeIndex> nodes;
    for (std::size_t i = 0; i < count; ++i) nodes.push_back(fullness[i].second);
    return nodes;
  }
};

}  // namespace

std::unique_ptr<Technique> MakePrvBestFit(const TechniqueContext& context, Fullness by,
                                          ViolationEstimate::Least least) {
  return std::make_unique<PrvBestFit>(context, by, least);
}

std::unique_ptr<Technique> MakePrvWorstFit(const TechniqueContext& context, Fullness by,
                                           ViolationEstimate::Least least) {
  return std::make_unique<PrvWorstFit>(context, by, least);
}

}  // namespace berth
