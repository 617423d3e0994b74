#include "engine/replicator.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "allocate/explain.h"
#include "base/virtual_executor.h"
#include "berth/rng.h"
#include "engine/sizer.h"
#include "fleet/fleet_testing.h"
#include "store/memory_store.h"

namespace berth {
namespace {

constexpr Duration kOneMinute = std::chrono::minutes(1);
constexpr Duration kOneHour = std::chrono::hours(1);
constexpr std::int64_t kSmallMilli = 2000;

// Engines over one store. Machines m0, m1... of 8 cpu and 32Gi; services of type small, 2 cpu and
// 4Gi: four of them fill a machine.
class ReplicatorTest : public ::testing::Test {
 protected:
  ReplicatorTest() {
    Begin("a");
    AddMachines(0, 10);
    Submit(ChangeFleet{.put = {Tenant{TenantId("acme"), {}}, InstanceType{.name = TypeId("small"),
                                                                          .size = Amounts(2, 4),
                                                                          .skus = {},
                                                                          .requires_labels = {}}},
                       .remove = {}});
  }

  void AddMachines(int from, int to) {
    for (int i = from; i < to; ++i) {
      Submit(ChangeFleet{.put = {MachineIn(fmt::format("m{}", i))}, .remove = {}});
    }
  }
  // All that follows now; no time passes.
  void Settle() { executor_.RunUntil(executor_.now()); }
  void Begin(const std::string& name) {
    engines_.push_back(std::make_unique<Engine>(store_, executor_, EngineOptions{.name = name}));
    engines_.back()->Start([](const Status& status) { EXPECT_TRUE(status.ok()); });
    Settle();
  }
  Engine& engine(std::size_t i = 0) { return *engines_[i]; }
  Replicator& replicator(std::size_t i = 0) { return engines_[i]->replicator(); }

  void Submit(Action action) {
    engine().Submit({.what = std::move(action)}, [](const Reply& reply) {
      EXPECT_TRUE(reply.accepted()) << reply.status.message();
    });
    Settle();
  }
  void Policy(const std::string& text) { Submit(ApplyPolicy{text}); }
  void Create(const std::string& name, std::uint32_t count) {
    Submit(CreateService{ServiceOf(name, count)});
  }
  const ServiceState& Of(const std::string& service) {
    return *engine().view().FindService(service);
  }
  std::size_t CountOf(const std::string& service) { return Of(service).instances.size(); }

  // So much cpu is asked of all instances that have a machine together, and each uses its part up
  // to its limit.
  void Tell(const std::string& service, double cpu_milli, std::size_t i = 0) {
    std::vector<const Instance*> placed;
    for (const Instance& instance : Of(service).instances) {
      if (instance.HoldsRoom()) placed.push_back(&instance);
    }
    for (const Instance* instance : placed) {
      const double part = cpu_milli / static_cast<double>(placed.size());
      const UsagePoint point{executor_.now(),
                             std::min(part, static_cast<double>(instance->limit[Resource::kCpu]))};
      engine(i).ObserveUsage(instance->id, Resource::kCpu, {&point, 1});
    }
  }
  void Load(const std::string& service, double cpu_milli, Duration span,
            Duration every = kOneMinute) {
    const Time until = executor_.now() + span;
    while (executor_.now() < until) {
      Tell(service, cpu_milli);
      executor_.RunUntil(executor_.now() + every);
    }
  }
  void Measure(const std::string& service, const std::string& metric, double value) {
    const UsagePoint point{executor_.now(), value};
    replicator().ObserveMetric(service, metric, {&point, 1});
  }
  LiveCount Said(const std::string& service, std::size_t i = 0) {
    const CountPage page = replicator(i).Recommendations({.service = service});
    return page.items.empty() ? LiveCount{} : page.items.front();
  }
  void Restart() {
    for (const Observation& entry : replicator().TakeChanged(SIZE_MAX)) {
      saved_[entry.key] = entry.value;
    }
    engines_.clear();
    Begin("a");
    std::vector<Observation> entries;
    for (const auto& [key, value] : saved_) entries.push_back({key, value});
    EXPECT_EQ(replicator().Restore(entries), 0U);
    Settle();
  }

  VirtualExecutor executor_;
  MemoryStore store_;
  std::vector<std::unique_ptr<Engine>> engines_;
  std::map<std::string, std::string> saved_;
};

TEST_F(ReplicatorTest, WithoutAPolicySaysWhatItWouldDoAndDoesNothing) {
  Create("web", 2);
  EXPECT_FALSE(Said("web").count);
  Load("web", 3000, 10 * kOneMinute);
  const LiveCount said = Said("web");
  // 3 cpu at 60% of 2 cpu a replica are two and a half.
  EXPECT_EQ(said.count, 3U);
  EXPECT_EQ(said.why, "3: the most of the last 3d is 3 of cpu, at 60% of 2 a replica");
  EXPECT_EQ(said.replicas, 2U);
  EXPECT_EQ(said.cpu_milli, 3000);
  EXPECT_EQ(said.mode, ScalingMode::kDryRun);
  EXPECT_EQ(CountOf("web"), 2U);
  EXPECT_EQ(replicator().counts().grown, 0U);
}

TEST_F(ReplicatorTest, InAutoItGrowsWithItsLoad) {
  Policy("scaling: {mode: auto, max: 20}");
  Create("web", 2);
  Load("web", 10'000, kOneMinute);
  // Two can use no more than 4 cpu: that is what is seen first.
  EXPECT_EQ(CountOf("web"), 4U);
  Load("web", 10'000, 10 * kOneMinute);
  EXPECT_EQ(CountOf("web"), 9U);
  EXPECT_GE(replicator().counts().grown, 2U);
  const Instance& last = Of("web").instances.back();
  EXPECT_EQ(last.limit, Amounts(2, 4));
  EXPECT_TRUE(last.HoldsRoom());
}

constexpr std::string_view kPlanned =
    "applications: [{name: shop, mode: MODE, services: [{name: web}], "
    "scaling: {autoscaler: hpa}}]";

std::string PlannedIn(std::string_view mode) {
  std::string text(kPlanned);
  return text.replace(text.find("MODE"), 4, mode);
}

TEST_F(ReplicatorTest, AServiceOfAnApplicationHasAsManyAsItsPlanSays) {
  Policy(PlannedIn("auto"));
  Create("web", 2);
  replicator().SetPlanned("web", CountAdvice{.count = 5, .why = "5: plan of shop"});
  Settle();
  EXPECT_EQ(CountOf("web"), 5U);
  EXPECT_EQ(Said("web").count, 5U);
  EXPECT_EQ(Said("web").scaler, "plan");
  // Its load is the plan's business, and where that says nothing everything stays.
  Load("web", 9'000, 10 * kOneMinute);
  EXPECT_EQ(CountOf("web"), 5U);
  replicator().SetPlanned("web", std::nullopt);
  Load("web", 100, 10 * kOneMinute);
  EXPECT_EQ(CountOf("web"), 5U);
  replicator().SetPlanned("web", CountAdvice{.count = 0, .why = "nobody comes"});
  Settle();
  EXPECT_EQ(CountOf("web"), 1U);
}

TEST_F(ReplicatorTest, APlanInDryRunOrOfAnotherPolicyChangesNothing) {
  Policy(PlannedIn("dry_run"));
  Create("web", 2);
  replicator().SetPlanned("web", CountAdvice{.count = 5, .why = "5: plan of shop"});
  Settle();
  EXPECT_EQ(Said("web").count, 5U);
  EXPECT_EQ(CountOf("web"), 2U);
  Policy("scaling: {mode: auto, max: 20}");
  EXPECT_FALSE(Said("web").count);
  replicator().SetPlanned("web", CountAdvice{.count = 5, .why = "5: plan of shop"});
  Settle();
  EXPECT_EQ(CountOf("web"), 2U);
}

TEST_F(ReplicatorTest, FewerAfterTheHorizonAndTheLatestGo) {
  Policy("scaling: {mode: auto, max: 20, horizon: 1h}");
  Create("web", 8);
  Load("web", 9000, kOneHour);
  EXPECT_EQ(CountOf("web"), 8U);
  Load("web", 2000, 50 * kOneMinute);
  EXPECT_EQ(CountOf("web"), 8U) << "within the horizon of the larger load";
  Load("web", 2000, 20 * kOneMinute);
  ASSERT_EQ(CountOf("web"), 2U);
  EXPECT_EQ(Of("web").instances[0].id.number, 0U);
  EXPECT_EQ(Of("web").instances[1].id.number, 1U);
  EXPECT_GE(replicator().counts().shrunk, 1U);
}

TEST_F(ReplicatorTest, AnExpressionIsFedFromTheMetricsOfTheService) {
  Policy(
      "scaling:\n"
      "  services: [{name: jobs, mode: auto, max: 9, scaler: metric, expression: queue / 20 + "
      "1}]\n");
  Create("jobs", 1);
  Measure("jobs", "other", 1000);
  executor_.RunUntil(executor_.now() + 2 * kOneMinute);
  EXPECT_EQ(CountOf("jobs"), 1U);
  EXPECT_EQ(replicator().counts().samples, 0U);
  Measure("jobs", "queue", 75);
  executor_.RunUntil(executor_.now() + 2 * kOneMinute);
  EXPECT_EQ(CountOf("jobs"), 5U);
  EXPECT_EQ(Said("jobs").why, "5: queue / 20 + 1");
  Measure("jobs", "queue", 1e9);
  executor_.RunUntil(executor_.now() + 2 * kOneMinute);
  EXPECT_EQ(CountOf("jobs"), 9U);
}

TEST_F(ReplicatorTest, WhereSamplesCeaseTheCountStaysAndNothingIsLeftToDo) {
  Policy("scaling: {mode: auto, max: 20, scaler: hpa}");
  Create("web", 6);
  Load("web", 7200, 10 * kOneMinute);
  EXPECT_EQ(CountOf("web"), 6U);
  executor_.RunUntilIdle();
  EXPECT_EQ(CountOf("web"), 6U);
}

TEST_F(ReplicatorTest, WhoMayWaitWaitsForRoom) {
  Policy(
      "classes: [{name: gold, availability: 99%, importance: 1, may_wait: true}]\nscaling: {mode: "
      "auto, max: 60, scaler: hpa}");
  Create("web", 36);
  Load("web", 60'000, 10 * kOneMinute);
  // 40 fill the ten machines; 60 cpu at 60% of 2 are 50.
  EXPECT_EQ(CountOf("web"), 50U);
  EXPECT_EQ(engine().stats().pending, 10U);
  EXPECT_EQ(Said("web").starting, 10U);
  AddMachines(10, 13);
  Settle();
  EXPECT_EQ(engine().stats().pending, 0U);
}

TEST_F(ReplicatorTest, WhoMayNotWaitGetsAsManyAsFindRoom) {
  Policy("scaling: {mode: auto, max: 60, scaler: hpa}");
  Create("web", 36);
  Load("web", 60'000, 3 * kOneMinute);
  // 14 more find no room, nor do 7, but 3 do.
  EXPECT_EQ(CountOf("web"), 39U);
  EXPECT_EQ(Said("web").held_back, "there was room for 3 of 14 more");
  Load("web", 60'000, 30 * kOneMinute);
  EXPECT_EQ(CountOf("web"), 40U);
  EXPECT_NE(Said("web").held_back.find("refused by fits: none of 10 machines"), std::string::npos)
      << Said("web").held_back;
  EXPECT_EQ(engine().stats().refused, 0U) << "they are tries of its own";
}

TEST_F(ReplicatorTest, TheLedgerPutsOffThatReplicasGoAndNotThatTheyCome) {
  Policy("disruption: {per_service: 1}\nscaling: {mode: auto, max: 20, scaler: hpa}");
  Create("web", 4);
  Load("web", 4800, kOneMinute);
  // An owner's resize counts.
  Submit(ResizeService{"web", TypeId("small"), Amounts(3, 4)});
  Load("web", 1200, 20 * kOneMinute);
  EXPECT_EQ(CountOf("web"), 4U);
  EXPECT_EQ(replicator().counts().held_back, 1U);
  EXPECT_EQ(Said("web").held_back,
            "service web was disrupted 1 times in the last hour, and 1 are the most");
  Load("web", 9600, 10 * kOneMinute);
  EXPECT_EQ(CountOf("web"), 8U);
  Load("web", 1200, kOneHour);
  EXPECT_EQ(CountOf("web"), 1U);
  EXPECT_EQ(engine().stats().disruptions, 1U) << "it was counted";
}

TEST_F(ReplicatorTest, OneProcessScalesAtATime) {
  Policy("scaling: {mode: auto, max: 20, scaler: hpa}");
  Create("web", 2);
  Create("api", 2);
  Begin("b");
  Tell("web", 4000);
  Tell("api", 4000, 1);
  executor_.RunUntil(executor_.now() + kOneMinute);
  EXPECT_EQ(CountOf("web"), 4U);
  EXPECT_EQ(CountOf("api"), 2U);
  EXPECT_EQ(Said("api", 1).held_back, "another process has the right to scale");
  Tell("api", 4000, 1);
  executor_.RunUntil(executor_.now() + kOneMinute);
  EXPECT_EQ(CountOf("api"), 4U);
}

TEST_F(ReplicatorTest, OfSeveralGroupsTheOneWithTheRoleIsScaled) {
  Service db = ServiceOf("db", 1);
  db.groups = {{TypeId("small"), RoleId("primary"), 1}, {TypeId("small"), RoleId("secondary"), 2}};
  Submit(CreateService{db});
  Policy("scaling: {mode: auto, max: 20, scaler: hpa}");
  Load("db", 12'000, 5 * kOneMinute);
  EXPECT_EQ(CountOf("db"), 3U);
  EXPECT_EQ(Said("db").held_back,
            "it has instances of several types or roles; name the role that is to be scaled, of "
            "which it may have one type");
  Policy("scaling: {services: [{name: db, role: third, mode: auto, max: 20, scaler: hpa}]}");
  Load("db", 12'000, 5 * kOneMinute);
  EXPECT_EQ(Said("db").held_back, "it has no instances of the role 'third'");
  Policy("scaling: {services: [{name: db, role: secondary, mode: auto, max: 20, scaler: hpa}]}");
  Load("db", 5400, 5 * kOneMinute);
  // 1.8 of 2 cpu each: 150% of what is aimed at of two are three, and so on to what is enough.
  EXPECT_GT(CountOf("db"), 3U);
  EXPECT_EQ(Of("db").record.groups[0].count, 1U);
  EXPECT_EQ(Of("db").record.groups[1].count, CountOf("db") - 1);
}

// Beside an advisor that is told directly, and never restarted.
TEST_F(ReplicatorTest, ARestartChangesNothing) {
  Policy("scaling: {mode: auto, max: 60, horizon: 2h, smoothing: {halve_in: 1h}}");
  Create("web", 2);
  ReplicaAdvisor direct =
      ReplicaAdvisor::Make({.basis = {.reference_milli = kSmallMilli, .horizon = 2 * kOneHour},
                            .max = 60,
                            .smoothing = {.halve_in = kOneHour}})
          .value();
  Rng rng(7);
  std::uint32_t replicas = 2;
  std::set<std::uint32_t> counts;
  for (int minute = 0; minute < 600; ++minute) {
    // Busy for half of every three hours.
    const auto most = minute % 180 < 90 ? 20'000U : 3000U;
    const auto load = static_cast<double>(1000 + rng.Below(most));
    Tell("web", load);
    executor_.RunUntil(executor_.now() + kOneMinute);
    direct.Observe({.at = executor_.now(),
                    .replicas = replicas,
                    .cpu_milli = std::min(load, static_cast<double>(kSmallMilli) * replicas)});
    replicas = direct.advice()->count;
    counts.insert(replicas);
    ASSERT_EQ(CountOf("web"), replicas) << "in minute " << minute;
    if (minute % 37 == 0) Restart();
  }
  EXPECT_GT(counts.size(), 5U);
}

TEST_F(ReplicatorTest, WhatIsNoStateIsLeftOutAndCounted) {
  Create("web", 2);
  Load("web", 3000, 5 * kOneMinute);
  const std::vector<Observation> saved = replicator().TakeChanged(SIZE_MAX);
  ASSERT_EQ(saved.size(), 1U);
  EXPECT_TRUE(replicator().TakeChanged(SIZE_MAX).empty());
  std::uint64_t refused = 0;
  for (std::size_t size = 1; size < saved[0].value.size(); ++size) {
    refused += replicator().Restore(
        std::vector<Observation>{{saved[0].key, saved[0].value.substr(0, size)}});
  }
  EXPECT_GT(refused, saved[0].value.size() / 2);
  EXPECT_EQ(replicator().Restore(std::vector<Observation>{{"scaling/other", "x"}}), 1U);
  EXPECT_EQ(replicator().Restore(saved), 0U);
  Load("web", 3000, 2 * kOneMinute);
  EXPECT_EQ(Said("web").count, 3U);
}

TEST_F(ReplicatorTest, WhoIsDeletedIsForgotten) {
  Policy("scaling: {mode: auto, max: 20}");
  Create("web", 2);
  Load("web", 8000, 10 * kOneMinute);
  EXPECT_GT(CountOf("web"), 4U);
  Submit(DeleteService{"web"});
  for (const Observation& entry : replicator().TakeChanged(SIZE_MAX)) EXPECT_EQ(entry.value, "");
  Create("web", 1);
  Restart();
  Load("web", 600, 10 * kOneMinute);
  EXPECT_EQ(CountOf("web"), 1U);
}

TEST_F(ReplicatorTest, ListsComeInPages) {
  for (const char* name : {"a", "b", "c"}) {
    Create(name, 1);
    Tell(name, 500);
  }
  executor_.RunUntil(executor_.now() + kOneMinute);
  const CountPage first = replicator().Recommendations({.most = 2});
  ASSERT_EQ(first.items.size(), 2U);
  EXPECT_TRUE(first.more);
  const CountPage second = replicator().Recommendations(
      {.after_service = first.items[1].service, .after_type = first.items[1].type, .most = 2});
  ASSERT_EQ(second.items.size(), 1U);
  EXPECT_EQ(second.items[0].service, "c");
  EXPECT_FALSE(second.more);
}

TEST_F(ReplicatorTest, BadSamplesAreLeftOut) {
  Create("web", 1);
  const Time now = executor_.now() + kOneHour;
  executor_.RunUntil(now);
  const std::vector<UsagePoint> points = {
      {now - kOneHour / 2, 5}, {now + kOneHour, 5}, {now, -1}, {now, std::nan("")}, {now, 1e300}};
  engine().ObserveUsage({"web", 0}, Resource::kCpu, points);
  engine().ObserveUsage({"web", 9}, Resource::kCpu, points);
  replicator().ObserveMetric("nobody", "queue", points);
  EXPECT_EQ(replicator().counts().samples, 0U);
  EXPECT_EQ(replicator().counts().late, 1U);
}

// How a fight would look: the count turns back and forth, or runs off to its bounds. Two weeks
// under a load that is ten times as much on every second pair of days, with limits and counts both
// at work in the engine, beside counts alone.
TEST_F(ReplicatorTest, BesideTheSizingOfCpuTheCountIsWhatItIsWithout) {
  AddMachines(10, 30);
  Policy(
      "rightsizing: {mode: dry_run, services: [{name: both, mode: auto}]}\n"
      "scaling: {mode: auto, max: 60, scaler: hpa, target: 0.6}\n");
  Create("both", 3);
  Create("alone", 3);
  std::set<std::size_t> counts;
  std::uint64_t changes = 0;
  std::size_t before = 3;
  for (int day = 0; day < 14; ++day) {
    const double load = (day / 2) % 2 == 0 ? 3000 : 30'000;
    const Time until = executor_.now() + 24 * kOneHour;
    while (executor_.now() < until) {
      Tell("both", load);
      Tell("alone", load);
      executor_.RunUntil(executor_.now() + 5 * kOneMinute);
      if (CountOf("both") != before) ++changes;
      before = CountOf("both");
    }
    EXPECT_EQ(CountOf("both"), CountOf("alone")) << "on day " << day;
    counts.insert(CountOf("both"));
  }
  // 3 cpu at 60% of 2 are 2.5, and 30 are 25; HPA leaves a tenth as it is.
  EXPECT_EQ(counts, (std::set<std::size_t>{3, 25}));
  EXPECT_LE(changes, 30U);
  EXPECT_GE(Of("both").instances[0].limit[Resource::kCpu], kSmallMilli);
}

}  // namespace
}  // namespace berth
