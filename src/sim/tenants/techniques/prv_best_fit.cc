#include "sim/tenants/techniques/builtin.h"
#include "sim/tenants/violation_estimate.h"
#include "sim/tenants/weighting.h"

namespace berth {
namespace {

// Algorithm 2 with W_Max.
class PrvBestFit final : public Technique {
 public:
  explicit PrvBestFit(const TechniqueContext& context)
      : cluster_(context.cluster), estimate_(context) {}

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override {
    const auto scored = estimate_.Score(tenant, fits);
    std::vector<NodeIndex> candidates;
    for (const auto& of : scored) {
      if (ViolationEstimate::Safe(of.risk)) candidates.push_back(of.node);
    }
    if (candidates.empty()) candidates = ViolationEstimate::LeastHarmed(scored);
    return Least(candidates,
                 [&](NodeIndex node) { return -FullnessWith(cluster_, node, tenant, WeighMax()); });
  }

  void Advance(Step now) override { estimate_.Advance(now); }
  void Placed(const ClusterTenant& tenant) override { estimate_.Placed(tenant); }
  void Left(const ClusterTenant& tenant, NodeIndex from) override { estimate_.Left(tenant, from); }
  void Exceeded(const ClusterTenant& tenant) override { estimate_.Exceeded(tenant); }

 private:
  const TenantCluster& cluster_;
  ViolationEstimate estimate_;
};

}  // namespace

std::unique_ptr<Technique> NewPrvBestFit(const TechniqueContext& context) {
  return std::make_unique<PrvBestFit>(context);
}

}  // namespace berth
