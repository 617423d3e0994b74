// The annealing balancer (section 7 of the tenant placement paper) as a technique: a tenant goes
// where the energy is least, and who leaves a node in violation is found by simulated annealing.
// Nothing is moved only to balance. By harm, what a tenant brings to come is judged as by
// prv_fit.h; of several moves at once there is no such thing, so nodes are relieved by the original
// energy. A tenant is a service, whose replicas share no node, no rack, which is a fault domain
// here, and no update domain.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "berth/rng.h"
#include "oversub/balance_state.h"
#include "oversub/kept_needs.h"
#include "sim/tenants/cluster.h"
#include "sim/tenants/technique.h"

namespace berth {

class Annealing final : public Technique {
 public:
  struct Ahead {
    std::uint32_t repetitions = 0;  // 0: the original energy, without the violations to come.
    bool by_harm = false;
  };
  Annealing(const TechniqueContext& context, const Ahead& ahead)
      : cluster_(context.cluster),
        library_(context.library),
        ahead_(ahead),
        needs_(context.library, ahead.repetitions),
        rng_(Rng(context.seed).Fork("annealing")) {}

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override;
  void Advance(Step now) override;
  void Placed(const ClusterTenant& tenant) override;
  void Left(const ClusterTenant& tenant, NodeIndex from) override;
  std::optional<Move> Relieve(NodeIndex violated) override;

 private:
  struct Snapshot {
    BalanceState state;
    std::vector<TenantNumber> numbers;  // Of the replicas.
  };
  // All of the cluster at one step. Until the next one it is only told what changes.
  struct Kept {
    BalanceState state;
    std::vector<std::uint32_t> replicas{};  // By tenant number.
  };
  BalanceState StateOf(const BalanceProblem& problem, std::uint32_t repetitions);
  Snapshot Take(std::uint32_t repetitions);
  Kept& Keep();
  std::uint32_t ReplicaOf(const ClusterTenant& tenant);
  void FindMoves(NodeIndex violated);

  const TenantCluster& cluster_;
  const TraceLibrary& library_;
  const Ahead ahead_;
  KeptNeeds needs_;
  Rng rng_;
  Step now_ = 0;
  std::optional<Kept> kept_;
  std::deque<Move> moves_;
  NodeIndex moves_for_ = kNoNode;    // Which node they relieve.
  std::vector<NodeIndex> relieved_;  // In this step.
};

}  // namespace berth
