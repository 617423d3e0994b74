// A limit that grows where there is no room: who yields, in the engine over a store.
#include "engine/growing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "allocate/explain.h"
#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "store/memory_store.h"

namespace berth {
namespace {

using std::chrono::seconds;

constexpr std::string_view kGrowingClasses = R"(
classes:
- {name: high, availability: 90%, importance: 3, may_wait: true}
- {name: low, availability: 50%, importance: 1, may_wait: true}
)";

Resources Cpus(std::int64_t cpu) {
  Resources amounts;
  amounts[Resource::kCpu] = cpu * 1000;
  amounts[Resource::kMemory] = cpu << 30;
  return amounts;
}

class GrowingTest : public ::testing::Test {
 protected:
  GrowingTest() {
    engine_.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    Settle();
    Tenant tenant{.name = TenantId("t"), .quota = {}};
    ChangeFleet fleet{.put = {tenant}, .remove = {}};
    for (std::int64_t cpu = 1; cpu <= 4; ++cpu) {
      InstanceType type;
      type.name = TypeId(fmt::format("c{}", cpu));
      type.size = Cpus(cpu);
      fleet.put.emplace_back(type);
    }
    Accept(std::move(fleet));
  }

  void Settle() { executor_.RunUntil(executor_.now()); }
  void Advance(Duration by) { executor_.RunUntil(executor_.now() + by); }
  Reply Submit(Engine& engine, Action action, const std::string& key = "") {
    Reply answer{.status = Status(Code::kInternal, "no answer")};
    engine.Submit({.what = std::move(action), .idempotency_key = key},
                  [&](Reply reply) { answer = std::move(reply); });
    Settle();
    return answer;
  }
  void Accept(Action action) {
    const Reply reply = Submit(engine_, std::move(action));
    EXPECT_TRUE(reply.accepted()) << reply.status.message();
  }
  void UseScheduler(std::string_view name) {
    Accept(ApplyPolicy{fmt::format("scheduler: {}\n{}", name, kGrowingClasses)});
  }
  void AddMachine(const std::string& name, std::int64_t cpu) {
    Machine machine;
    machine.name = MachineId(name);
    machine.datacenter = DatacenterId("d");
    machine.cluster = ClusterId("c");
    machine.row = RowId("w");
    machine.rack = RackId("r");
    machine.sku = SkuId("k");
    machine.capacity = Cpus(cpu);
    Accept(ChangeFleet{.put = {machine}, .remove = {}});
  }
  void Create(const std::string& name, const std::string& klass, std::int64_t cpu,
              std::uint32_t count = 1) {
    Service service;
    service.name = name;
    service.tenant = TenantId("t");
    service.klass = ClassId(klass);
    service.groups = {{TypeId(fmt::format("c{}", cpu)), RoleId(), count}};
    Accept(CreateService{service});
  }
  Reply Grow(const std::string& service, std::int64_t from, std::int64_t to,
             const std::string& key = "") {
    return Submit(engine_, ResizeService{service, TypeId(fmt::format("c{}", from)), Cpus(to)}, key);
  }
  const Instance& Of(const std::string& service, std::uint32_t number = 0) {
    return *engine_.view().Find(InstanceId{service, number});
  }
  std::string On(const std::string& service, std::uint32_t number = 0) {
    return Of(service, number).machine.str();
  }

  VirtualExecutor executor_{TimeFromMicros(1'700'000'000'000'000)};
  MemoryStore store_;
  Engine engine_{store_, executor_, {.agents = 2, .name = "a"}};
};

TEST_F(GrowingTest, ARefusalIsCountedOnceAndNamesTheOnlyMachine) {
  UseScheduler("qos");
  AddMachine("m", 4);
  Create("web", "high", 2);
  const Reply reply = Grow("web", 2, 5);
  ASSERT_FALSE(reply.accepted());
  EXPECT_EQ(reply.decision->refusal->because,
            "there is no other machine than m to take an instance of type c2 (5 cpu, 5Gi memory)");
  EXPECT_EQ(engine_.stats().refused, 1U);
}

TEST_F(GrowingTest, ARoomThatYieldingMakesIsNoRefusal) {
  UseScheduler("qos");
  AddMachine("m", 4);
  Create("young", "low", 2);
  Create("web", "high", 2);
  Advance(seconds(100));
  ASSERT_TRUE(Grow("web", 2, 3).accepted());
  EXPECT_EQ(engine_.stats().refused, 0U);
}

TEST_F(GrowingTest, WhoHasMostToSpareOnItsMachineYields) {
  UseScheduler("qos");
  AddMachine("m", 4);
  Create("old", "low", 1);
  Advance(seconds(100));
  Create("young", "low", 1);
  Create("web", "high", 2);
  Advance(seconds(100));
  const Reply reply = Grow("web", 2, 3);
  ASSERT_TRUE(reply.accepted()) << reply.status.message();
  EXPECT_EQ(On("web"), "m");
  EXPECT_EQ(Of("web").limit, Cpus(3));
  EXPECT_EQ(Of("old").state, InstanceState::kPending);
  EXPECT_EQ(On("young"), "m");
  EXPECT_EQ(Of("old").timeline.preemptions, 1U);
  EXPECT_EQ(reply.decision->evicted, (std::vector<InstanceId>{{"old", 0}}));
  EXPECT_NE(SummarizeDecision(*reply.decision)
                .find("preempted old/0, 3 m 20 s above its target, so that web/0 may grow"),
            std::string::npos)
      << SummarizeDecision(*reply.decision);
  EXPECT_EQ(engine_.stats().preempted, 1U);
}

TEST_F(GrowingTest, NobodyYieldsWhereThereIsRoomElsewhere) {
  UseScheduler("qos");
  AddMachine("m0", 2);
  Create("b", "low", 1);
  Create("web", "high", 1);
  AddMachine("m1", 2);
  Advance(seconds(100));
  EXPECT_TRUE(Grow("web", 1, 2).accepted());
  EXPECT_EQ(On("web"), "m1");
  EXPECT_EQ(On("b"), "m0");
}

// web has no neighbour that may yield; of the two others, the one with more to spare goes.
TEST_F(GrowingTest, ItMovesWhereThatCostsLeast) {
  UseScheduler("qos");
  AddMachine("m0", 2);
  Create("web", "high", 1);
  Create("peer", "high", 1);
  AddMachine("m1", 2);
  Create("old", "low", 2);
  Advance(seconds(50));
  AddMachine("m2", 2);
  Create("young", "low", 2);
  Advance(seconds(100));
  const Reply reply = Grow("web", 1, 2);
  ASSERT_TRUE(reply.accepted()) << reply.status.message();
  EXPECT_EQ(On("web"), "m1");
  EXPECT_EQ(On("old"), "");
  EXPECT_EQ(On("young"), "m2");
  EXPECT_EQ(On("peer"), "m0");
}

// One on another machine has more to spare, but a move would stop web too.
TEST_F(GrowingTest, ItStaysWhereThoseBesideItMakeRoom) {
  UseScheduler("qos");
  AddMachine("m1", 2);
  Create("old", "low", 2);
  Advance(seconds(50));
  AddMachine("m0", 2);
  Create("young", "low", 1);
  Create("web", "high", 1);
  Advance(seconds(100));
  EXPECT_TRUE(Grow("web", 1, 2).accepted());
  EXPECT_EQ(On("web"), "m0");
  EXPECT_EQ(On("young"), "");
  EXPECT_EQ(On("old"), "m1");
}

TEST_F(GrowingTest, WhoHasLessToSpareDoesNotYield) {
  UseScheduler("qos");
  AddMachine("m", 2);
  Create("web", "low", 1);
  Advance(seconds(1000));
  Create("b", "high", 1);
  Advance(seconds(100));  // It may wait for eleven seconds, web for a thousand.
  const Reply reply = Grow("web", 1, 2);
  ASSERT_TRUE(reply.status.ok());
  ASSERT_TRUE(reply.decision->refusal.has_value());
  EXPECT_EQ(reply.decision->refusal->rule, RuleId("fits"));
  EXPECT_EQ(On("b"), "m");
  EXPECT_EQ(Of("web").limit, Cpus(1));
  // The refusal can be looked up.
  const auto last = engine_.view().decisions().find(reply.decision->id.agent);
  ASSERT_NE(last, engine_.view().decisions().end());
  EXPECT_GE(last->second, reply.decision->id.sequence);
}

// Both are to have more, and one of the service must not make room for the other.
TEST_F(GrowingTest, NoneOfTheServiceYieldsForAnother) {
  UseScheduler("qos");
  AddMachine("m", 2);
  Create("web", "low", 1, 2);
  Advance(seconds(100));
  EXPECT_FALSE(Grow("web", 1, 2).accepted());
  EXPECT_EQ(On("web", 0), "m");
  EXPECT_EQ(On("web", 1), "m");
}

TEST_F(GrowingTest, AllGrowOrNone) {
  UseScheduler("qos");
  AddMachine("m0", 2);
  AddMachine("m1", 2);
  Create("b0", "low", 1);
  Create("b1", "low", 1);
  Create("web", "high", 1, 2);
  Advance(seconds(100));
  const Reply both = Grow("web", 1, 2);
  ASSERT_TRUE(both.accepted()) << both.status.message();
  EXPECT_EQ(both.decision->evicted.size(), 2U);
  EXPECT_NE(On("web", 0), On("web", 1));
  EXPECT_FALSE(Grow("web", 1, 3).accepted());  // No machine is as large.
  EXPECT_EQ(Of("web", 0).limit, Cpus(2));
}

TEST_F(GrowingTest, ByPriorityTheLessImportantYield) {
  UseScheduler("priority");
  AddMachine("m", 2);
  Create("b", "low", 1);
  Create("web", "high", 1);
  EXPECT_TRUE(Grow("web", 1, 2).accepted());
  EXPECT_EQ(On("b"), "");
  EXPECT_EQ(On("web"), "m");
}

TEST_F(GrowingTest, WithoutASchedulerNobodyYieldsToAGrowingOne) {
  Accept(ApplyPolicy{std::string(kGrowingClasses)});
  AddMachine("m", 2);
  Create("b", "low", 1);
  Create("web", "high", 1);
  Advance(seconds(100));
  EXPECT_FALSE(Grow("web", 1, 2).accepted());
  EXPECT_EQ(On("b"), "m");
}

TEST_F(GrowingTest, ARetryIsAnsweredWithTheSameDecision) {
  UseScheduler("qos");
  AddMachine("m", 2);
  Create("b", "low", 1);
  Create("web", "high", 1);
  Advance(seconds(100));
  const Reply first = Grow("web", 1, 2, "key");
  const Reply again = Grow("web", 1, 2, "key");
  ASSERT_TRUE(first.accepted());
  EXPECT_TRUE(again.duplicate);
  EXPECT_EQ(again.decision->id, first.decision->id);
  EXPECT_EQ(engine_.stats().preempted, 1U);
}

TEST_F(GrowingTest, OnlyTheProcessThatHoldsTheLeaseDecides) {
  UseScheduler("qos");
  AddMachine("m", 2);
  Create("b", "low", 1);
  Create("web", "high", 1);
  AddMachine("large", 4);
  Create("keeper", "high", 4);
  Create("waits", "low", 4);  // So that a process goes on holding the lease.
  Advance(seconds(60));
  Engine other(store_, executor_, {.agents = 1, .name = "z"});
  other.Start([](const Status&) {});
  Settle();
  const ResizeService grows{"web", TypeId("c1"), Cpus(2)};
  EXPECT_FALSE(Submit(other, grows).accepted());
  EXPECT_TRUE(Submit(engine_, grows).accepted());
  EXPECT_EQ(On("b"), "");
}

}  // namespace
}  // namespace berth
