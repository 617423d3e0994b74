#include "sim/tenants/annealing.h"

#include <algorithm>
#include <utility>

#include "oversub/anneal.h"
#include "sim/tenants/weighting.h"

namespace berth {
namespace {

constexpr std::size_t kNodesHeldOut = 3;
// Configurations tried for a node in violation: as many as the paper reports the time of.
constexpr std::uint64_t kConfigurations = 1000;

// The service of those who come during a step: they are offered only what they may share.
constexpr std::uint32_t kNewcomers = 0;

BalanceReplica AsReplica(const ClusterTenant& tenant, std::uint32_t service,
                         std::uint32_t machine) {
  return {.service = service,
          .machine = machine,
          .pinned = false,
          .reach = 0,
          .usage = tenant.reported,
          .limit = {},
          .tenant = tenant.hosted};
}

// What a tenant is called elsewhere; kUnknown at first.
constexpr std::uint32_t kUnknown = UINT32_MAX;
std::uint32_t& EntryOf(std::vector<std::uint32_t>& by_number, TenantNumber number) {
  if (number >= by_number.size()) by_number.resize(number + 1, kUnknown);
  return by_number[number];
}

}  // namespace

// Where it may happen that a node needs more than can be reckoned with, what is to come tells
// nodes apart no more, and the present decides.
BalanceState Annealing::StateOf(const BalanceProblem& problem, std::uint32_t repetitions) {
  Result<BalanceState> state =
      BalanceState::Build(problem, library_, now_, {.repetitions = repetitions, .kept = &needs_});
  if (!state.ok()) state = BalanceState::Build(problem, library_, now_, {.repetitions = 0});
  needs_.ForgetBefore(now_);
  return std::move(state).value();
}

Annealing::Snapshot Annealing::Take(std::uint32_t repetitions) {
  BalanceProblem problem;
  std::vector<TenantNumber> numbers;
  const std::uint32_t threshold = cluster_.violation_thousandths();
  problem.threshold_thousandths = {threshold, threshold, threshold};
  // Limits are not asked for. The service of newcomers may share everything.
  problem.services = {{.max_per_machine = 0, .max_per_rack = 0, .max_per_update_domain = 0}};
  std::vector<std::uint32_t> services;  // By the first replica.
  problem.replicas.reserve(cluster_.tenant_count());
  numbers.reserve(cluster_.tenant_count());
  for (NodeIndex node = 0; node < cluster_.node_count(); ++node) {
    problem.machines.push_back({.capacity = cluster_.capacity(),
                                .rack = cluster_.domains().FaultOf(node),
                                .update_domain = cluster_.domains().UpdateOf(node)});
    for (const TenantNumber number : cluster_.tenants(node)) {
      const ClusterTenant& tenant = cluster_.tenant(number);
      std::uint32_t& service = EntryOf(services, tenant.first);
      if (service == kUnknown) {
        service = static_cast<std::uint32_t>(problem.services.size());
        problem.services.push_back(
            {.max_per_machine = 1, .max_per_rack = 1, .max_per_update_domain = 1});
      }
      problem.replicas.push_back(AsReplica(tenant, service, node));
      numbers.push_back(number);
    }
  }
  HoldOutEmptiest(problem, kNodesHeldOut);
  return {StateOf(problem, repetitions), std::move(numbers)};
}

NodeIndex Annealing::Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) {
  const BalanceState& state = Keep().state;
  const std::uint32_t replica = ReplicaOf(tenant);
  return Least(fits, [&](NodeIndex node) {
    return ahead_.by_harm ? state.EnergyByHarm(replica, node)
                          : state.EnergyOf(state.With(replica, node));
  });
}

Annealing::Kept& Annealing::Keep() {
  if (kept_) return *kept_;
  Snapshot now = Take(ahead_.repetitions);
  kept_.emplace(Kept{.state = std::move(now.state)});
  for (std::uint32_t i = 0; i < now.numbers.size(); ++i)
    EntryOf(kept_->replicas, now.numbers[i]) = i;
  return *kept_;
}

// Of one whom nothing was told of yet: a newcomer.
std::uint32_t Annealing::ReplicaOf(const ClusterTenant& tenant) {
  std::uint32_t& replica = EntryOf(kept_->replicas, tenant.number);
  if (replica == kUnknown) {
    replica = kept_->state.Add(AsReplica(tenant, kNewcomers, kNowhere), library_, now_);
  }
  return replica;
}

void Annealing::Placed(const ClusterTenant& tenant) {
  if (!kept_) return;
  const std::uint32_t replica = ReplicaOf(tenant);
  if (!kept_->state.Reckons(replica, tenant.node)) {
    kept_.reset();
  } else {
    kept_->state.Move(replica, tenant.node);
  }
}

void Annealing::Left(const ClusterTenant& tenant, NodeIndex /*from*/) {
  if (kept_) kept_->state.Move(ReplicaOf(tenant), kNowhere);
}

void Annealing::Advance(Step now) {
  now_ = now;
  kept_.reset();
  relieved_.clear();
  moves_.clear();
}

std::optional<Technique::Move> Annealing::Relieve(NodeIndex violated) {
  if (std::exchange(moves_for_, violated) != violated) moves_.clear();
  if (moves_.empty() && std::ranges::find(relieved_, violated) == relieved_.end()) {
    relieved_.push_back(violated);
    FindMoves(violated);
  }
  // A move waits for others that make way for it, and is left out if none does.
  const auto at = std::ranges::find_if(moves_, [&](const Move& move) {
    return cluster_.FitsNow(cluster_.tenant(move.tenant), move.to);
  });
  if (at == moves_.end()) return std::nullopt;
  const Move next = *at;
  moves_.erase(at);
  return next;
}

// Those from the node itself come first: once it is relieved the others are of no use.
void Annealing::FindMoves(NodeIndex violated) {
  Snapshot now = Take(ahead_.by_harm ? 0 : ahead_.repetitions);
  Anneal(now.state, {.steps = kConfigurations}, rng_);
  for (const bool from_here : {true, false}) {
    for (std::uint32_t i = 0; i < now.numbers.size(); ++i) {
      const NodeIndex from = cluster_.tenant(now.numbers[i]).node;
      const NodeIndex to = now.state.MachineOf(i);
      if (from != to && (from == violated) == from_here) moves_.push_back({now.numbers[i], to});
    }
  }
}

}  // namespace berth
