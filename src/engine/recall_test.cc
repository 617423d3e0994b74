// An engine that begins with what was observed before it, against one that observed it itself.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "allocate/refusal.h"
#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "berth/rng.h"
#include "fleet/fleet_testing.h"
#include "oversub/trace_library.h"
#include "store/memory_store.h"

namespace berth {
namespace {

using std::chrono::minutes;

constexpr std::uint32_t kHosts = 6;

// Some grow large, some stay small: what was seen of an instance says which it can be.
std::shared_ptr<const TraceLibrary> LargeAndSmall() {
  std::vector<DemandModel> models;
  for (std::uint32_t i = 0; i < 40; ++i) {
    DemandTrace trace;
    trace.samples.assign(12 + i, Demand{i % 3 == 0 ? 3500U : 50U * i, 100 * i, 0});
    models.push_back(FitModel(trace));
  }
  return std::make_shared<const TraceLibrary>(
      TraceLibrary::Build(std::move(models), {"small"}).value());
}

class RecallTest : public ::testing::Test {
 protected:
  struct Noted {
    InstanceId id;
    Time created;
    Resources usage;
    Time at;
  };

  void Settle() { executor_.RunUntil(executor_.now()); }
  // With what was observed before, if it is given.
  void Begin(const std::string& name, const std::vector<Noted>& recalled = {}) {
    engine_ = std::make_unique<Engine>(
        store_, executor_, EngineOptions{.agents = 2, .name = name, .demand = LargeAndSmall()});
    for (const Noted& one : recalled) {
      engine_->Recall(one.id, one.created, one.usage, one.usage, one.at);
    }
    engine_->Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    Settle();
  }
  void Submit(Action action) {
    engine_->Submit({.what = std::move(action)}, [](const Reply& reply) {
      EXPECT_TRUE(reply.accepted()) << reply.status.message();
    });
    Settle();
  }
  void Fill(const std::string& policy, int services) {
    Submit(ApplyPolicy{policy});
    InstanceType small{
        .name = TypeId("small"), .size = Amounts(2, 2), .skus = {}, .requires_labels = {}};
    ChangeFleet fleet{.put = {Tenant{TenantId("acme"), {}}, small}, .remove = {}};
    for (std::uint32_t i = 0; i < kHosts; ++i) {
      fleet.put.emplace_back(MachineIn(fmt::format("m{}", i)));
    }
    Submit(std::move(fleet));
    for (int i = 0; i < services; ++i) Submit(CreateService{ServiceOf(fmt::format("s{}", i), 2)});
  }
  void Observe(const InstanceId& id, const Resources& usage) {
    engine_->Observe(id, usage, executor_.now());
    noted_.push_back({id, engine_->view().Find(id)->timeline.created, usage, executor_.now()});
    Settle();
  }
  std::vector<Foreseen> Ahead() {
    std::vector<Foreseen> ahead;
    for (std::uint32_t i = 0; i < kHosts; ++i) {
      const auto why = engine_->AskWhyNot(engine_->view().FindService("s0")->record, std::nullopt,
                                          MachineId(fmt::format("m{}", i)));
      EXPECT_TRUE(why.ok() && !why.value().ahead.empty());
      ahead.push_back(why.value().ahead.front().foreseen);
    }
    return ahead;
  }

  VirtualExecutor executor_{Time(std::chrono::hours(1000))};
  MemoryStore store_;
  std::unique_ptr<Engine> engine_;
  std::vector<Noted> noted_;
};

TEST_F(RecallTest, TheEstimateIsAsIfNothingHadBegunAnew) {
  Begin("a");
  Fill(
      "oversubscription: {cpu: 1000%, memory: 1000%}\n"
      "oversub: {epoch: 1h, held_out: {per_cluster: 0}}\n"
      "allocate: {rules: [violation_probability, worst_fit]}",
      20);
  Rng rng(5);
  for (int i = 0; i < 200; ++i) {
    executor_.RunUntil(executor_.now() + std::chrono::seconds(rng.Below(20)));
    const InstanceId id{fmt::format("s{}", rng.Below(20)),
                        static_cast<std::uint32_t>(rng.Below(2))};
    Resources usage = NothingObserved();
    if (rng.Below(3) > 0) usage[Resource::kCpu] = static_cast<std::int64_t>(rng.Below(1800));
    if (rng.Below(3) > 0) usage[Resource::kMemory] = static_cast<std::int64_t>(rng.Below(4)) << 29;
    Observe(id, usage);
  }
  executor_.RunUntil(executor_.now() + minutes(5));  // Whoever outlived what it drew drew anew.
  const std::vector<Foreseen> wanted = Ahead();
  Begin("b", noted_);
  EXPECT_EQ(Ahead(), wanted);
  Begin("c");
  EXPECT_NE(Ahead(), wanted) << "what was observed matters";
}

// Nobody need observe it again.
TEST_F(RecallTest, WhatIsViolatedIsResolvedAtOnce) {
  Begin("a");
  Fill("allocate: {rules: [first_machines_first]}", 2);
  for (const std::uint32_t number : {0U, 1U}) Observe({"s0", number}, Amounts(5));
  Submit(ApplyPolicy{"oversub: {resolve: true}\nallocate: {rules: [first_machines_first]}"});
  EXPECT_EQ(engine_->stats().resolving_moves, 0U);
  engine_.reset();
  executor_.RunUntil(executor_.now() + minutes(1));
  Begin("b", noted_);
  executor_.RunUntil(executor_.now() + minutes(1));
  EXPECT_EQ(engine_->stats().resolving_moves, 1U);
}

}  // namespace
}  // namespace berth
