#include "engine/defragmenter.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "fleet/fleet_testing.h"
#include "store/memory_store.h"

namespace berth {
namespace {

// Engines over one store. Machines m0, m1... of 8 cpu; services of one instance each, bronze ones
// wait.
class DefragmenterTest : public ::testing::Test {
 protected:
  DefragmenterTest() {
    Begin("a");
    ChangeFleet fleet{.put = {Tenant{TenantId("acme"), {}}}, .remove = {}};
    for (int cpu = 1; cpu <= 8; ++cpu) {
      fleet.put.emplace_back(InstanceType{.name = TypeId(fmt::format("c{}", cpu)),
                                          .size = Amounts(cpu),
                                          .skus = {},
                                          .requires_labels = {}});
    }
    Submit(std::move(fleet));
    SetPolicy("oversub: {defragment: true}");
    watch_ = store_.WatchFrom(Revision{}, executor_, [this](const WatchEvent& event) {
      for (const Update& update : event.committed->updates) {
        const auto* decision = update.record ? std::get_if<Decision>(&*update.record) : nullptr;
        if (decision == nullptr || decision->reason != MoveReason::kFragmentation) continue;
        moves_.push_back(*decision);
      }
    });
  }

  void Settle() { executor_.RunUntil(executor_.now()); }
  void Pass(Duration time) { executor_.RunUntil(executor_.now() + time); }
  void Begin(const std::string& name) {
    engines_.push_back(std::make_unique<Engine>(store_, executor_, EngineOptions{.name = name}));
    engines_.back()->Start([](const Status& status) { EXPECT_TRUE(status.ok()); });
    Settle();
  }
  Engine& engine() { return *engines_.front(); }
  void Submit(Action action) {
    engine().Submit({.what = std::move(action)}, [](const Reply& reply) {
      EXPECT_TRUE(reply.accepted()) << reply.status.message();
    });
    Settle();
  }
  void SetPolicy(const std::string& text) { Submit(ApplyPolicy{text}); }
  void AddMachine(std::string_view name) {
    Submit(ChangeFleet{.put = {MachineIn(name)}, .remove = {}});
  }
  void Create(const std::string& name, int cpu, std::string_view klass = "gold") {
    Service service = ServiceOf(name, 1);
    service.klass = ClassId(klass);
    service.groups[0].type = TypeId(fmt::format("c{}", cpu));
    Submit(CreateService{service});
  }
  void CreateOn(std::string_view machine, const std::string& name, int cpu) {
    Create(name, cpu);
    if (MachineOf(name) == machine) return;
    Submit(MoveInstance{.instance = {name, 0}, .to = MachineId(machine)});
  }
  // On each machine one of five cores and one of one; two are free.
  void AddNearlyFull(int machines) {
    for (int i = 0; i < machines; ++i) {
      const std::string machine = fmt::format("m{}", i);
      AddMachine(machine);
      CreateOn(machine, fmt::format("large{}", i), 5);
      CreateOn(machine, fmt::format("small{}", i), 1);
    }
  }
  std::string MachineOf(const std::string& service) {
    return engine().view().Find(InstanceId{service, 0})->machine.str();
  }

  VirtualExecutor executor_;
  MemoryStore store_;
  std::unique_ptr<Watch> watch_;
  std::vector<Decision> moves_;
  std::vector<std::unique_ptr<Engine>> engines_;
};

TEST_F(DefragmenterTest, MovesTheSmallestAndPlacesWhoWaited) {
  AddNearlyFull(2);
  EXPECT_EQ(MachineOf("small0"), "m0");
  Create("waits", 3, "bronze");
  EXPECT_EQ(MachineOf("waits"), "m0");
  EXPECT_EQ(MachineOf("small0"), "m1");
  EXPECT_EQ(engine().stats().room_making_moves, 1U);
  EXPECT_EQ(engine().stats().pending, 0U);
}

TEST_F(DefragmenterTest, SaysForWhom) {
  AddNearlyFull(2);
  Create("waits", 3, "bronze");
  ASSERT_EQ(moves_.size(), 1U);
  EXPECT_EQ(moves_[0].subject, "small0");
  EXPECT_EQ(moves_[0].kind, DecisionKind::kMove);
  EXPECT_EQ(moves_[0].room_for, (InstanceId{"waits", 0}));
}

TEST_F(DefragmenterTest, DoesNothingUnlessThePolicySaysSo) {
  SetPolicy("{}");
  AddNearlyFull(2);
  Create("waits", 3, "bronze");
  EXPECT_EQ(MachineOf("waits"), "");
  EXPECT_TRUE(moves_.empty());
}

TEST_F(DefragmenterTest, MovesNothingForOneThatNoMovesHelp) {
  AddNearlyFull(2);
  Create("waits", 8, "bronze");
  Pass(std::chrono::minutes(1));
  EXPECT_EQ(MachineOf("waits"), "");
  EXPECT_TRUE(moves_.empty());
}

TEST_F(DefragmenterTest, HelpsOneAfterTheOther) {
  AddNearlyFull(4);
  Create("first", 3, "bronze");
  Create("second", 3, "bronze");
  Pass(Defragmenter::kBetweenPlans);
  EXPECT_NE(MachineOf("first"), "");
  EXPECT_NE(MachineOf("second"), "");
  EXPECT_EQ(moves_.size(), 2U);
}

// A plan of two moves is put off as a whole, not after the first.
TEST_F(DefragmenterTest, WaitsForTheLedgerWithAllOfAPlan) {
  for (int i = 0; i < 3; ++i) {
    const std::string machine = fmt::format("m{}", i);
    AddMachine(machine);
    for (int j = 0; j < 7; ++j) CreateOn(machine, fmt::format("s{}-{}", i, j), 1);
  }
  Pass(std::chrono::hours(2));
  SetPolicy("oversub: {defragment: true}\ndisruption: {per_zone: 2}");
  Submit(ResizeService{.service = "s0-0", .type = TypeId("c1"), .limit = Amounts(1)});
  EXPECT_EQ(engine().stats().disruptions, 1U);
  const Time resized_at = executor_.now();
  Pass(std::chrono::minutes(10));
  Create("waits", 3, "bronze");  // One is free on each machine: two must leave one of them.
  EXPECT_TRUE(moves_.empty());
  EXPECT_GT(engine().stats().held_back, 0U);
  const std::map<std::string, HeldBack> held = engine().held_back();
  ASSERT_TRUE(held.contains("waits"));
  EXPECT_EQ(held.at("waits").because,
            "room could be made by moves, but the zone was disrupted 1 times in the last hour, and "
            "2 are the most");
  EXPECT_EQ(held.at("waits").until, resized_at + kDisruptionWindow);
  Pass(std::chrono::minutes(49));
  EXPECT_TRUE(moves_.empty());
  Pass(std::chrono::minutes(2));
  EXPECT_EQ(moves_.size(), 2U);
  EXPECT_NE(MachineOf("waits"), "");
  EXPECT_TRUE(engine().held_back().empty());
}

TEST_F(DefragmenterTest, IsDoneByOneProcessAtATime) {
  Begin("b");
  AddNearlyFull(2);
  Create("waits", 3, "bronze");
  Pass(std::chrono::minutes(1));
  EXPECT_NE(MachineOf("waits"), "");
  EXPECT_EQ(moves_.size(), 1U);
}

// It is placed whole or not at all, so that room for one of them is of no use.
TEST_F(DefragmenterTest, MovesNothingForSeveralThatMustStartTogether) {
  AddNearlyFull(2);
  Service both = ServiceOf("both", 2);
  both.klass = ClassId("bronze");
  both.groups[0].type = TypeId("c3");
  Submit(CreateService{both});
  Pass(std::chrono::minutes(1));
  EXPECT_TRUE(moves_.empty());
  EXPECT_EQ(engine().stats().pending, 2U);
}

}  // namespace
}  // namespace berth
