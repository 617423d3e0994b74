// The engine under random requests and failing machines: what must hold whenever it is at rest.
#include "berth/engine.h"

#include <gtest/gtest.h>

#include "allocate/evaluate.h"
#include "allocate/gang.h"
#include "base/virtual_executor.h"
#include "store/memory_store.h"
#include "support/late_store.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

using testing::RandomMachines;
using testing::RandomService;
using testing::RandomTypesAndTenants;

class Rehearsal {
 public:
  explicit Rehearsal(std::uint64_t seed) : rng_(seed) {
    engine_.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    ChangeFleet fleet{.put = RandomTypesAndTenants(rng_), .remove = {}};
    machines_ = RandomMachines(rng_, true);
    fleet.put.insert(fleet.put.end(), machines_.begin(), machines_.end());
    Submit({.what = std::move(fleet)});
    executor_.RunUntilIdle();
  }

  // A few requests at once, then rest.
  void Step() {
    for (std::uint64_t i = 0; i < 1 + rng_.Below(4); ++i) {
      if (rng_.Below(12) == 0) {
        ++asked_;
        engine_.Decommission(AnyMachine().str(), [this](const Reply&) { ++answered_; });
      } else {
        Submit({.what = AnyAction()});
      }
    }
    executor_.RunUntil(executor_.now() + std::chrono::seconds(1));
    executor_.RunUntilIdle();
  }

  void CheckAtRest() {
    const Inventory& fleet = engine_.view();
    EXPECT_EQ(answered_, asked_);
    std::uint64_t pending = 0;
    for (const ServiceState& service : fleet.services()) {
      for (const Instance& instance : service.instances) {
        if (instance.state == InstanceState::kPending) ++pending;
        if (!instance.HoldsRoom()) continue;
        const Health health = fleet.Find(instance.machine)->record.health;
        EXPECT_NE(health, Health::kDown) << ToString(instance.id);
      }
    }
    EXPECT_EQ(engine_.stats().pending, pending);
  }

  // Once room was offered, whoever still waits finds none.
  void CheckNobodyWaitsInVain() {
    Tenant news;
    news.name = TenantId("newcomer");
    Submit({.what = ChangeFleet{.put = {news}, .remove = {}}});  // Has the queue tried again.
    executor_.RunUntilIdle();
    Inventory view = engine_.view();
    const Document document = ParseDocument(ShippedPolicy(), "policy").value();
    const Result<AllocatePolicy> policy = ParseAllocatePolicy(document.root());
    ASSERT_TRUE(policy.ok());
    FromScratch chooser(policy.value());
    for (const ServiceState& service : engine_.view().services()) {
      if (service.vacant()) continue;
      std::vector<Instance> waiting;
      bool some_run = false;
      for (const Instance& instance : service.instances) {
        if (instance.state == InstanceState::kPending) waiting.push_back(instance);
        some_run = some_run || instance.HoldsRoom();
      }
      if (waiting.empty()) continue;
      if (some_run) waiting.resize(1);
      // Whether a larger gang finds room may hang on how ties fall.
      if (waiting.size() > 1) continue;
      const Choosing choosing{.policy = policy.value(), .chooser = chooser, .rng = Rng(1)};
      const GangResult found = PlaceGang(choosing, view, service.record, waiting);
      EXPECT_TRUE(found.refusal.has_value()) << service.record.name;
    }
  }

 private:
  void Submit(Request request) {
    ++asked_;
    engine_.Submit(std::move(request), [this](const Reply&) { ++answered_; });
  }

  MachineId AnyMachine() { return std::get<Machine>(machines_[rng_.Below(machines_.size())]).name; }

  Action AnyAction() {
    const std::string name = fmt::format("s{}", rng_.Below(12));
    const InstanceId instance{name, static_cast<std::uint32_t>(rng_.Below(4))};
    switch (rng_.Below(9)) {
      case 0:
        return DeleteService{name};
      case 1:
        return ScaleService{.service = name, .groups = RandomService(rng_, name).groups};
      case 2:
        return MoveInstance{instance, rng_.Below(2) == 0 ? MachineId() : AnyMachine()};
      case 3:
        return ReportInstance{instance, static_cast<Reported>(rng_.Below(4))};
      case 4:
      case 5:
        return SetHealth{AnyMachine(), static_cast<Health>(rng_.Below(4))};
      case 6:
        return SuspendInstance{instance, WaitReason::kPreempted};
      default: {
        Service service = RandomService(rng_, name);
        service.klass = ClassId(rng_.Below(2) == 0 ? "gold" : "silver");
        return CreateService{service};
      }
    }
  }

  Rng rng_;
  VirtualExecutor executor_;
  MemoryStore store_;
  testing::LateStore late_{store_, executor_, rng_.Fork("late")};
  Engine engine_{late_, executor_, {.agents = 3}};
  std::vector<Record> machines_;
  std::uint64_t asked_ = 0;
  std::uint64_t answered_ = 0;
};

TEST(EngineProperties, AtRestNothingRunsOnDeadMachinesAndNobodyWaitsInVain) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Rehearsal rehearsal(seed);
    for (int step = 0; step < 30; ++step) {
      rehearsal.Step();
      rehearsal.CheckAtRest();
      if (::testing::Test::HasFailure()) return;
    }
    rehearsal.CheckNobodyWaitsInVain();
    rehearsal.CheckAtRest();
    if (::testing::Test::HasFailure()) return;
  }
}

TEST(Engine, RemovesADecommissionedMachineOnce) {
  Rng rng(1);
  VirtualExecutor executor;
  MemoryStore store;
  Engine engine(store, executor, {});
  engine.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
  const std::vector<Record> machines = RandomMachines(rng, true);
  engine.Submit({.what = ChangeFleet{.put = machines, .remove = {}}}, nullptr);
  executor.RunUntilIdle();
  bool removed = false;
  engine.Decommission(KeyOf(machines.front()).name,
                      [&](const Reply& reply) { removed = reply.accepted(); });
  executor.RunUntilIdle();
  EXPECT_TRUE(removed);
  EXPECT_EQ(engine.stats().conflicts, 0U);  // With its own second try.
}

}  // namespace
}  // namespace berth
