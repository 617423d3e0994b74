// The one number that says how full a node is, of its three loads.
#pragma once

#include <algorithm>
#include <memory>
#include <span>

#include "sim/tenants/cluster.h"
#include "sim/tenants/technique.h"

namespace berth {

// Of the capacity.
using LoadShares = PerResource<double>;

inline LoadShares SharesOf(const NodeLoad& load, const Demand& capacity) {
  LoadShares shares;
  for (const DemandResource r : kAllDemandResources) {
    shares[r] = static_cast<double>(load[r]) / capacity[r];
  }
  return shares;
}
inline LoadShares SharesOf(const Demand& demand, const Demand& capacity) {
  using enum DemandResource;
  return SharesOf(NodeLoad(demand[kCpu], demand[kMemory], demand[kDisk]), capacity);
}

// Eq. 4: the greatest share.
struct WeighMax {
  double operator()(const LoadShares& shares) const {
    using enum DemandResource;
    return std::max({shares[kCpu], shares[kMemory], shares[kDisk]});
  }
};

// Eq. 3: shares, each weighted by the mean demand for the resource. A weight is the demand of the
// whole cluster here: dividing all by the number of tenants changes no order. As in vector packing
// loads are shares of a node; in their own units disk would drown the rest.
struct WeighSum {
  explicit WeighSum(const TenantCluster& cluster)
      : weights(SharesOf(cluster.reported_total(), cluster.capacity())) {}

  double operator()(const LoadShares& shares) const {
    double sum = 0;
    for (const DemandResource r : kAllDemandResources) sum += weights[r] * shares[r];
    return sum;
  }

  LoadShares weights;
};

// How full the node is with the tenant.
double FullnessWith(const TenantCluster& cluster, NodeIndex node, const ClusterTenant& tenant,
                    const auto& weigh) {
  const LoadShares now = SharesOf(cluster.reported(node), cluster.capacity());
  return weigh(now + SharesOf(tenant.reported, cluster.capacity()));
}

// The first of the nodes with the least score.
NodeIndex Least(std::span<const NodeIndex> nodes, const auto& score) {
  NodeIndex best = nodes.front();
  double least = score(best);
  for (const NodeIndex node : nodes.subspan(1)) {
    const double scored = score(node);
    if (scored < least) {
      least = scored;
      best = node;
    }
  }
  return best;
}

}  // namespace berth
