#include "sim/tenants/techniques/builtin.h"
#include "sim/tenants/weighting.h"

namespace berth {
namespace {

class WorstFitMax final : public Technique {
 public:
  explicit WorstFitMax(const TechniqueContext& context) : cluster_(context.cluster) {}

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override {
    const WeighMax weigh;
    return Least(fits, [&](NodeIndex node) { return FullnessWith(cluster_, node, tenant, weigh); });
  }

 private:
  const TenantCluster& cluster_;
};

}  // namespace

std::unique_ptr<Technique> NewWorstFitMax(const TechniqueContext& context) {
  return std::make_unique<WorstFitMax>(context);
}

}  // namespace berth
