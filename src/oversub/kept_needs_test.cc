#include "oversub/kept_needs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "berth/rng.h"
#include "oversub/balance_reference_testing.h"
#include "oversub/slow_reference_testing.h"

namespace berth {
namespace {

using testing::kBalanceNow;
using testing::kBalanceRepetitions;
using testing::ModelsOf;
using testing::NewRandomBalance;
using testing::RandomBalance;
using testing::RandomSlowTraces;
using testing::RandomTenant;

// The maxima of what is drawn now, worked out one by one.
void ExpectAnew(const TraceLibrary& library, const HostedTenant& tenant, Step now,
                const TenantNeeds& needs) {
  const std::size_t lanes = NeedLanesFor(kBalanceRepetitions);
  PerResource<NeedLane> greatest;
  for (std::uint32_t i = 0; i < kBalanceRepetitions; ++i) {
    const TraceIndex drawn = library.Draw(tenant, now, i);
    Demand need = tenant.promised;
    for (const DemandResource r : kAllDemandResources) {
      if (tenant.observed_peak[r] > 0) need[r] = tenant.observed_peak[r];
    }
    if (drawn != kNoTrace) {
      const DemandModel& model = library.model(drawn);
      need = {model.cpu_p90, model.memory.maximum, model.disk.maximum};
    }
    for (const DemandResource r : kAllDemandResources) {
      const auto expected = static_cast<NeedLane>(need[r]);
      ASSERT_EQ(needs.lanes[static_cast<std::size_t>(r) * lanes + i], expected);
      greatest[r] = std::max(greatest[r], expected);
    }
  }
  EXPECT_EQ(needs.greatest, greatest);
}

void SeeMore(Rng& rng, HostedTenant& tenant) {
  for (const DemandResource r : kAllDemandResources) {
    const bool first = tenant.promised[r] > 0;
    if (first && rng.Below(4) > 0) continue;
    tenant.promised[r] = 0;
    // It may be seen to need nothing.
    if (!first || rng.Below(2) == 0) {
      tenant.observed_peak[r] += static_cast<std::uint32_t>(rng.Below(3'000));
    }
  }
}

TEST(KeptNeeds, AreAtEveryStepWhatIsDrawnAnew) {
  Rng rng(31);
  for (int round = 0; round < 10; ++round) {
    const auto traces = RandomSlowTraces(rng, 200, 60, 2);
    const TraceLibrary library = TraceLibrary::Build(ModelsOf(traces)).value();
    KeptNeeds kept(library, kBalanceRepetitions);
    std::vector<HostedTenant> tenants;
    for (Step now = 100; now < 180; now += static_cast<Step>(rng.Below(3))) {
      if (rng.Below(2) == 0) tenants.push_back(RandomTenant(rng, traces, now));
      for (HostedTenant& tenant : tenants) {
        if (rng.Below(4) == 0) SeeMore(rng, tenant);
        // Not all are asked about at every step, and some are forgotten.
        if (rng.Below(8) > 0) ExpectAnew(library, tenant, now, kept.Of(tenant, now));
      }
      if (rng.Below(4) == 0) kept.ForgetBefore(now);
    }
  }
}

// A step in a fleet: some grow, some move, one goes and another comes.
void Live(Rng& rng, const RandomBalance& balance, Step now, BalanceProblem& problem) {
  for (BalanceReplica& replica : problem.replicas) {
    if (rng.Below(4) == 0) SeeMore(rng, replica.tenant);
    if (rng.Below(8) == 0) {
      replica.machine = static_cast<std::uint32_t>(rng.Below(problem.machines.size()));
    }
  }
  BalanceReplica& changed = problem.replicas[rng.Below(problem.replicas.size())];
  changed.tenant = RandomTenant(rng, balance.traces, now);
}

TEST(KeptNeeds, MakeTheStateThatIsBuiltFromScratch) {
  Rng rng(32);
  std::uint64_t violations = 0;
  for (int round = 0; round < 30; ++round) {
    const RandomBalance balance = NewRandomBalance(rng);
    const TraceLibrary& library = balance.library;
    BalanceProblem problem = balance.problem;
    KeptNeeds needs(library, kBalanceRepetitions);
    for (Step now = kBalanceNow; now < kBalanceNow + 15; ++now) {
      BalanceState scratch =
          BalanceState::Build(problem, library, now, {.repetitions = kBalanceRepetitions}).value();
      BalanceState kept = BalanceState::Build(problem, library, now,
                                              {.repetitions = kBalanceRepetitions, .kept = &needs})
                              .value();
      ASSERT_EQ(kept.figures(), scratch.figures());
      BalanceReplica newcomer = problem.replicas.front();
      newcomer.machine = kNowhere;
      newcomer.tenant = RandomTenant(rng, balance.traces, now);
      const std::uint32_t added = scratch.Add(newcomer, library, now);
      ASSERT_EQ(kept.Add(newcomer, library, now), added);
      for (std::uint32_t i = 0; i <= added; ++i) {
        const auto to = static_cast<std::uint32_t>(rng.Below(problem.machines.size()));
        ASSERT_EQ(kept.Admits(i, to), scratch.Admits(i, to));
        ASSERT_EQ(kept.With(i, to), scratch.With(i, to));
        kept.Move(i, to);
        scratch.Move(i, to);
        ASSERT_EQ(kept.figures(), scratch.figures());
      }
      violations += kept.figures().violations_ahead;
      Live(rng, balance, now, problem);
    }
  }
  EXPECT_GT(violations, 1'000U);
}

}  // namespace
}  // namespace berth
