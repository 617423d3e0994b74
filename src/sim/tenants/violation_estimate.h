// The probability of a violation on every node, kept up to date: what PrV-BestFit and PrV-WorstFit
// (Algorithms 2 and 3 of the tenant placement paper) share.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "oversub/fleet_risk.h"
#include "sim/tenants/cluster.h"
#include "sim/tenants/technique.h"

namespace berth {

class ViolationEstimate {
 public:
  // What there is to be least of where no node is safe. Lines 16 and 22 of the algorithms take the
  // rise, Delta = after - before. It is 0 where a violation is certain and next to 0 where it is
  // nearly so: newcomers would be sent to the nodes in most danger, whose violations then repeat.
  // Harm is Delta divided by the share of repetitions in which there would have been no violation.
  enum class Least : std::uint8_t { kHarm, kRise };

  ViolationEstimate(const TechniqueContext& context, Least least);

  void Advance(Step now);
  void Placed(const ClusterTenant& tenant);
  void Left(const ClusterTenant& tenant, NodeIndex from);
  void Exceeded(const ClusterTenant& tenant);

  struct Scored {
    NodeIndex node = 0;
    Risk risk;
  };
  // Of each of the nodes, with the tenant.
  std::span<const Scored> Score(const ClusterTenant& tenant, std::span<const NodeIndex> nodes);

  // Below theta = 0.01.
  static bool Safe(const Risk& risk) { return risk.after < kRepetitions / 100; }
  // When no node is safe. Nodes where a violation is certain come last, and if it is everywhere,
  // all are answered.
  std::vector<NodeIndex> LeastHarmed(std::span<const Scored> scored) const;

 private:
  static constexpr std::uint32_t kRepetitions = 100;

  double HarmOf(const Risk& risk) const;

  const Least least_;
  const TraceLibrary& library_;
  FleetRisk risks_;
  Step now_ = 0;
  std::vector<Scored> scored_;
};

}  // namespace berth
