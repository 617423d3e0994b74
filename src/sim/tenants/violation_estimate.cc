#include "sim/tenants/violation_estimate.h"

#include <algorithm>

namespace berth {

ViolationEstimate::ViolationEstimate(const TechniqueContext& context, Least least)
    : least_(least),
      library_(context.library),
      risks_(context.library,
             {.repetitions = kRepetitions, .profiles_max = context.cluster.node_count()}) {
  for (NodeIndex node = 0; node < context.cluster.node_count(); ++node) {
    risks_.AddMachine(context.cluster.thresholds());
    risks_.Advance(node, now_);
  }
}

void ViolationEstimate::Advance(Step now) {
  now_ = now;
  for (NodeIndex node = 0; node < risks_.machine_count(); ++node) risks_.Advance(node, now);
}

void ViolationEstimate::Placed(const ClusterTenant& tenant) {
  risks_.Insert(tenant.node, tenant.hosted);
}

void ViolationEstimate::Left(const ClusterTenant& tenant, NodeIndex from) {
  risks_.Remove(from, tenant.hosted.key);
}

void ViolationEstimate::Exceeded(const ClusterTenant& tenant) {
  risks_.Observe(tenant.node, tenant.hosted);
}

std::span<const ViolationEstimate::Scored> ViolationEstimate::Score(
    const ClusterTenant& tenant, std::span<const NodeIndex> nodes) {
  const Newcomer newcomer(library_, tenant.hosted, Newcomer::Arrival::At(now_), kRepetitions);
  scored_.clear();
  for (const NodeIndex node : nodes) scored_.push_back({node, risks_.Score(node, newcomer)});
  return scored_;
}

// As harm, how probable it is that the tenant brings a violation to a node that would have been
// spared one.
double ViolationEstimate::HarmOf(const Risk& risk) const {
  const std::uint32_t spared = kRepetitions - risk.before;
  if (spared == 0) return 1;
  const std::uint32_t of = least_ == Least::kHarm ? spared : kRepetitions;
  return static_cast<double>(risk.after - risk.before) / of;
}

std::vector<NodeIndex> ViolationEstimate::LeastHarmed(std::span<const Scored> scored) const {
  double least = 1;
  for (const Scored& of : scored) least = std::min(least, HarmOf(of.risk));
  std::vector<NodeIndex> nodes;
  for (const Scored& of : scored) {
    if (HarmOf(of.risk) == least) nodes.push_back(of.node);
  }
  return nodes;
}

}  // namespace berth
