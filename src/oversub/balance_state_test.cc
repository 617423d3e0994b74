#include "oversub/balance_state.h"

#include <gtest/gtest.h>

#include "oversub/balance_reference_testing.h"

namespace berth {
namespace {

using testing::kBalanceNow;
using testing::kBalanceRepetitions;
using testing::NewRandomBalance;
using testing::NoTraces;
using testing::RandomBalance;
using testing::SlowBalance;

// Who holds what it was seen to use, for ever.
BalanceReplica Holding(std::uint32_t service, std::uint32_t machine, const Demand& usage) {
  BalanceReplica replica;
  replica.service = service;
  replica.machine = machine;
  replica.usage = usage;
  replica.tenant.observed_peak = usage;
  return replica;
}

// Two machines of 100 each. Usage (40, 20, 0) and (20, 40, 20) of cpu, memory and disk. Deviations
// are half of the difference: 0.1, 0.1 and 0.1, the mean 0.1. The second is held out: it has 0.8 in
// all, over three resources and two machines. Nothing is violated: levels are rounded down by less
// than 1 in 65,536.
TEST(BalanceState, AddsUpTheEnergyWorkedOutByHand) {
  BalanceProblem problem;
  problem.machines = {{.capacity = Demand(100, 100, 100)}, {.capacity = Demand(100, 100, 100)}};
  problem.machines[1].held_out = true;
  problem.services = {{}, {}};
  problem.replicas = {Holding(0, 0, Demand(40, 20, 0)), Holding(1, 1, Demand(20, 40, 20))};
  BalanceState state = BalanceState::Build(problem, NoTraces(), 0, {.repetitions = 10}).value();
  EXPECT_EQ(state.figures().violated_now, 0U);
  EXPECT_NEAR(state.Imbalance(state.figures()), 0.1, 1e-4);
  EXPECT_NEAR(state.Fragmentation(state.figures()), 0.8 / 6, 1e-4);
  EXPECT_NEAR(state.energy(), 0.1 + 0.8 / 6, 1e-4);

  // Both on the first: 60, 60, 20; nothing is left on the second. One of two replicas moved.
  state.Move(1, 0);
  EXPECT_EQ(state.figures().moved, 1U);
  EXPECT_NEAR(state.Imbalance(state.figures()), (0.3 + 0.3 + 0.1) / 3, 1e-4);
  EXPECT_NEAR(state.energy(), 0.5 + (0.3 + 0.3 + 0.1) / 3, 1e-4);
}

// One machine of 100, of which 95 are a violation. The one replica uses 95 now and will always.
TEST(BalanceState, CountsAViolationNowAndATenthOfOneToCome) {
  BalanceProblem problem;
  problem.machines = {{.capacity = Demand(100, 100, 100)}};
  problem.services = {{}};
  problem.replicas = {Holding(0, 0, Demand(95, 0, 0))};
  const BalanceState original =
      BalanceState::Build(problem, NoTraces(), 0, {.repetitions = 0}).value();
  EXPECT_DOUBLE_EQ(original.energy(), 1);
  const BalanceState extended =
      BalanceState::Build(problem, NoTraces(), 0, {.repetitions = 10}).value();
  EXPECT_DOUBLE_EQ(extended.energy(), 1.1);
  EXPECT_DOUBLE_EQ(extended.ExpectedViolations(), 1);

  problem.replicas = {Holding(0, 0, Demand(94, 0, 0))};
  EXPECT_DOUBLE_EQ(
      BalanceState::Build(problem, NoTraces(), 0, {.repetitions = 10}).value().energy(), 0);
}

TEST(BalanceState, IsWhatTheSlowReferenceSaysAfterAnyMoves) {
  Rng rng(21);
  int admitted = 0;
  int refused = 0;
  int violated = 0;
  int ahead = 0;
  for (int round = 0; round < 60; ++round) {
    const RandomBalance balance = NewRandomBalance(rng);
    const std::uint64_t moves_max = rng.Below(2) == 0 ? UINT64_MAX : rng.Below(5);
    BalanceState state =
        BalanceState::Build(balance.problem, balance.library, kBalanceNow,
                            {.repetitions = kBalanceRepetitions, .moves_max = moves_max})
            .value();
    for (int step = 0; step < 40; ++step) {
      SlowBalance slow(balance, state);
      ASSERT_EQ(state.figures(), slow.Figures());
      EXPECT_NEAR(state.energy(), SlowBalance::Energy(balance, state.figures(), slow.Levels()),
                  1e-3);
      violated += state.figures().violated_now > 0 ? 1 : 0;
      ahead += state.figures().violations_ahead > 0 ? 1 : 0;
      const auto replica = static_cast<std::uint32_t>(rng.Below(balance.problem.replicas.size()));
      const auto to = static_cast<std::uint32_t>(rng.Below(balance.problem.machines.size()));
      const bool admits = state.Admits(replica, to);
      ASSERT_EQ(admits, slow.Admits(replica, to, moves_max));
      (admits ? admitted : refused) += 1;
      slow.Move(replica, to);
      ASSERT_EQ(state.With(replica, to), slow.Figures());
      // Now and then one that is not admitted, so that states get crowded.
      if (admits || rng.Below(3) == 0) state.Move(replica, to);
    }
  }
  EXPECT_GT(admitted, 200);
  EXPECT_GT(refused, 200);
  EXPECT_GT(violated, 200);
  EXPECT_GT(ahead, 200);
}

TEST(BalanceState, ByHarmCountsWhatIsBroughtAsAShareOfWhatWasSpared) {
  Rng rng(24);
  int doomed = 0;
  int harmed = 0;
  for (int round = 0; round < 100; ++round) {
    const RandomBalance balance = NewRandomBalance(rng);
    const BalanceState state = BalanceState::Build(balance.problem, balance.library, kBalanceNow,
                                                   {.repetitions = kBalanceRepetitions})
                                   .value();
    for (std::uint32_t replica = 0; replica < balance.problem.replicas.size(); ++replica) {
      const auto to = static_cast<std::uint32_t>(rng.Below(balance.problem.machines.size()));
      if (state.MachineOf(replica) == to) continue;
      SlowBalance slow(balance, state);
      const double before = slow.ViolationsAhead(to);
      slow.Move(replica, to);
      const double brought = slow.ViolationsAhead(to) - before;
      const double spared = kBalanceRepetitions - before;
      const double harm = spared == 0 ? 1 : brought / spared;
      EXPECT_NEAR(state.EnergyByHarm(replica, to) - state.EnergyOf(state.With(replica, to)),
                  0.1 * (harm - brought / kBalanceRepetitions), 1e-9);
      doomed += spared == 0 ? 1 : 0;
      harmed += spared > 0 && before > 0 && brought > 0 ? 1 : 0;
    }
  }
  EXPECT_GT(doomed, 50);
  EXPECT_GT(harmed, 20);
}

TEST(BalanceState, IsTheSameWithNewcomersAddedOneByOneAsBuiltAtOnce) {
  Rng rng(23);
  for (int round = 0; round < 60; ++round) {
    const RandomBalance balance = NewRandomBalance(rng);
    const BalanceOptions options{.repetitions = rng.Below(4) == 0 ? 0 : kBalanceRepetitions};
    BalanceProblem first = balance.problem;
    first.replicas.resize(rng.Below(first.replicas.size()));
    BalanceState grown = BalanceState::Build(first, balance.library, kBalanceNow, options).value();
    for (std::size_t i = first.replicas.size(); i < balance.problem.replicas.size(); ++i) {
      BalanceReplica newcomer = balance.problem.replicas[i];
      newcomer.machine = kNowhere;
      ASSERT_EQ(grown.Add(newcomer, balance.library, kBalanceNow), i);
      grown.Move(static_cast<std::uint32_t>(i), balance.problem.replicas[i].machine);
    }
    const BalanceState built =
        BalanceState::Build(balance.problem, balance.library, kBalanceNow, options).value();
    ASSERT_EQ(grown.figures(), built.figures());
    EXPECT_DOUBLE_EQ(grown.energy(), built.energy());
  }
}

TEST(BalanceState, ExpectsAtLeastTheViolationsOfTheExactEstimate) {
  Rng rng(22);
  std::uint64_t exact_sum = 0;
  std::uint64_t bound_sum = 0;
  for (int round = 0; round < 200; ++round) {
    const RandomBalance balance = NewRandomBalance(rng);
    const BalanceState state = BalanceState::Build(balance.problem, balance.library, kBalanceNow,
                                                   {.repetitions = kBalanceRepetitions})
                                   .value();
    const SlowBalance slow(balance, state);
    for (std::uint32_t i = 0; i < balance.problem.machines.size(); ++i) {
      const std::uint32_t exact = slow.ExactViolations(i);
      const double bound = state.ExpectedViolations(i) * kBalanceRepetitions;
      EXPECT_GE(std::lround(bound), exact);
      exact_sum += exact;
      bound_sum += static_cast<std::uint64_t>(std::lround(bound));
    }
  }
  // Neither without violations nor the same thing.
  EXPECT_GT(exact_sum, 1'000U);
  EXPECT_GT(bound_sum, exact_sum + 500);
}

TEST(BalanceState, RefusesProblemsThatAreNotWhole) {
  BalanceProblem problem;
  EXPECT_FALSE(BalanceState::Build(problem, NoTraces(), 0, {}).ok());
  problem.machines = {{.capacity = Demand(100, 100, 100)}};
  problem.services = {{}};
  problem.replicas = {Holding(0, 1, Demand(1, 1, 1))};
  EXPECT_FALSE(BalanceState::Build(problem, NoTraces(), 0, {}).ok());
  problem.replicas = {Holding(1, 0, Demand(1, 1, 1))};
  EXPECT_FALSE(BalanceState::Build(problem, NoTraces(), 0, {}).ok());
  problem.replicas = {Holding(0, 0, Demand(1, 1, 1))};
  EXPECT_TRUE(BalanceState::Build(problem, NoTraces(), 0, {}).ok());
  problem.replicas.assign(20, Holding(0, 0, Demand(kDemandMax, 0, 0)));
  EXPECT_FALSE(BalanceState::Build(problem, NoTraces(), 0, {}).ok());
}

// Shares of cpu, memory and disk: 0.5, 0, 0; 0, 0.4, 0; 0.3, 0.3, 0.45.
BalanceProblem ThreeInUse() {
  BalanceProblem problem;
  for (int i = 0; i < 3; ++i) problem.machines.push_back({.capacity = Demand(100, 1'000, 100)});
  problem.services = {{}};
  problem.replicas = {Holding(0, 0, Demand(50, 0, 0)), Holding(0, 1, Demand(0, 400, 0)),
                      Holding(0, 2, Demand(30, 300, 45))};
  return problem;
}

TEST(HoldOut, TakesTheLeastUsedByTheirScarcestResource) {
  BalanceProblem problem = ThreeInUse();
  HoldOutEmptiest(problem, 1);
  EXPECT_FALSE(problem.machines[0].held_out);
  EXPECT_TRUE(problem.machines[1].held_out);
  EXPECT_FALSE(problem.machines[2].held_out);
}

// Of cpu, memory and disk the cluster uses shares of 0.8, 0.7 and 0.45, so the means are 0.205,
// 0.144 and 0.335.
TEST(HoldOut, TakesTheLeastUsedInTheMean) {
  BalanceProblem problem = ThreeInUse();
  HoldOutEmptiest(problem, 2, Weighting::kMax);
  EXPECT_FALSE(problem.machines[0].held_out);
  HoldOutEmptiest(problem, 2, Weighting::kSum);
  EXPECT_TRUE(problem.machines[0].held_out);
  EXPECT_TRUE(problem.machines[1].held_out);
  EXPECT_FALSE(problem.machines[2].held_out);
  // Machines of one cluster do not count in another: there cpu is all that is used.
  problem.machines[0].cluster = 1;
  HoldOutEmptiest(problem, 1, Weighting::kSum);
  EXPECT_TRUE(problem.machines[0].held_out);
  EXPECT_TRUE(problem.machines[1].held_out);
}

TEST(BalanceState, RefusesMoreThanMayBeKept) {
  BalanceProblem problem;
  problem.machines = {{.capacity = Demand(100, 100, 100)}};
  problem.services = {{}};
  problem.replicas = {Holding(0, 0, Demand(1, 1, 1))};
  const auto refused =
      BalanceState::Build(problem, NoTraces(), 0, {.repetitions = UINT32_MAX / 2}).status();
  EXPECT_EQ(refused.code(), Code::kResourceExhausted);
  // 2^30 lanes for three resources of one machine and one replica.
  EXPECT_NE(refused.message().find("at most 178956968 repetitions"), std::string::npos)
      << refused.message();
}

TEST(BalanceState, SharesWithItsCopiesButNotWhatIsAdded) {
  BalanceProblem problem;
  problem.machines = {{.capacity = Demand(100, 100, 100)}};
  problem.services = {{.max_per_machine = 0}};
  problem.replicas = {Holding(0, 0, Demand(1, 1, 1))};
  const auto state = BalanceState::Build(problem, NoTraces(), 0, {.repetitions = 8}).value();
  BalanceState first = state;
  BalanceState second = state;
  EXPECT_EQ(&first.problem(), &state.problem());
  EXPECT_EQ(first.Add(Holding(0, kNowhere, Demand(99, 1, 1)), NoTraces(), 0), 1U);
  EXPECT_EQ(second.Add(Holding(0, kNowhere, Demand(1, 1, 1)), NoTraces(), 0), 1U);
  EXPECT_EQ(state.problem().replicas.size(), 1U);
  first.Move(1, 0);
  second.Move(1, 0);
  EXPECT_TRUE(first.ViolatedNow(0));
  EXPECT_FALSE(second.ViolatedNow(0));
}

}  // namespace
}  // namespace berth
