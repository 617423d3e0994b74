#include "oversub/anneal.h"

#include <gtest/gtest.h>

#include "oversub/balance_reference_testing.h"

namespace berth {
namespace {

using testing::kBalanceNow;
using testing::kBalanceRepetitions;
using testing::NewRandomBalance;
using testing::NoTraces;
using testing::RandomBalance;

BalanceReplica Of(std::uint32_t service, std::uint32_t machine, std::uint32_t cpu) {
  BalanceReplica replica;
  replica.service = service;
  replica.machine = machine;
  replica.usage = Demand(cpu, 0, 0);
  replica.tenant.observed_peak = replica.usage;
  return replica;
}

BalanceProblem Machines(std::size_t count, std::size_t services) {
  BalanceProblem problem;
  problem.machines.assign(count, {.capacity = Demand(100, 100, 100)});
  problem.services.resize(services);
  return problem;
}

// The least energy of all states that random moves could reach, by walking through every one.
double LeastEnergy(BalanceState state, std::uint32_t replica) {
  double least = state.energy();
  for (std::uint32_t i = replica; i < state.problem().replicas.size(); ++i) {
    for (std::uint32_t to = 0; to < state.problem().machines.size(); ++to) {
      if (!state.Admits(i, to)) continue;
      BalanceState moved = state;
      moved.Move(i, to);
      least = std::min(least, LeastEnergy(std::move(moved), i + 1));
    }
  }
  return least;
}

TEST(Anneal, FindsTheBestOfAllStatesOfSmallProblems) {
  Rng rng(31);
  int moved = 0;
  for (int round = 0; round < 20; ++round) {
    BalanceProblem problem = Machines(3, 5);
    for (std::uint32_t i = 0; i < 5; ++i) {
      problem.replicas.push_back(Of(i, static_cast<std::uint32_t>(rng.Below(3)),
                                    static_cast<std::uint32_t>(5 + rng.Below(40))));
    }
    BalanceState state = BalanceState::Build(problem, NoTraces(), 0, {.repetitions = 4}).value();
    const double least = LeastEnergy(state, 0);
    Anneal(state, {.steps = 3'000}, rng);
    EXPECT_LE(state.energy(), least + 1e-12);
    moved += static_cast<int>(state.figures().moved);
  }
  EXPECT_GT(moved, 0);
}

TEST(Anneal, NeverEndsWorseAndKeepsEveryConstraint) {
  Rng rng(32);
  for (int round = 0; round < 60; ++round) {
    const RandomBalance balance = NewRandomBalance(rng);
    BalanceState state = BalanceState::Build(balance.problem, balance.library, kBalanceNow,
                                             {.repetitions = kBalanceRepetitions, .moves_max = 3})
                             .value();
    const double before = state.energy();
    const std::uint64_t violated_before = state.figures().violated_now;
    Anneal(state, {.steps = 500}, rng);
    EXPECT_LE(state.energy(), before);
    EXPECT_LE(state.figures().moved, 3U);
    EXPECT_LE(state.figures().violated_now, violated_before);
    for (std::uint32_t i = 0; i < balance.problem.replicas.size(); ++i) {
      const BalanceReplica& replica = balance.problem.replicas[i];
      const std::uint32_t now = state.MachineOf(i);
      if (now == replica.machine) continue;
      EXPECT_FALSE(replica.pinned);
      EXPECT_NE(replica.machine, kNowhere);
      // It could go where it is, were it elsewhere: all limits hold there with it.
      BalanceState without = state;
      without.Move(i, kNowhere);
      EXPECT_TRUE(without.Admits(i, now));
    }
  }
}

TEST(Anneal, GivesTheSameForTheSameSeed) {
  Rng rng(33);
  const RandomBalance balance = NewRandomBalance(rng);
  const auto run = [&](std::uint64_t seed) {
    BalanceState state = BalanceState::Build(balance.problem, balance.library, kBalanceNow,
                                             {.repetitions = kBalanceRepetitions})
                             .value();
    Rng own(seed);
    Anneal(state, {.steps = 1'000}, own);
    std::vector<std::uint32_t> machines;
    for (std::uint32_t i = 0; i < balance.problem.replicas.size(); ++i) {
      machines.push_back(state.MachineOf(i));
    }
    return machines;
  };
  EXPECT_EQ(run(5), run(5));
}

// 60 + 40 on one machine of 100, nothing on the other: one of them has to go.
TEST(Anneal, ResolvesAViolationWithAsFewMovesAsItTakes) {
  BalanceProblem problem = Machines(2, 2);
  problem.replicas = {Of(0, 0, 60), Of(1, 0, 40)};
  BalanceState state = BalanceState::Build(problem, NoTraces(), 0, {.repetitions = 4}).value();
  EXPECT_EQ(state.figures().violated_now, 1U);
  Rng rng(1);
  Anneal(state, {.steps = 200}, rng);
  EXPECT_EQ(state.figures().violated_now, 0U);
  EXPECT_EQ(state.figures().moved, 1U);
  EXPECT_DOUBLE_EQ(state.ExpectedViolations(), 0);
}

TEST(Anneal, LeavesAloneWhatCannotBeHelped) {
  BalanceProblem problem = Machines(2, 2);
  problem.replicas = {Of(0, 0, 97), Of(1, 1, 97)};
  BalanceState state = BalanceState::Build(problem, NoTraces(), 0, {.repetitions = 4}).value();
  Rng rng(1);
  EXPECT_EQ(Anneal(state, {.steps = 200}, rng).taken, 0U);
  EXPECT_EQ(state.figures().moved, 0U);
}

// Both machines use 30 now. What is on the first will grow to 80, what is on the second stays. The
// original energy sees no difference and takes the first machine; the extended one knows better.
TEST(BestMachineFor, IsTheOneWithoutViolationsAheadIfTheEnergyIsExtended) {
  DemandModel grows;
  grows.memory = GrowthTo(30, 80, 5);
  grows.lifetime = 10;
  DemandModel stays = grows;
  stays.memory = GrowthTo(30, 30, 0);
  stays.tenant_class = TenantClass{1};
  const TraceLibrary library = TraceLibrary::Build({grows, stays}).value();

  BalanceProblem problem = Machines(2, 3);
  const auto replica = [](std::uint32_t service, std::uint32_t machine, TenantClass tenant_class) {
    BalanceReplica result;
    result.service = service;
    result.machine = machine;
    result.usage = Demand(0, 30, 0);
    result.tenant.key = service;
    result.tenant.tenant_class = tenant_class;
    return result;
  };
  problem.replicas = {replica(0, 0, TenantClass{0}), replica(1, 1, TenantClass{1}),
                      replica(2, kNowhere, TenantClass{1})};
  const auto best = [&](std::uint32_t repetitions) {
    const BalanceState state =
        BalanceState::Build(problem, library, 0, {.repetitions = repetitions}).value();
    return BestMachineFor(state, 2);
  };
  EXPECT_EQ(best(0), 0U);
  EXPECT_EQ(best(20), 1U);

  problem.services[2].max_per_machine = 1;
  problem.machines[0].usable = problem.machines[1].usable = {};
  problem.replicas[2].limit[Resource::kCpu] = 1;
  EXPECT_EQ(best(20), std::nullopt);
}

}  // namespace
}  // namespace berth
