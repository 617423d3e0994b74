#include "sim/tenants/techniques/builtin.h"
#include "sim/tenants/weighting.h"

namespace berth {
namespace {

class WorstFitSum final : public Technique {
 public:
  explicit WorstFitSum(const TechniqueContext& context) : cluster_(context.cluster) {}

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override {
    const WeighSum weigh(cluster_);
    return Least(fits, [&](NodeIndex node) { return FullnessWith(cluster_, node, tenant, weigh); });
  }

 private:
  const TenantCluster& cluster_;
};

}  // namespace

std::unique_ptr<Technique> NewWorstFitSum(const TechniqueContext& context) {
  return std::make_unique<WorstFitSum>(context);
}

}  // namespace berth
