// Estimates while the engine runs: what it learns, and what it keeps between requests.
#include <gtest/gtest.h>

#include <set>

#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "oversub/trace_library.h"
#include "store/memory_store.h"

namespace berth {
namespace {

using std::chrono::minutes;

constexpr std::string_view kLooksAhead = R"(
oversubscription: {cpu: 400%, memory: 400%}
allocate: {rules: [violation_probability]}
oversub: {epoch: 1h, held_out: {per_cluster: 0}}
)";

// Some take half of a machine, some nearly nothing; all live for two hours.
std::shared_ptr<const TraceLibrary> SomePast() {
  std::vector<DemandModel> models;
  for (std::uint32_t i = 0; i < 20; ++i) {
    DemandTrace trace;
    trace.samples.assign(12, Demand{i % 3 == 0 ? 4000U : 100U, 1024, 0});
    models.push_back(FitModel(trace));
  }
  return std::make_shared<const TraceLibrary>(
      TraceLibrary::Build(std::move(models), {"db"}).value());
}

class Foreseeing {
 public:
  explicit Foreseeing(std::shared_ptr<const TraceLibrary> demand)
      : engine_(store_, executor_, {.agents = 2, .demand = std::move(demand)}) {
    engine_.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    RunFor(Duration());
    Submit(ApplyPolicy{std::string(kLooksAhead)});
    InstanceType type;
    type.name = TypeId("db");
    type.size[Resource::kCpu] = 4000;
    type.size[Resource::kMemory] = std::int64_t{1} << 30;
    Machine machine;
    machine.name = MachineId("m");
    machine.datacenter = DatacenterId("d");
    machine.cluster = ClusterId("c");
    machine.row = RowId("w");
    machine.rack = RackId("r");
    machine.sku = SkuId("k");
    machine.capacity[Resource::kCpu] = 8000;
    machine.capacity[Resource::kMemory] = std::int64_t{64} << 30;
    Submit(ChangeFleet{.put = {Tenant{.name = TenantId("t"), .quota = {}}, type, machine},
                       .remove = {}});
  }

  // What was foreseen of the machine when the next instance came.
  Foreseen Next() {
    Service service;
    service.name = "s" + std::to_string(services_++);
    service.tenant = TenantId("t");
    service.klass = ClassId("gold");
    service.groups = {{TypeId("db"), RoleId(), 1}};
    const Reply reply = Submit(CreateService{service});
    if (!reply.accepted() || reply.decision->placed.empty()) return {};
    return reply.decision->placed.front().foreseen.value_or(Foreseen());
  }
  void RunFor(Duration length) { executor_.RunUntil(executor_.now() + length); }
  Engine& engine() { return engine_; }

 private:
  Reply Submit(Action action) {
    Reply answer;
    engine_.Submit({.what = std::move(action)}, [&](Reply reply) { answer = std::move(reply); });
    RunFor(Duration());
    return answer;
  }

  VirtualExecutor executor_{Time(std::chrono::hours(1000))};
  MemoryStore store_;
  Engine engine_;
  int services_ = 0;
};

TEST(UseDemand, IsDrawnFromWithTheNextEpoch) {
  Foreseeing knew(SomePast());
  Foreseeing learns(nullptr);
  Foreseeing never(nullptr);
  for (Foreseeing* one : {&knew, &learns, &never}) {
    one->RunFor(minutes(20));
    one->Next();
  }
  learns.engine().UseDemand(SomePast());
  EXPECT_EQ(learns.engine().demand()->size(), 0U);
  EXPECT_NE(knew.Next(), never.Next());
  // In the same epoch nothing is other than it was.
  Foreseeing never_either(nullptr);
  never_either.RunFor(minutes(20));
  never_either.Next();
  EXPECT_EQ(learns.Next(), never_either.Next());
  for (Foreseeing* one : {&knew, &learns, &never}) one->RunFor(minutes(40));
  EXPECT_EQ(learns.engine().demand()->size(), 20U);
  // From the next on it is as if it had been known.
  std::size_t foreseen = 0;
  for (int i = 0; i < 4; ++i) {
    const Foreseen wanted = knew.Next();
    EXPECT_EQ(learns.Next(), wanted);
    foreseen += wanted.after > 0 && wanted.after < wanted.futures ? 1U : 0U;
  }
  EXPECT_GT(foreseen, 0U);
}

// No traces: each is taken to need its limit, half of a machine. What is kept for the next of its
// kind is brought up to date while nothing else is to be done, and must know who came last.
TEST(RefreshWhenIdle, KnowsWhoHasJustCome) {
  VirtualExecutor executor{Time(std::chrono::hours(1000))};
  MemoryStore store;
  Engine engine(store, executor, {.agents = 1, .refresh_when_idle = true});
  const auto settle = [&] { executor.RunUntil(executor.now()); };
  engine.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
  settle();
  const auto submit = [&](Action action) {
    Reply answer;
    engine.Submit({.what = std::move(action)}, [&](Reply reply) { answer = std::move(reply); });
    settle();
    EXPECT_TRUE(answer.accepted()) << answer.status.message();
    return answer;
  };
  submit(
      ApplyPolicy{"oversubscription: {cpu: 400%, memory: 400%}\n"
                  "oversub: {held_out: {per_cluster: 0}}\n"
                  "allocate: {rules: [violation_probability, best_fit]}"});
  ChangeFleet fleet{.put = {Tenant{.name = TenantId("t"), .quota = {}}}, .remove = {}};
  InstanceType type;
  type.name = TypeId("db");
  type.size[Resource::kCpu] = 4000;
  type.size[Resource::kMemory] = std::int64_t{1} << 30;
  fleet.put.emplace_back(type);
  for (const std::string name : {"m0", "m1", "m2", "m3"}) {
    Machine machine;
    machine.name = MachineId(name);
    machine.datacenter = DatacenterId("d");
    machine.cluster = ClusterId("c");
    machine.row = RowId("w");
    machine.rack = RackId("r");
    machine.sku = SkuId("k");
    machine.capacity[Resource::kCpu] = 8000;
    machine.capacity[Resource::kMemory] = std::int64_t{64} << 30;
    fleet.put.emplace_back(machine);
  }
  submit(std::move(fleet));
  std::set<std::string> taken;
  for (int i = 0; i < 4; ++i) {
    Service service;
    service.name = "s" + std::to_string(i);
    service.tenant = TenantId("t");
    service.klass = ClassId("gold");
    service.groups = {{TypeId("db"), RoleId(), 1}};
    const Reply reply = submit(CreateService{service});
    EXPECT_EQ(reply.decision->placed.front().foreseen->after, 0U);
    EXPECT_TRUE(taken.insert(reply.decision->placed.front().machine.str()).second);
  }
}

}  // namespace
}  // namespace berth
