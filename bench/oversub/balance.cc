// Candidate moves of the balancer, with the original energy and with the extended one, in the same
// run: 40 machines in 10 update domains and 5 racks, as published.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/quantiles.h"
#include "bench/bar.h"
#include "bench/oversub/suites.h"
#include "bench/oversub/tenants.h"
#include "berth/check.h"
#include "oversub/anneal.h"

namespace berth {
namespace {

constexpr std::uint32_t kMachines = 40;
constexpr std::uint32_t kUpdateDomains = 10;
constexpr std::uint32_t kRacks = 5;
constexpr std::uint64_t kCandidates = 1'000;

// Machines that hold so many tenants each, of a size at which the given share of machines and
// repetitions is violated ahead.
BalanceProblem Crowded(const TraceLibrary& library, std::size_t tenants, double violated) {
  Rng rng(6);
  BalanceProblem problem;
  for (std::uint32_t i = 0; i < kMachines; ++i) {
    BalanceMachine machine;
    machine.rack = i % kRacks;
    machine.update_domain = i % kUpdateDomains;
    machine.usable[Resource::kCpu] = kAmountMax;
    problem.machines.push_back(machine);
    for (std::size_t left = tenants; left > 0; --left) {
      BalanceReplica replica;
      replica.service = static_cast<std::uint32_t>(problem.services.size());
      replica.machine = i;
      const Met met = TenantAtWork(PopulationRegions().front(), kBenchStart, rng);
      replica.tenant = met.tenant;
      replica.usage = met.usage;
      problem.services.push_back({.max_per_machine = 1,  //
                                  .max_per_rack = 1,
                                  .max_per_update_domain = 1});
      problem.replicas.push_back(replica);
    }
  }
  const auto at_scale = [&](double scale) {
    for (BalanceMachine& machine : problem.machines) {
      machine.capacity = Demand(static_cast<std::uint32_t>(80'000 * scale),
                                static_cast<std::uint32_t>(417'792 * scale),
                                static_cast<std::uint32_t>(4'768'372 * scale));
    }
    return BalanceState::Build(problem, library, kBenchStart, {}).value().ExpectedViolations() /
           kMachines;
  };
  double too_small = 0.05;
  double large = 8;
  for (int i = 0; i < 12; ++i) {
    const double middle = (too_small + large) / 2;
    (at_scale(middle) > violated ? too_small : large) = middle;
  }
  at_scale(large);
  HoldOutEmptiest(problem, 3);
  return problem;
}

// Microseconds of a thousand random moves that are admitted: drawn, admitted or not, and scored.
double ThousandScored_us(const BalanceState& state, Rng& rng) {
  double sum = 0;
  const double us = Timed_us([&] {
    for (std::uint64_t scored = 0; scored < kCandidates;) {
      const auto replica = static_cast<std::uint32_t>(rng.Below(state.problem().replicas.size()));
      const auto to = static_cast<std::uint32_t>(rng.Below(kMachines));
      if (!state.Admits(replica, to)) continue;
      sum += state.EnergyOf(state.With(replica, to));
      ++scored;
    }
  });
  BERTH_CHECK(sum > 0);
  return us;
}

// Microseconds of a thousand steps of annealing, most of them scored, many made.
double ThousandSteps_us(const BalanceState& start, int rounds) {
  constexpr std::uint64_t kThousands = 20;
  std::vector<double> took_us;
  for (int i = 0; i < rounds; ++i) {
    BalanceState state = start;
    Rng rng(static_cast<std::uint64_t>(i));
    const auto anneal = [&] { Anneal(state, {.steps = kThousands * kCandidates}, rng); };
    took_us.push_back(Timed_us(anneal) / kThousands);
  }
  return Quantile(took_us, 0.5);
}

}  // namespace

void RunBalance(bool full) {
  Rng rng(4);
  const TraceLibrary library =
      GeneratedLibrary(PopulationRegions().front(), full ? 115'000 : 20'000, rng);
  const int rounds = full ? 1'000 : 200;
  fmt::print("1,000 candidate moves of the balancer, {} machines, {} repetitions\n", kMachines,
             BalanceOptions{}.repetitions);
  double worst_ratio = 0;
  double worst_ms = 0;
  for (const std::size_t tenants : {25U, 100U}) {
    for (const double violated : {0.01, 0.1, 0.5}) {
      const BalanceProblem problem = Crowded(library, tenants, violated);
      const auto state = [&](std::uint32_t repetitions) {
        return BalanceState::Build(problem, library, kBenchStart, {.repetitions = repetitions})
            .value();
      };
      const BalanceState original = state(0);
      const BalanceState extended = state(100);
      // In turn, so that whatever else the processor does happens to both.
      std::vector<double> originals_us;
      std::vector<double> extendeds_us;
      for (int i = 0; i < rounds; ++i) {
        originals_us.push_back(ThousandScored_us(original, rng));
        extendeds_us.push_back(ThousandScored_us(extended, rng));
      }
      const double original_us = Quantile(originals_us, 0.5);
      const double extended_us = Quantile(extendeds_us, 0.5);
      worst_ratio = std::max(worst_ratio, extended_us / original_us);
      worst_ms = std::max(worst_ms, extended_us / 1'000);
      fmt::print(
          "  {:>4} tenants a machine, {:>2.0f} % of repetitions violated ahead: original {:.3f} "
          "ms, extended {:.3f} ms, {:.2f} times; 1,000 steps of annealing {:.3f} and {:.3f} ms\n",
          tenants, 100 * violated, original_us / 1'000, extended_us / 1'000,
          extended_us / original_us, ThousandSteps_us(original, 5) / 1'000,
          ThousandSteps_us(extended, 5) / 1'000);
    }
  }
  PrintBar("oversub.balance_extended_over_original", worst_ratio, "<=", 2.1);
  PrintBar("oversub.balance_thousand_moves_ms", worst_ms, "<=", 20);
}

}  // namespace berth
