#include "oversub/balance_plan.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "fleet/fleet_testing.h"

namespace berth {
namespace {

// Machines m1 and m2 in rack k1, m3 in k2, each of 8 cpu and 32Gi, twice over-subscribed.
class BalancePlanTest : public ::testing::Test {
 protected:
  BalancePlanTest() {
    world_.SetPolicy("oversubscription: {cpu: 200%, memory: 200%}");
    policy_.emplace(ParseAllocatePolicy(ParseDocument("{}", "policy").value().root()).value());
  }

  void Add(const Service& service, const std::vector<std::string>& machines,
           const std::vector<std::int64_t>& used_cpu) {
    world_.Do(Create(service, machines, 2));
    for (std::uint32_t i = 0; i < used_cpu.size(); ++i) {
      usage_[{service.name, i}] = {Amounts(used_cpu[i]), Amounts(used_cpu[i])};
    }
  }

  BalancePlan Plan(std::uint64_t moves_max = 20) {
    return PlanBalance({.policy = *policy_,
                        .fleet = world_.inventory(),
                        .usage = usage_,
                        .demand = library_,
                        .now = world_.now(),
                        .moves_max = moves_max,
                        .steps = 3'000})
        .value();
  }

  World world_;
  std::optional<AllocatePolicy> policy_;
  UsageByInstance usage_;
  TraceLibrary library_ = TraceLibrary::Build({}).value();
};

// 8 of 8 cpu are used on m1, the others are empty.
TEST_F(BalancePlanTest, TakesWhatIsTooMuchOffAViolatedMachine) {
  Add(ServiceOf("a", 1), {"m1"}, {4});
  Add(ServiceOf("b", 1), {"m1"}, {4});
  const BalancePlan plan = Plan();
  EXPECT_EQ(plan.machines, 3U);
  EXPECT_EQ(plan.instances, 2U);
  EXPECT_EQ(plan.before.violated_now, 1U);
  EXPECT_DOUBLE_EQ(plan.before.expected_violations, 1);
  ASSERT_EQ(plan.moves.size(), 1U);
  EXPECT_EQ(plan.moves[0].from, MachineId("m1"));
  EXPECT_DOUBLE_EQ(plan.moves[0].expected_violations, 0);
  EXPECT_EQ(plan.after.violated_now, 0U);
  EXPECT_DOUBLE_EQ(plan.after.expected_violations, 0);
  EXPECT_LT(plan.after.energy, plan.before.energy);
  ASSERT_EQ(plan.outlooks.size(), 2U);
  EXPECT_EQ(plan.outlooks[0].machine, MachineId("m1"));
  EXPECT_TRUE(plan.outlooks[0].violated_now);
  EXPECT_FALSE(plan.outlooks[0].violated_after);
  EXPECT_TRUE(plan.refused.empty());
}

TEST_F(BalancePlanTest, MovesNoMoreThanItMay) {
  Add(ServiceOf("a", 1), {"m1"}, {4});
  Add(ServiceOf("b", 1), {"m1"}, {4});
  EXPECT_TRUE(Plan(0).moves.empty());
}

TEST_F(BalancePlanTest, KeepsReplicasOfAServiceApart) {
  Service apart = ServiceOf("a", 3);
  apart.constraints.max_per_machine = 1;
  Add(apart, {"m1", "m2", "m3"}, {4, 1, 1});
  Service racks = ServiceOf("b", 2);
  racks.constraints.max_per_rack = 1;
  Add(racks, {"m1", "m3"}, {4, 1});
  const BalancePlan plan = Plan();
  ASSERT_EQ(plan.moves.size(), 1U);
  EXPECT_EQ(ToString(plan.moves[0].instance), "b/0");
  EXPECT_EQ(plan.moves[0].to, MachineId("m2"));
}

TEST_F(BalancePlanTest, KeepsReplicasOfAServiceInUpdateDomainsOfTheirOwn) {
  // m4 is violated; all other machines are in the domain that holds the other replicas.
  Machine m4 = MachineIn("m4", "k3");
  m4.update_domain = DomainId("ud2");
  world_.Do({Put{m4}});
  Service apart = ServiceOf("a", 2);
  apart.constraints.max_per_update_domain = 1;
  Add(apart, {"m1", "m4"}, {1, 4});
  Service too = ServiceOf("b", 2);
  too.constraints.max_per_update_domain = 1;
  Add(too, {"m2", "m4"}, {1, 4});
  const BalancePlan plan = Plan();
  EXPECT_EQ(plan.before.violated_now, 1U);
  EXPECT_EQ(plan.after.violated_now, 1U);
  EXPECT_TRUE(plan.moves.empty());
}

TEST_F(BalancePlanTest, LeavesIsolatedServicesAndTheirMachinesAlone) {
  Service alone = ServiceOf("a", 2);
  alone.constraints.isolate = true;
  alone.tenant = TenantId("rival");
  Add(alone, {"m2", "m2"}, {4, 4});
  Add(ServiceOf("b", 1), {"m1"}, {4});
  Add(ServiceOf("c", 1), {"m1"}, {4});
  const BalancePlan plan = Plan();
  ASSERT_EQ(plan.moves.size(), 1U);
  EXPECT_EQ(plan.moves[0].from, MachineId("m1"));
  EXPECT_EQ(plan.moves[0].to, MachineId("m3"));
  EXPECT_EQ(plan.after.violated_now, 1U);
}

TEST_F(BalancePlanTest, LooksOnlyAtMachinesThatAreReady) {
  Add(ServiceOf("a", 1), {"m1"}, {4});
  Add(ServiceOf("b", 1), {"m1"}, {4});
  for (const char* name : {"m2", "m3"}) {
    Machine down = world_.inventory().Find(MachineId(name))->record;
    down.health = Health::kDown;
    world_.Do({Put{down}});
  }
  const BalancePlan plan = Plan();
  EXPECT_EQ(plan.machines, 1U);
  EXPECT_TRUE(plan.moves.empty());
  EXPECT_EQ(plan.after.violated_now, 1U);
}

// A rule of the policy that the annealing knows nothing of.
TEST_F(BalancePlanTest, MakesNoMoveThatARuleRefuses) {
  Add(ServiceOf("a", 1), {"m1"}, {4});
  Add(ServiceOf("b", 1), {"m1"}, {4});
  const char* text = "allocate: {rules: [leaves_free: {cpu: 99%}, best_fit]}";
  policy_.emplace(ParseAllocatePolicy(ParseDocument(text, "policy").value().root()).value());
  const BalancePlan plan = Plan();
  EXPECT_TRUE(plan.moves.empty());
  ASSERT_EQ(plan.refused.size(), 1U);
  EXPECT_TRUE(plan.refused[0].because.starts_with("leaves_free: "));
  EXPECT_EQ(plan.after.violated_now, 1U);
}

// Machines of 8 cpu are violated from 7.6 on, of 32Gi from 30.4 on. Some services use cpu, some
// memory, and few machines have room for one more, so that those who change places have to wait.
TEST(BalancePlan, ViolatesNoMachineOnTheWay) {
  std::size_t moves = 0;
  std::size_t without_order = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    World world;
    world.SetPolicy("oversubscription: {cpu: 1000%, memory: 1000%}");
    UsageByInstance usage;
    std::map<InstanceId, MachineId> on;
    std::map<MachineId, Resources> used;
    for (int i = 0; i < 11; ++i) {
      const std::string name = "s" + std::to_string(i);
      const std::string machine = "m" + std::to_string(1 + rng.Below(3));
      const auto large = static_cast<std::int64_t>(2 + rng.Below(4));
      const Resources takes = rng.Below(2) == 0 ? Amounts(large) : Amounts(0, 4 * large);
      world.Do(Create(ServiceOf(name, 1), {machine}, 1));
      usage[{name, 0}] = {takes, takes};
      on[{name, 0}] = MachineId(machine);
      used[MachineId(machine)] += takes;
    }
    const AllocatePolicy policy =
        ParseAllocatePolicy(ParseDocument("{}", "policy").value().root()).value();
    const TraceLibrary none = TraceLibrary::Build({}).value();
    const BalancePlan plan = PlanBalance({.policy = policy,
                                          .fleet = world.inventory(),
                                          .usage = usage,
                                          .demand = none,
                                          .now = world.now(),
                                          .steps = 2'000,
                                          .seed = seed})
                                 .value();
    for (const BalanceMove& move : plan.moves) {
      EXPECT_EQ(on[move.instance], move.from);
      used[move.from] -= usage[move.instance].now;
      used[move.to] += usage[move.instance].now;
      on[move.instance] = move.to;
      EXPECT_LT(used[move.to][Resource::kCpu], 7'600) << seed;
      EXPECT_LT(used[move.to][Resource::kMemory] * 5, 152 * kGi) << seed;
      ++moves;
    }
    for (const RefusedMove& refused : plan.refused) {
      EXPECT_TRUE(refused.because.starts_with("it would be violated")) << refused.because;
      ++without_order;
    }
  }
  EXPECT_GT(moves, 40U);
  EXPECT_GT(without_order, 0U);
}

TEST_F(BalancePlanTest, TakesWhoWasNotObservedToUseItsLimit) {
  Add(ServiceOf("a", 4), {"m1", "m1", "m1", "m1"}, {});
  const BalancePlan plan = Plan();
  EXPECT_EQ(plan.not_observed, 4U);
  EXPECT_EQ(plan.before.violated_now, 1U);
}

TEST_F(BalancePlanTest, TakesWhoWasNotObservedForANewcomerOfItsType) {
  DemandModel modest;
  modest.cpu_p90 = 100;
  modest.cpu_peak = 100;
  modest.lifetime = 1'000;
  library_ = TraceLibrary::Build({modest}, {"small"}).value();
  Add(ServiceOf("a", 4), {"m1", "m1", "m1", "m1"}, {});
  const BalancePlan plan = Plan();
  EXPECT_EQ(plan.not_observed, 4U);
  EXPECT_EQ(plan.before.violated_now, 0U);
  EXPECT_EQ(plan.before.expected_violations, 0);
  EXPECT_TRUE(plan.moves.empty());
}

}  // namespace
}  // namespace berth
