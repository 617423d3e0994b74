// For tests: the balancer's energy from nothing but who is where, and random problems to ask it of.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "berth/rng.h"
#include "oversub/balance_state.h"
#include "oversub/demand_curve.h"
#include "oversub/slow_reference_testing.h"

namespace berth::testing {

inline constexpr Step kBalanceNow = 100;
inline constexpr std::uint32_t kBalanceRepetitions = 37;  // Not a whole number of lanes.

inline const TraceLibrary& NoTraces() {
  static const TraceLibrary kLibrary = TraceLibrary::Build({}).value();
  return kLibrary;
}

struct RandomBalance {
  std::vector<SlowTrace> traces;
  TraceLibrary library;
  BalanceProblem problem;
};

// Machines of two sizes, tight enough that every constraint binds now and then. Some replicas are
// nowhere, some pinned, and some have no trace that could stand for them.
inline RandomBalance NewRandomBalance(Rng& rng) {
  std::vector<SlowTrace> traces = RandomSlowTraces(rng, 40, 12, 2);
  TraceLibrary library = TraceLibrary::Build(ModelsOf(traces)).value();
  BalanceProblem problem;
  const std::uint64_t machines = 2 + rng.Below(6);
  for (std::uint64_t i = 0; i < machines; ++i) {
    BalanceMachine machine;
    const auto size = static_cast<std::uint32_t>(150'000 + 100'000 * rng.Below(2));
    machine.capacity = Demand(size, size, rng.Below(8) == 0 ? 0 : size);
    machine.rack = static_cast<std::uint32_t>(rng.Below(3));
    machine.update_domain = static_cast<std::uint32_t>(rng.Below(4));
    machine.usable[Resource::kCpu] = static_cast<std::int64_t>(2 + rng.Below(8));
    problem.machines.push_back(machine);
  }
  for (std::uint64_t left = 3 + rng.Below(8); left > 0; --left) {
    problem.services.push_back({.max_per_machine = static_cast<std::uint32_t>(rng.Below(3)),
                                .max_per_rack = static_cast<std::uint32_t>(rng.Below(3)),
                                .max_per_update_domain = static_cast<std::uint32_t>(rng.Below(3))});
  }
  for (int i = 0; i < 2; ++i) {
    std::vector<bool> reach(machines);
    for (std::size_t machine = 0; machine < machines; ++machine) reach[machine] = rng.Below(6) > 0;
    problem.reaches.push_back(reach);
  }
  for (std::uint64_t left = 4 + rng.Below(16); left > 0; --left) {
    BalanceReplica replica;
    replica.service = static_cast<std::uint32_t>(rng.Below(problem.services.size()));
    if (rng.Below(10) > 0) replica.machine = static_cast<std::uint32_t>(rng.Below(machines));
    replica.pinned = rng.Below(8) == 0;
    replica.reach = static_cast<std::uint32_t>(rng.Below(2));
    replica.limit[Resource::kCpu] = 1;
    replica.tenant = RandomTenant(rng, traces, kBalanceNow);
    if (rng.Below(8) == 0) replica.tenant.tenant_class = TenantClass{9};
    replica.usage = replica.tenant.Held();
    problem.replicas.push_back(replica);
  }
  HoldOutEmptiest(problem, rng.Below(2));
  return {std::move(traces), std::move(library), std::move(problem)};
}

class SlowBalance {
 public:
  SlowBalance(const RandomBalance& balance, const BalanceState& state)
      : library_(balance.library), problem_(balance.problem) {
    for (std::uint32_t i = 0; i < problem_.replicas.size(); ++i) {
      machine_of_.push_back(state.MachineOf(i));
    }
  }
  void Move(std::uint32_t replica, std::uint32_t to) { machine_of_[replica] = to; }

  BalanceFigures Figures() const {
    BalanceFigures figures;
    for (std::uint32_t machine = 0; machine < problem_.machines.size(); ++machine) {
      const BalanceMachine& record = problem_.machines[machine];
      bool violated = false;
      for (const DemandResource r : kAllDemandResources) {
        const std::int64_t usage = Usage(machine, r);
        violated = violated || Violates(machine, r, ToLoad(1) * static_cast<Load>(usage));
        std::int64_t level = 0;
        if (record.capacity[r] > 0) {
          level = std::min<std::int64_t>(kLevelMax, usage * kLevelOne / record.capacity[r]);
        }
        figures.levels[r] += level;
        figures.square_levels[r] += level * level;
        if (record.held_out) figures.held_out_levels += level;
      }
      figures.violated_now += violated ? 1U : 0U;
      figures.violations_ahead += ViolationsAhead(machine);
    }
    for (std::size_t i = 0; i < machine_of_.size(); ++i) {
      const std::uint32_t home = problem_.replicas[i].machine;
      if (home != kNowhere && machine_of_[i] != home) ++figures.moved;
    }
    return figures;
  }

  // With the mean and the deviations from it written out.
  static double Energy(const RandomBalance& balance, const BalanceFigures& figures,
                       const std::vector<PerResource<double>>& levels) {
    const auto machines = static_cast<double>(levels.size());
    double imbalance = 0;
    for (const DemandResource r : kAllDemandResources) {
      double mean = 0;
      for (const auto& level : levels) mean += level[r] / machines;
      double square = 0;
      for (const auto& level : levels) square += (level[r] - mean) * (level[r] - mean) / machines;
      imbalance += std::sqrt(square) / kDemandResourceCount;
    }
    double held_out = 0;
    for (std::size_t i = 0; i < levels.size(); ++i) {
      if (!balance.problem.machines[i].held_out) continue;
      for (const DemandResource r : kAllDemandResources) held_out += levels[i][r];
    }
    return static_cast<double>(figures.violated_now) +
           static_cast<double>(figures.moved) /
               static_cast<double>(balance.problem.replicas.size()) +
           0.1 * static_cast<double>(figures.violations_ahead) / kBalanceRepetitions + imbalance +
           held_out / (kDemandResourceCount * machines);
  }
  std::vector<PerResource<double>> Levels() const {
    std::vector<PerResource<double>> levels(problem_.machines.size());
    for (std::uint32_t i = 0; i < levels.size(); ++i) {
      for (const DemandResource r : kAllDemandResources) {
        const auto usage = static_cast<double>(Usage(i, r));
        const std::uint32_t capacity = problem_.machines[i].capacity[r];
        if (capacity > 0) levels[i][r] = std::min(16.0, usage / capacity);
      }
    }
    return levels;
  }

  bool Admits(std::uint32_t replica, std::uint32_t to, std::uint64_t moves_max) const {
    const BalanceReplica& record = problem_.replicas[replica];
    if (record.pinned || machine_of_[replica] == to) return false;
    if (!problem_.reaches[record.reach][to]) return false;
    SlowBalance after = *this;
    after.Move(replica, to);
    if (after.Figures().moved > moves_max) return false;
    Resources allocated;
    for (const DemandResource r : kAllDemandResources) {
      if (Violates(to, r, ToLoad(1) * static_cast<Load>(after.Usage(to, r)))) return false;
    }
    const BalanceService& service = problem_.services[record.service];
    std::uint32_t together[3] = {};
    for (std::size_t i = 0; i < machine_of_.size(); ++i) {
      const std::uint32_t at = after.machine_of_[i];
      if (at == to) allocated += problem_.replicas[i].limit;
      if (at == kNowhere || problem_.replicas[i].service != record.service) continue;
      together[0] += at == to ? 1U : 0U;
      together[1] += problem_.machines[at].rack == problem_.machines[to].rack ? 1U : 0U;
      together[2] +=
          problem_.machines[at].update_domain == problem_.machines[to].update_domain ? 1U : 0U;
    }
    const auto over = [](std::uint32_t count, std::uint32_t most) {
      return most > 0 && count > most;
    };
    return allocated.FitsIn(problem_.machines[to].usable) &&
           !over(together[0], service.max_per_machine) &&
           !over(together[1], service.max_per_rack) &&
           !over(together[2], service.max_per_update_domain);
  }

  // The published estimate, which the balancer's must not be below.
  std::uint32_t ExactViolations(std::uint32_t machine) const {
    std::vector<HostedTenant> tenants;
    for (std::size_t i = 0; i < machine_of_.size(); ++i) {
      if (machine_of_[i] == machine) tenants.push_back(problem_.replicas[i].tenant);
    }
    return CountViolations(
        library_, tenants, kBalanceNow,
        ThresholdsOf(problem_.machines[machine].capacity, problem_.threshold_thousandths),
        kBalanceRepetitions);
  }

  // Each tenant at the greatest of what its drawn model ever needs.
  std::uint32_t ViolationsAhead(std::uint32_t machine) const {
    std::uint32_t count = 0;
    for (std::uint32_t repetition = 0; repetition < kBalanceRepetitions; ++repetition) {
      PerResource<Load> load;
      for (std::size_t i = 0; i < machine_of_.size(); ++i) {
        if (machine_of_[i] == machine) load = load + Greatest(problem_.replicas[i], repetition);
      }
      const bool violated = std::ranges::any_of(
          kAllDemandResources, [&](DemandResource r) { return Violates(machine, r, load[r]); });
      count += violated ? 1U : 0U;
    }
    return count;
  }

 private:
  std::int64_t Usage(std::uint32_t machine, DemandResource r) const {
    std::int64_t usage = 0;
    for (std::size_t i = 0; i < machine_of_.size(); ++i) {
      if (machine_of_[i] == machine) usage += problem_.replicas[i].usage[r];
    }
    return usage;
  }
  bool Violates(std::uint32_t machine, DemandResource r, Load load) const {
    return load >=
           ThresholdsOf(problem_.machines[machine].capacity, problem_.threshold_thousandths)[r];
  }
  PerResource<Load> Greatest(const BalanceReplica& replica, std::uint32_t repetition) const {
    PerResource<Load> greatest;
    const TraceIndex drawn = library_.Draw(replica.tenant, kBalanceNow, repetition);
    for (const DemandResource r : kAllDemandResources) {
      if (drawn == kNoTrace) {
        greatest[r] = ToLoad(std::max(replica.tenant.observed_peak[r], replica.tenant.promised[r]));
        continue;
      }
      const DemandCurve curve = CurveOf(library_, replica.tenant, drawn);
      for (Step moment = curve.creation + 1; moment <= curve.end; ++moment) {
        greatest[r] = std::max(greatest[r], curve.At(r, moment));
      }
    }
    return greatest;
  }

  const TraceLibrary& library_;
  const BalanceProblem& problem_;
  std::vector<std::uint32_t> machine_of_;
};

}  // namespace berth::testing
