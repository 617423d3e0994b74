#include <cmath>

#include "sim/tenants/techniques/builtin.h"
#include "sim/tenants/weighting.h"

namespace berth {
namespace {

// The snapshot balancer's criterion: loads as even as they can be, over all resources.
class LeastDeviation final : public Technique {
 public:
  explicit LeastDeviation(const TechniqueContext& context) : cluster_(context.cluster) {}

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override {
    const LoadShares added = SharesOf(tenant.reported, cluster_.capacity());
    LoadShares sums;
    LoadShares squares;
    for (NodeIndex node = 0; node < cluster_.node_count(); ++node) {
      const LoadShares shares = SharesOf(cluster_.reported(node), cluster_.capacity());
      sums = sums + shares;
      for (const DemandResource r : kAllDemandResources) squares[r] += shares[r] * shares[r];
    }
    const auto nodes = static_cast<double>(cluster_.node_count());
    return Least(fits, [&](NodeIndex node) {
      const LoadShares shares = SharesOf(cluster_.reported(node), cluster_.capacity());
      double deviations = 0;
      for (const DemandResource r : kAllDemandResources) {
        const double with = shares[r] + added[r];
        const double mean = (sums[r] + added[r]) / nodes;
        const double mean_square = (squares[r] - shares[r] * shares[r] + with * with) / nodes;
        deviations += std::sqrt(std::max(mean_square - mean * mean, 0.0));
      }
      return deviations;
    });
  }

 private:
  const TenantCluster& cluster_;
};

}  // namespace

std::unique_ptr<Technique> NewLeastDeviation(const TechniqueContext& context) {
  return std::make_unique<LeastDeviation>(context);
}

}  // namespace berth
