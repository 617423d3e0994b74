#include "sim/tenants/cluster.h"

#include <algorithm>
#include <cmath>

#include "berth/check.h"

namespace berth {

NodeSpec NodeSpec1() { return {.capacity = Demand(80'000, 417'792, 4'768'371)}; }
NodeSpec NodeSpec2() { return {.capacity = Demand(128'000, 417'792, 4'768'371)}; }

TenantCluster::TenantCluster(const NodeSpec& spec, std::uint32_t nodes, const NodeDomains& domains)
    : spec_(spec), domains_(domains), nodes_(nodes) {
  const Thresholds loads = thresholds();
  for (const DemandResource r : kAllDemandResources) {
    violated_from_[r] = static_cast<std::uint64_t>(std::ceil(loads[r] / kLoadUnit));
  }
}

Thresholds TenantCluster::thresholds() const {
  return ThresholdsOf(spec_.capacity, spec_.violation_thousandths);
}

double TenantCluster::SizeOf(const Demand& demand) const {
  double size = 0;
  for (const DemandResource r : kAllDemandResources) {
    size += static_cast<double>(demand[r]) / spec_.capacity[r];
  }
  return size;
}

NodeLoad TenantCluster::Widened(const Demand& demand) {
  using enum DemandResource;
  return {demand[kCpu], demand[kMemory], demand[kDisk]};
}

bool TenantCluster::Reaches(const NodeLoad& load) const {
  return std::ranges::any_of(kAllDemandResources,
                             [&](DemandResource r) { return load[r] >= violated_from_[r]; });
}

std::span<const ClusterTenant> TenantCluster::ReplicasOf(const ClusterTenant& tenant) const {
  const std::span<const ClusterTenant> from = std::span(tenants_).subspan(tenant.first);
  const auto end =
      std::ranges::find_if(from, [&](const auto& other) { return other.first != tenant.first; });
  return from.first(static_cast<std::size_t>(end - from.begin()));
}

bool TenantCluster::KeepsApart(const ClusterTenant& tenant, NodeIndex node) const {
  return std::ranges::all_of(ReplicasOf(tenant), [&](const ClusterTenant& other) {
    return other.number == tenant.number || other.node == kNoNode ||
           domains_.Apart(other.node, node);
  });
}

void TenantCluster::FindFits(const ClusterTenant& tenant, NodeIndex except,
                             std::vector<NodeIndex>& fits) const {
  fits.clear();
  const NodeLoad reported = Widened(tenant.reported);
  for (NodeIndex node = 0; node < node_count(); ++node) {
    if (node == except || !KeepsApart(tenant, node)) continue;
    if (!Reaches(nodes_[node].reported + reported)) fits.push_back(node);
  }
  if (!fits.empty()) return;
  for (NodeIndex node = 0; node < node_count(); ++node) {
    if (node != except && FitsNow(tenant, node)) fits.push_back(node);
  }
}

TenantNumber TenantCluster::Add(const HostedTenant& hosted, const PooledTenant& pooled,
                                const Demand& estimate, std::optional<TenantNumber> first) {
  const auto number = static_cast<TenantNumber>(tenants_.size());
  BERTH_CHECK(!first || tenants_.back().first == *first);
  tenants_.push_back({.number = number,
                      .first = first.value_or(number),
                      .hosted = hosted,
                      .pooled = pooled,
                      .node = kNoNode,
                      .demand = estimate,
                      .reported = estimate});
  return number;
}

void TenantCluster::Place(TenantNumber number, NodeIndex node) {
  ClusterTenant& tenant = tenants_[number];
  BERTH_CHECK(tenant.node == kNoNode);
  tenant.node = node;
  nodes_[node].tenants.push_back(number);
  nodes_[node].load = nodes_[node].load + Widened(tenant.demand);
  nodes_[node].reported = nodes_[node].reported + Widened(tenant.reported);
  reported_total_ = reported_total_ + Widened(tenant.reported);
  promised_millicores_ += tenant.pooled.promised_millicores;
  ++tenant_count_;
}

void TenantCluster::Take(TenantNumber number) {
  ClusterTenant& tenant = tenants_[number];
  BERTH_CHECK(tenant.node != kNoNode);
  Node& node = nodes_[tenant.node];
  tenant.node = kNoNode;
  std::erase(node.tenants, number);
  node.load = node.load - Widened(tenant.demand);
  node.reported = node.reported - Widened(tenant.reported);
  reported_total_ = reported_total_ - Widened(tenant.reported);
  promised_millicores_ -= tenant.pooled.promised_millicores;
  --tenant_count_;
}

bool TenantCluster::Update(TenantNumber number, const Demand& demand, const Demand& reported) {
  ClusterTenant& tenant = tenants_[number];
  Node& node = nodes_[tenant.node];
  // Unsigned arithmetic: what wraps in the difference wraps back in the sum.
  const NodeLoad change = Widened(reported) - Widened(tenant.reported);
  node.load = node.load + (Widened(demand) - Widened(tenant.demand));
  node.reported = node.reported + change;
  reported_total_ = reported_total_ + change;
  tenant.demand = demand;
  tenant.reported = reported;
  if (Covers(tenant.hosted.observed_peak, demand)) return false;
  tenant.hosted.observed_peak = Greater(tenant.hosted.observed_peak, demand);
  return true;
}

}  // namespace berth
