#include "sim/tenants/techniques/builtin.h"
#include "sim/tenants/weighting.h"

namespace berth {
namespace {

class BestFitSum final : public Technique {
 public:
  explicit BestFitSum(const TechniqueContext& context) : cluster_(context.cluster) {}

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override {
    const WeighSum weigh(cluster_);
    return Least(fits,
                 [&](NodeIndex node) { return -FullnessWith(cluster_, node, tenant, weigh); });
  }

 private:
  const TenantCluster& cluster_;
};

}  // namespace

std::unique_ptr<Technique> NewBestFitSum(const TechniqueContext& context) {
  return std::make_unique<BestFitSum>(context);
}

}  // namespace berth
