// An over-subscribed cluster of equal nodes: who is where, what everyone needs now, and what
// techniques are told of it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "oversub/hosted_tenant.h"
#include "oversub/violation.h"
#include "sim/tenants/domains.h"
#include "sim/tenants/numbers.h"
#include "sim/tenants/tenant_pool.h"

namespace berth {

struct NodeSpec {
  Demand capacity;
  std::uint32_t violation_thousandths = 950;  // Of the capacity: from there on it is violated.
};
// The two of the paper's section 8: 80 vCores with 5.1 GB each and 5 TB; 128 cores, else the same.
NodeSpec NodeSpec1();
NodeSpec NodeSpec2();

using NodeLoad = PerResource<std::uint64_t>;

// A replica: a tenant of its own, or one of a tenant's several.
struct ClusterTenant {
  TenantNumber number = 0;
  TenantNumber first = 0;  // Of its tenant's replicas, which are numbered from there on.
  HostedTenant hosted;
  PooledTenant pooled;
  NodeIndex node = kNoNode;
  Demand demand;    // What it needs now.
  Demand reported;  // What techniques are told that it needs.
};

class TenantCluster {
 public:
  TenantCluster(const NodeSpec& spec, std::uint32_t nodes, const NodeDomains& domains = {});

  std::uint32_t node_count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  const Demand& capacity() const { return spec_.capacity; }
  const NodeDomains& domains() const { return domains_; }
  Thresholds thresholds() const;
  std::uint32_t violation_thousandths() const { return spec_.violation_thousandths; }
  const NodeLoad& reported(NodeIndex node) const { return nodes_[node].reported; }
  // Of all nodes.
  const NodeLoad& reported_total() const { return reported_total_; }
  std::span<const TenantNumber> tenants(NodeIndex node) const { return nodes_[node].tenants; }
  const ClusterTenant& tenant(TenantNumber number) const { return tenants_[number]; }
  // All of its tenant, itself included, wherever they are.
  std::span<const ClusterTenant> ReplicasOf(const ClusterTenant& tenant) const;
  std::uint64_t promised_millicores() const { return promised_millicores_; }
  std::size_t tenant_count() const { return tenant_count_; }
  // The share of a node that a demand is, added up over resources: what "smallest" means.
  double SizeOf(const Demand& demand) const;

  bool InViolation(NodeIndex node) const { return Reaches(nodes_[node].load); }
  bool InViolation(NodeIndex node, DemandResource resource) const {
    return nodes_[node].load[resource] >= violated_from_[resource];
  }
  // Whether no other replica of its tenant shares the node or one of its domains.
  bool KeepsApart(const ClusterTenant& tenant, NodeIndex node) const;
  // The nodes that would not be violated with so much more and that keep its tenant's replicas
  // apart. By what is reported; if by that there is none, by what is needed.
  void FindFits(const ClusterTenant& tenant, NodeIndex except, std::vector<NodeIndex>& fits) const;
  bool FitsNow(const ClusterTenant& tenant, NodeIndex node) const {
    return KeepsApart(tenant, node) && !Reaches(nodes_[node].load + Widened(tenant.demand));
  }

  // Its demand is what is estimated, until Update says better. It is a tenant of its own, or one
  // more of the tenant that was added last, whose first replica is named.
  TenantNumber Add(const HostedTenant& hosted, const PooledTenant& pooled, const Demand& estimate,
                   std::optional<TenantNumber> first = std::nullopt);
  void Place(TenantNumber number, NodeIndex node);
  void Take(TenantNumber number);
  // Whether more was seen of it than ever before.
  bool Update(TenantNumber number, const Demand& demand, const Demand& reported);

 private:
  struct Node {
    NodeLoad load;
    NodeLoad reported;
    std::vector<TenantNumber> tenants;
  };

  static NodeLoad Widened(const Demand& demand);
  bool Reaches(const NodeLoad& load) const;

  NodeSpec spec_;
  NodeDomains domains_;
  NodeLoad violated_from_;
  NodeLoad reported_total_;
  std::uint64_t promised_millicores_ = 0;
  std::size_t tenant_count_ = 0;
  std::vector<Node> nodes_;
  std::vector<ClusterTenant> tenants_;
};

}  // namespace berth
