#include "sim/tenants/techniques/builtin.h"
#include "sim/tenants/weighting.h"

namespace berth {
namespace {

// Alignment: a tenant goes where there is most of what it needs most.
class InnerProduct final : public Technique {
 public:
  explicit InnerProduct(const TechniqueContext& context) : cluster_(context.cluster) {}

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override {
    const WeighSum weigh(cluster_);
    const LoadShares wanted = SharesOf(tenant.reported, cluster_.capacity());
    return Least(fits, [&](NodeIndex node) {
      const LoadShares shares = SharesOf(cluster_.reported(node), cluster_.capacity());
      LoadShares products;
      for (const DemandResource r : kAllDemandResources) products[r] = wanted[r] * (1 - shares[r]);
      return -weigh(products);
    });
  }

 private:
  const TenantCluster& cluster_;
};

}  // namespace

std::unique_ptr<Technique> NewInnerProduct(const TechniqueContext& context) {
  return std::make_unique<InnerProduct>(context);
}

}  // namespace berth
