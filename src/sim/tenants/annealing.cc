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

BalanceReplica ReplicaOf(const ClusterTenant& tenant) {
  return {.service = 0,
          .machine = tenant.node == kNoNode ? kNowhere : tenant.node,
          .pinned = false,
          .reach = 0,
          .usage = tenant.reported,
          .limit = {},
          .tenant = tenant.hosted};
}

// Where it may happen that a node needs more than can be reckoned with, what is to come tells
// nodes apart no more, and the present decides.
BalanceState StateOf(const BalanceProblem& problem, const TraceLibrary& library, Step now,
                     std::uint32_t repetitions) {
  Result<BalanceState> state =
      BalanceState::Build(problem, library, now, {.repetitions = repetitions});
  if (!state.ok()) state = BalanceState::Build(problem, library, now, {.repetitions = 0});
  return std::move(state).value();
}

}  // namespace

Annealing::Snapshot Annealing::Take(const ClusterTenant* newcomer) const {
  BalanceProblem problem;
  std::vector<TenantNumber> numbers;
  const std::uint32_t threshold = cluster_.violation_thousandths();
  problem.threshold_thousandths = {threshold, threshold, threshold};
  // Limits are not asked for, nor who shares a node with whom.
  problem.services = {{.max_per_machine = 0, .max_per_rack = 0, .max_per_update_domain = 0}};
  problem.machines.assign(cluster_.node_count(), {.capacity = cluster_.capacity()});
  problem.replicas.reserve(cluster_.tenant_count() + 1);
  numbers.reserve(cluster_.tenant_count());
  for (NodeIndex node = 0; node < cluster_.node_count(); ++node) {
    for (const TenantNumber number : cluster_.tenants(node)) {
      problem.replicas.push_back(ReplicaOf(cluster_.tenant(number)));
      numbers.push_back(number);
    }
  }
  HoldOutEmptiest(problem, kNodesHeldOut);
  if (newcomer != nullptr) problem.replicas.push_back(ReplicaOf(*newcomer));
  return {StateOf(problem, library_, now_, repetitions_), std::move(numbers)};
}

NodeIndex Annealing::Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) {
  const bool is_new = tenant.node == kNoNode;
  const Snapshot now = Take(is_new ? &tenant : nullptr);
  std::uint32_t replica = static_cast<std::uint32_t>(now.numbers.size());
  if (!is_new) {
    const auto at = std::ranges::find_if(
        now.numbers, [&](TenantNumber number) { return &cluster_.tenant(number) == &tenant; });
    replica = static_cast<std::uint32_t>(at - now.numbers.begin());
  }
  return Least(fits,
               [&](NodeIndex node) { return now.state.EnergyOf(now.state.With(replica, node)); });
}

void Annealing::Advance(Step now) {
  now_ = now;
  relieved_.clear();
  moves_.clear();
}

std::optional<Technique::Move> Annealing::Relieve(NodeIndex violated) {
  if (std::exchange(moves_for_, violated) != violated) moves_.clear();
  if (moves_.empty() && std::ranges::find(relieved_, violated) == relieved_.end()) {
    relieved_.push_back(violated);
    FindMoves(violated);
  }
  if (moves_.empty()) return std::nullopt;
  const Move next = moves_.front();
  moves_.pop_front();
  return next;
}

// Those from the node itself come first: once it is relieved the others are of no use.
void Annealing::FindMoves(NodeIndex violated) {
  Snapshot now = Take(nullptr);
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
