#include "engine/resolver.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "berth/rng.h"
#include "fleet/fleet_testing.h"
#include "oversub/tenant_amounts.h"
#include "store/memory_store.h"

namespace berth {
namespace {

// Engines over one store. Machines m0, m1... of 8 cpu and 32Gi; services of one instance each.
class ResolverTest : public ::testing::Test {
 protected:
  ResolverTest() {
    Begin("a");
    Submit(ApplyPolicy{"oversubscription: {cpu: 400%}\noversub: {resolve: true}"});
    InstanceType small{
        .name = TypeId("small"), .size = Amounts(2), .skus = {}, .requires_labels = {}};
    Submit(ChangeFleet{.put = {Tenant{TenantId("acme"), {}}, small}, .remove = {}});
  }

  // All that follows now; no time passes.
  void Settle() { executor_.RunUntil(executor_.now()); }

  void Begin(const std::string& name) {
    engines_.push_back(std::make_unique<Engine>(store_, executor_, EngineOptions{.name = name}));
    engines_.back()->Start([](const Status& status) { EXPECT_TRUE(status.ok()); });
    Settle();
  }
  Engine& engine(std::size_t i = 0) { return *engines_[i]; }

  void Submit(Action action) {
    engine().Submit({.what = std::move(action)}, [](const Reply& reply) {
      EXPECT_TRUE(reply.accepted()) << reply.status.message();
    });
    Settle();
  }
  void AddMachine(std::string_view name) {
    Submit(ChangeFleet{.put = {MachineIn(name)}, .remove = {}});
  }
  void AddServices(int count) {
    for (int i = 0; i < count; ++i) Submit(CreateService{ServiceOf(fmt::format("s{}", i), 1)});
  }
  void Observe(const std::string& service, const Resources& usage, std::size_t i = 0) {
    engine(i).Observe({service, 0}, usage, executor_.now());
    Settle();
  }
  std::string MachineOf(const std::string& service) {
    return std::string(engine().view().Find(InstanceId{service, 0})->machine.str());
  }

  VirtualExecutor executor_;
  MemoryStore store_;
  std::vector<std::unique_ptr<Engine>> engines_;
};

// Against taking the smallest off a list until the rest is below the threshold.
TEST_F(ResolverTest, MovesTheSmallestUntilTheMachineIsNoLongerViolated) {
  AddMachine("m0");
  AddServices(8);
  AddMachine("m1");
  AddMachine("m2");
  Rng rng(4);
  std::map<std::string, std::int64_t> uses;
  std::int64_t sum = 0;
  for (int i = 0; i < 8; ++i) {
    const std::string name = fmt::format("s{}", i);
    uses[name] = static_cast<std::int64_t>(rng.Below(6)) * 250;
    sum += uses[name];
  }
  uses["s7"] += 7'600 - std::min<std::int64_t>(sum, 7'600) + 1'500;
  for (const auto& [name, millicores] : uses) {
    Resources usage;
    usage[Resource::kCpu] = millicores;
    Observe(name, usage);
  }
  std::vector<std::pair<std::int64_t, std::string>> by_size;
  std::int64_t left = 0;
  for (const auto& [name, millicores] : uses) {
    by_size.emplace_back(millicores, name);
    left += millicores;
  }
  std::ranges::sort(by_size);
  std::uint64_t moved = 0;
  for (const auto& [millicores, name] : by_size) {
    const bool leaves = left >= 7'600 && millicores > 0;
    EXPECT_EQ(MachineOf(name) != "m0", leaves) << name << " uses " << millicores;
    if (!leaves) continue;
    left -= millicores;
    ++moved;
  }
  EXPECT_GT(moved, 0U);
  EXPECT_EQ(engine().stats().resolving_moves, moved);
  EXPECT_EQ(engine().stats().violations, 1U);
}

TEST_F(ResolverTest, DoesNothingUnlessThePolicySaysSo) {
  Submit(ApplyPolicy{"oversubscription: {cpu: 400%}"});
  AddMachine("m0");
  AddServices(2);
  AddMachine("m1");
  Observe("s0", Amounts(7));
  Observe("s1", Amounts(7));
  EXPECT_EQ(MachineOf("s0"), "m0");
  EXPECT_EQ(MachineOf("s1"), "m0");
}

TEST_F(ResolverTest, LeavesWhoFindsNoOtherRoomWhereItIs) {
  AddMachine("m0");
  AddServices(2);
  Observe("s0", Amounts(7));
  Observe("s1", Amounts(7));
  EXPECT_EQ(MachineOf("s0"), "m0");
  EXPECT_EQ(engine().stats().violations, 0U);
  // Once there is room, it is found within a minute.
  AddMachine("m1");
  Observe("s0", Amounts(7));
  EXPECT_EQ(MachineOf("s0"), "m0");
  executor_.RunUntil(executor_.now() + std::chrono::minutes(1));
  EXPECT_EQ(MachineOf("s0"), "m1");
}

// It needs more than any machine has.
TEST_F(ResolverTest, MovesNobodyWhoFitsNowhere) {
  AddMachine("m0");
  AddServices(1);
  for (const char* name : {"m1", "m2", "m3"}) AddMachine(name);
  for (int i = 0; i < 10; ++i) {
    Observe("s0", Amounts(9));
    executor_.RunUntil(executor_.now() + std::chrono::seconds(50));
  }
  EXPECT_EQ(engine().stats().resolving_moves, 0U);
}

// It fits only where nobody else is, and others keep coming.
TEST_F(ResolverTest, SendsNobodyRoundTheFleet) {
  AddMachine("m0");
  AddServices(1);
  Observe("s0", Amounts(4));
  const auto crowd = [&](const std::string& service) {
    Submit(CreateService{ServiceOf(service, 1)});
    const std::string where = MachineOf("s0");
    if (MachineOf(service) != where) {
      Submit(MoveInstance{.instance = {service, 0}, .to = MachineId(where)});
    }
    Observe(service, Amounts(5));
  };
  AddMachine("m1");
  crowd("s1");
  EXPECT_EQ(MachineOf("s0"), "m1");
  AddMachine("m2");
  crowd("s2");
  EXPECT_EQ(MachineOf("s0"), "m1") << "it has only just come";
  EXPECT_EQ(MachineOf("s2"), "m2") << "the next one goes";
  EXPECT_EQ(engine().stats().resolving_moves, 2U);
}

// A policy that looks ahead asks what the mover takes, not what its type does at first.
TEST_F(ResolverTest, MovesNobodyToWhereAViolationWouldFollowAtOnce) {
  Submit(
      ApplyPolicy{"oversubscription: {cpu: 400%}\n"
                  "oversub: {resolve: true, held_out: {per_cluster: 0}}\n"
                  "allocate: {rules: [violation_probability]}"});
  AddMachine("m0");
  AddServices(2);
  AddMachine("m1");
  Submit(CreateService{ServiceOf("s2", 1)});
  Submit(MoveInstance{.instance = {"s2", 0}, .to = MachineId("m1")});
  Observe("s2", Amounts(4));
  ASSERT_EQ(MachineOf("s0"), "m0");
  ASSERT_EQ(MachineOf("s1"), "m0");
  ASSERT_EQ(MachineOf("s2"), "m1");
  Observe("s0", Amounts(5));
  Observe("s1", Amounts(6));
  EXPECT_EQ(MachineOf("s0"), "m0");
  EXPECT_EQ(engine().stats().resolving_moves, 0U);
  Observe("s2", Amounts(1));
  executor_.RunUntil(executor_.now() + std::chrono::minutes(1));
  EXPECT_EQ(MachineOf("s0"), "m1");
  EXPECT_EQ(engine().stats().resolving_moves, 1U);
}

// The policy prefers the fullest and does not look ahead.
TEST_F(ResolverTest, PassesOverMachinesThatWouldBeViolatedAtOnce) {
  Submit(
      ApplyPolicy{"oversubscription: {cpu: 400%}\noversub: {resolve: true}\n"
                  "allocate: {rules: [best_fit]}"});
  AddMachine("m0");
  AddServices(2);
  AddMachine("m1");
  Submit(CreateService{ServiceOf("s2", 1)});
  Submit(MoveInstance{.instance = {"s2", 0}, .to = MachineId("m1")});
  Observe("s2", Amounts(4));
  Observe("s0", Amounts(5));
  Observe("s1", Amounts(6));
  EXPECT_EQ(MachineOf("s0"), "m0");
  EXPECT_EQ(engine().stats().resolving_moves, 0U);
  AddMachine("m2");
  executor_.RunUntil(executor_.now() + std::chrono::minutes(1));
  EXPECT_EQ(MachineOf("s0"), "m2");
  EXPECT_EQ(engine().stats().resolving_moves, 1U);
}

// Of m0 no disk is.
TEST_F(ResolverTest, WhatIsNotOnRecordIsNeverViolated) {
  AddMachine("m0");
  AddServices(1);
  Machine with_disk = MachineIn("m1");
  with_disk.capacity[Resource::kDisk] = 100 * kGi;
  Submit(ChangeFleet{.put = {with_disk}, .remove = {}});
  Resources usage = Amounts(1);
  usage[Resource::kDisk] = kGi;
  Observe("s0", usage);
  EXPECT_EQ(MachineOf("s0"), "m0");
  EXPECT_EQ(engine().stats().resolving_moves, 0U);
}

// As long as the log of what was disrupted is being read, say.
TEST_F(ResolverTest, IsTriedAgainAsSoonAsItMayBe) {
  Submit(ApplyPolicy{"oversubscription: {cpu: 400%}"});
  AddMachine("m0");
  AddServices(2);
  AddMachine("m1");
  ObservedUsage observed;
  bool held = true;
  Resolver resolver(
      {.executor = executor_,
       .view = engine().view(),
       .observed = observed,
       .submit = [&](Request request,
                     ReplyDone done) { engine().Submit(std::move(request), std::move(done)); },
       .may_disrupt =
           [&](const std::string& /*service*/) {
             return std::exchange(held, false)
                        ? std::optional(DisruptionLedger::Hold{
                              executor_.now() + std::chrono::seconds(1), "it is not known yet"})
                        : std::nullopt;
           }},
      store_, "r");
  resolver.SetPolicy({.resolves = true});
  for (const char* name : {"s0", "s1"}) {
    observed.Note(TenantKeyOf(name, 0), engine().view().Find(InstanceId{name, 0})->timeline.created,
                  Amounts(5), executor_.now());
  }
  // One may not go and the other has nowhere to go.
  Submit(SetHealth{MachineId("m1"), Health::kDraining});
  resolver.Look(MachineId("m0"));
  Settle();
  EXPECT_EQ(resolver.moves(), 0U);
  Submit(SetHealth{MachineId("m1"), Health::kReady});
  EXPECT_EQ(resolver.moves(), 0U);
  executor_.RunUntil(executor_.now() + std::chrono::seconds(1));
  EXPECT_EQ(resolver.moves(), 1U);
}

TEST_F(ResolverTest, SaysWhyInTheDecision) {
  std::vector<Decision> moves;
  const auto watch = store_.WatchFrom(Revision{}, executor_, [&](const WatchEvent& event) {
    for (const Update& update : event.committed->updates) {
      const auto* decision = update.record ? std::get_if<Decision>(&*update.record) : nullptr;
      if (decision != nullptr && decision->kind == DecisionKind::kMove) moves.push_back(*decision);
    }
  });
  AddMachine("m0");
  AddServices(2);
  AddMachine("m1");
  Observe("s0", Amounts(3));
  Observe("s1", Amounts(7));
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].reason, MoveReason::kViolation);
  EXPECT_EQ(moves[0].why, "m0 was seen to use 10 cpu of 8 cpu");
  EXPECT_EQ(moves[0].subject, "s0");
}

// Both processes see the same usage; the one that holds the lease moves.
TEST_F(ResolverTest, IsDoneByOneProcessAtATime) {
  Begin("b");
  AddMachine("m0");
  AddServices(2);
  AddMachine("m1");
  for (const std::size_t i : {0U, 1U}) {
    engine(i).Observe({"s0", 0}, Amounts(3), executor_.now());
    engine(i).Observe({"s1", 0}, Amounts(7), executor_.now());
  }
  Settle();
  EXPECT_EQ(MachineOf("s0"), "m1");
  EXPECT_EQ(MachineOf("s1"), "m0");
  EXPECT_EQ(engine(0).stats().resolving_moves + engine(1).stats().resolving_moves, 1U);
}

// The limits hold across processes and restarts: they are counted from the log.
TEST_F(ResolverTest, KnowsWhatWasDisruptedBeforeItBegan) {
  Submit(ApplyPolicy{
      "oversubscription: {cpu: 400%}\noversub: {resolve: true}\ndisruption: {per_zone: 1}"});
  AddMachine("m0");
  AddServices(3);
  AddMachine("m1");
  Observe("s0", Amounts(1));
  Observe("s1", Amounts(2));
  Observe("s2", Amounts(7));
  EXPECT_EQ(MachineOf("s0"), "m1");
  EXPECT_EQ(MachineOf("s1"), "m0");
  EXPECT_EQ(engine().stats().disruptions, 1U);
  EXPECT_GT(engine().stats().held_back, 0U);

  engines_.clear();
  executor_.RunUntil(executor_.now() + std::chrono::minutes(1));
  Begin("c");
  Observe("s1", Amounts(2));
  Observe("s2", Amounts(7));
  EXPECT_EQ(MachineOf("s1"), "m0");
  EXPECT_EQ(engine().stats().disruptions, 1U);
  executor_.RunUntil(executor_.now() + std::chrono::hours(1));
  EXPECT_EQ(MachineOf("s1"), "m1");
}

}  // namespace
}  // namespace berth
