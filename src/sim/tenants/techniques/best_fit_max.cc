#include "sim/tenants/techniques/builtin.h"
#include "sim/tenants/weighting.h"

namespace berth {
namespace {

class BestFitMax final : public Technique {
 public:
  explicit BestFitMax(const TechniqueContext& context) : cluster_(context.cluster) {}

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override {
    const WeighMax weigh;
    return Least(fits,
                 [&](NodeIndex node) { return -FullnessWith(cluster_, node, tenant, weigh); });
  }

 private:
  const TenantCluster& cluster_;
};

}  // namespace

std::unique_ptr<Technique> NewBestFitMax(const TechniqueContext& context) {
  return std::make_unique<BestFitMax>(context);
}

}  // namespace berth
