#include "oversub/balance_problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

namespace berth {
namespace {

Status Wrong(std::string what) { return Status(Code::kInvalidArgument, std::move(what)); }

Status CheckReplica(const BalanceProblem& problem, std::size_t index) {
  const BalanceReplica& replica = problem.replicas[index];
  if (replica.service >= problem.services.size()) {
    return Wrong(fmt::format("Replica {} is of service {}, there are {}", index, replica.service,
                             problem.services.size()));
  }
  if (replica.machine != kNowhere && replica.machine >= problem.machines.size()) {
    return Wrong(fmt::format("Replica {} is on machine {}, there are {}", index, replica.machine,
                             problem.machines.size()));
  }
  if (!problem.reaches.empty() && replica.reach >= problem.reaches.size()) {
    return Wrong(fmt::format("Replica {} has reach {}, there are {}", index, replica.reach,
                             problem.reaches.size()));
  }
  if (!Covers(Demand(kDemandMax, kDemandMax, kDemandMax), replica.usage)) {
    return Wrong(fmt::format("Replica {} uses more than {} of a resource", index, kDemandMax));
  }
  return {};
}

using Shares = PerResource<double>;

// By machine.
std::vector<Shares> UsedShares(const BalanceProblem& problem) {
  std::vector<PerResource<std::uint64_t>> used(problem.machines.size());
  for (const BalanceReplica& replica : problem.replicas) {
    if (replica.machine == kNowhere) continue;
    for (const DemandResource r : kAllDemandResources) {
      used[replica.machine][r] += replica.usage[r];
    }
  }
  std::vector<Shares> shares(problem.machines.size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    for (const DemandResource r : kAllDemandResources) {
      const std::uint32_t capacity = problem.machines[i].capacity[r];
      if (capacity > 0) shares[i][r] = static_cast<double>(used[i][r]) / capacity;
    }
  }
  return shares;
}

std::vector<double> FullnessOf(const BalanceProblem& problem, Weighting weighting) {
  const std::vector<Shares> shares = UsedShares(problem);
  std::map<std::uint32_t, Shares> of_cluster;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    Shares& sum = of_cluster[problem.machines[i].cluster];
    sum = sum + shares[i];
  }
  std::vector<double> fullness(shares.size());
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const Shares& weights = of_cluster[problem.machines[i].cluster];
    double weight = 0;
    for (const DemandResource r : kAllDemandResources) {
      if (weighting == Weighting::kMax) {
        fullness[i] = std::max(fullness[i], shares[i][r]);
      } else if (problem.machines[i].capacity[r] > 0) {
        fullness[i] += weights[r] * shares[i][r];
        weight += weights[r];
      }
    }
    if (weight > 0) fullness[i] /= weight;
  }
  return fullness;
}

}  // namespace

Status CheckProblem(const BalanceProblem& problem) {
  if (problem.machines.empty() || problem.machines.size() > kBalanceMachinesMax) {
    return Wrong(fmt::format("{} machines to balance, 1 to {}", problem.machines.size(),
                             kBalanceMachinesMax));
  }
  if (problem.replicas.size() > kBalanceReplicasMax) {
    return Wrong(fmt::format("{} replicas to balance, at most {}", problem.replicas.size(),
                             kBalanceReplicasMax));
  }
  for (const DemandResource r : kAllDemandResources) {
    const std::uint32_t share = problem.threshold_thousandths[r];
    if (share >= 1 && share <= 1'000) continue;
    return Wrong(fmt::format("A violation at {} thousandths of a capacity, 1 to 1000", share));
  }
  for (const BalanceMachine& machine : problem.machines) {
    if (!Covers(Demand(kDemandMax, kDemandMax, kDemandMax), machine.capacity)) {
      return Wrong(fmt::format("A machine has more than {} of a resource", kDemandMax));
    }
  }
  for (const std::vector<bool>& reach : problem.reaches) {
    if (reach.size() != problem.machines.size()) {
      return Wrong(fmt::format("A reach over {} machines, there are {}", reach.size(),
                               problem.machines.size()));
    }
  }
  for (std::size_t i = 0; i < problem.replicas.size(); ++i) {
    BERTH_RETURN_IF_ERROR(CheckReplica(problem, i));
  }
  return {};
}

void HoldOutEmptiest(BalanceProblem& problem, std::size_t per_cluster, Weighting weighting) {
  const std::vector<double> fullness = FullnessOf(problem, weighting);
  std::vector<std::size_t> order(problem.machines.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return fullness[i]; });
  std::map<std::uint32_t, std::size_t> held_out;  // By cluster.
  for (const std::size_t i : order) {
    BalanceMachine& machine = problem.machines[i];
    std::size_t& count = held_out[machine.cluster];
    machine.held_out = count < per_cluster;
    if (machine.held_out) ++count;
  }
}

}  // namespace berth
