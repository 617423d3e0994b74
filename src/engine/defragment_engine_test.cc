// What-if defragmentation predicts what the engine then does.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "allocate/what_if/defragment.h"
#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "store/memory_store.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

constexpr std::string_view kOtherPolicy = R"(
oversubscription: {cpu: 150%}
allocate:
  clusters: 2
  rules:
    - below_cluster_limit: {cpu: 90%}
    - leaves_free: {cpu: 10%}
    - fewest_of_service_in_rack: {buckets: 4}
    - worst_fit: {buckets: 5}
    - same_tenant_first: {buckets: 2}
)";

// A random fleet that was filled, then thinned out, by the engine itself. Nothing waits and nothing
// has to leave its machine: the engine would do that on its own between the moves.
class Thinned {
 public:
  Thinned(std::uint64_t seed, std::string_view policy) : rng_(seed) {
    engine_.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    if (!policy.empty()) Submit({.what = ApplyPolicy{std::string(policy)}});
    ChangeFleet fleet{.put = testing::RandomTypesAndTenants(rng_), .remove = {}};
    const std::vector<Record> machines = testing::RandomMachines(rng_, true);
    fleet.put.insert(fleet.put.end(), machines.begin(), machines.end());
    Submit({.what = std::move(fleet)});
    for (int i = 0; i < 40; ++i) {
      Submit({.what = CreateService{testing::RandomService(rng_, fmt::format("s{}", i))}});
    }
    for (int i = 0; i < 40; ++i) {
      if (rng_.Below(2) == 0) Submit({.what = DeleteService{fmt::format("s{}", i)}});
    }
    for (const Record& record : machines) {
      const MachineId name = std::get<Machine>(record).name;
      if (!view().Find(name)->instances.empty() || rng_.Below(3) != 0) continue;
      Submit({.what = SetHealth{name, static_cast<Health>(1 + rng_.Below(3))}});
    }
  }

  const Inventory& view() const { return engine_.view(); }

  Reply Submit(Request request) {
    Reply answer;
    engine_.Submit(std::move(request), [&](Reply reply) { answer = std::move(reply); });
    executor_.RunUntilIdle();
    return answer;
  }

 private:
  Rng rng_;
  VirtualExecutor executor_;
  MemoryStore store_;
  Engine engine_{store_, executor_, {}};
};

void CheckPrediction(std::string_view policy_text, std::uint64_t* moves) {
  const std::string_view text = policy_text.empty() ? ShippedPolicy() : policy_text;
  const Document document = ParseDocument(text, "policy").value();
  const AllocatePolicy policy = ParseAllocatePolicy(document.root()).value();
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Thinned fleet(seed, policy_text);
    const DefragmentPlan plan = PlanDefragmentation(policy, fleet.view(), 20);
    ASSERT_EQ(MeasurePacking(fleet.view()), plan.before);
    ASSERT_EQ(plan.before.waiting, 0U);
    for (const PlannedMove& move : plan.moves) {
      const Reply reply = fleet.Submit({.what = MoveInstance{move.instance, move.to}});
      ASSERT_TRUE(reply.accepted()) << ToString(move.instance);
      ASSERT_EQ(fleet.view().Find(move.instance)->machine, move.to);
    }
    EXPECT_EQ(MeasurePacking(fleet.view()), plan.after);
    EXPECT_EQ(plan.after.Density() > plan.before.Density(), !plan.moves.empty());
    for (const MachineId machine : plan.emptied) {
      EXPECT_TRUE(fleet.view().Find(machine)->instances.empty()) << machine.str();
    }
    *moves += plan.moves.size();
  }
}

TEST(DefragmentEngine, AcceptsEveryMoveAndEndsWhereThePlanSaid) {
  std::uint64_t moves = 0;
  CheckPrediction("", &moves);
  EXPECT_GT(moves, 100U);
}

TEST(DefragmentEngine, DoesSoUnderAnotherPolicyToo) {
  std::uint64_t moves = 0;
  CheckPrediction(kOtherPolicy, &moves);
  EXPECT_GT(moves, 50U);
}

}  // namespace
}  // namespace berth
