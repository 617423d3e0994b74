#include "engine/sizer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/virtual_executor.h"
#include "berth/rng.h"
#include "fleet/fleet_testing.h"
#include "store/memory_store.h"

namespace berth {
namespace {

constexpr std::int64_t kMi = std::int64_t{1} << 20;
constexpr Duration kMinute = std::chrono::minutes(1);
constexpr Duration kHour = std::chrono::hours(1);

// Engines over one store. Machines m0, m1... of 8 cpu and 32Gi; services of type small, 2 cpu and
// 4Gi.
class SizerTest : public ::testing::Test {
 protected:
  SizerTest() {
    Begin("a");
    for (int i = 0; i < 4; ++i) {
      Submit(ChangeFleet{.put = {MachineIn(fmt::format("m{}", i))}, .remove = {}});
    }
    Submit(ChangeFleet{.put = {Tenant{TenantId("acme"), {}}, TypeOf("small", Amounts(2, 4)),
                               TypeOf("big", Amounts(4, 8))},
                       .remove = {}});
  }

  static InstanceType TypeOf(std::string_view name, const Resources& size) {
    return {.name = TypeId(name), .size = size, .skus = {}, .requires_labels = {}};
  }
  // All that follows now; no time passes.
  void Settle() { executor_.RunUntil(executor_.now()); }

  void Begin(const std::string& name) {
    engines_.push_back(std::make_unique<Engine>(store_, executor_, EngineOptions{.name = name}));
    engines_.back()->Start([](const Status& status) { EXPECT_TRUE(status.ok()); });
    Settle();
  }
  Engine& engine(std::size_t i = 0) { return *engines_[i]; }
  Sizer& sizer(std::size_t i = 0) { return engines_[i]->sizer(); }

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

  void Tell(const InstanceId& id, Resource r, double value, std::size_t i = 0) {
    const UsagePoint point{executor_.now(), value};
    engine(i).ObserveUsage(id, r, {&point, 1});
  }
  // Every instance of the service uses so much, told every minute, while time passes.
  void Use(const std::string& service, double cpu_milli, double memory_mi, Duration span) {
    const Time until = executor_.now() + span;
    while (executor_.now() < until) {
      std::vector<InstanceId> ids;
      for (const Instance& instance : engine().view().FindService(service)->instances) {
        ids.push_back(instance.id);
      }
      for (const InstanceId& id : ids) {
        Tell(id, Resource::kCpu, cpu_milli);
        Tell(id, Resource::kMemory, memory_mi * static_cast<double>(kMi));
      }
      executor_.RunUntil(executor_.now() + kMinute);
    }
  }
  void Kill(const std::string& service, std::uint32_t number = 0) {
    Submit(ReportInstance{{service, number}, Reported::kOutOfMemory});
  }
  Resources LimitOf(const std::string& service, std::uint32_t number = 0, std::size_t i = 0) {
    return engine(i).view().Find(InstanceId{service, number})->limit;
  }
  std::vector<LiveRecommendation> Recommended(const std::string& service, std::size_t i = 0) {
    return sizer(i)
        .Recommendations({.service = service, .after_service = {}, .after_type = {}})
        .items;
  }
  // The engine ends and another begins, with what the first saved.
  void Restart() {
    for (const Observation& entry : sizer().TakeChanged(SIZE_MAX)) saved_[entry.key] = entry.value;
    engines_.clear();
    Begin("a");
    std::vector<Observation> entries;
    for (const auto& [key, value] : saved_) entries.push_back({key, value});
    EXPECT_EQ(sizer().Restore(entries), 0U);
    Settle();
  }

  VirtualExecutor executor_;
  MemoryStore store_;
  std::vector<std::unique_ptr<Engine>> engines_;
  std::map<std::string, std::string> saved_;
};

TEST_F(SizerTest, WithoutAPolicySaysWhatItWouldDoAndDoesNothing) {
  Create("web", 2);
  EXPECT_TRUE(Recommended("web").empty());
  Use("web", 500, 1000, 48 * kHour);
  const std::vector<LiveRecommendation> said = Recommended("web");
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0].resource, Resource::kCpu);
  EXPECT_EQ(said[0].now, 2000);
  EXPECT_EQ(said[0].mode, SizingMode::kDryRun);
  EXPECT_EQ(said[0].recommender, "window");
  EXPECT_GT(said[0].advice.target, 500);
  EXPECT_LT(said[0].advice.target, 650);
  EXPECT_EQ(said[1].advice.target % kMi, 0);
  EXPECT_EQ(said[1].held_back, "");
  EXPECT_EQ(LimitOf("web"), Amounts(2, 4));
  EXPECT_EQ(engine().stats().resizes, 0U);
}

// Against recommenders that are told of windows made by sorting all samples.
TEST_F(SizerTest, RecommendsWhatRecommendersSayThatAreToldOfSortedSamples) {
  Policy("rightsizing: {beside: [ensemble, weighed_ensemble, vpa, krr]}");
  Create("web", 3);
  std::map<Resource, std::map<Time, std::map<std::uint32_t, std::vector<float>>>> sorted;
  Rng rng(5);
  for (int minute = 0; minute < 26 * 60; ++minute) {
    for (std::uint32_t number = 0; number < 3; ++number) {
      if (rng.Below(10) == 0) continue;
      for (const Resource r : kSizedResources) {
        const double unit = r == Resource::kCpu ? 1 : static_cast<double>(kMi);
        const double value = unit * static_cast<double>(1 + rng.Below(1500));
        // Some are told later than others.
        const Time at =
            executor_.now() - static_cast<std::int64_t>(rng.Below(50)) * std::chrono::seconds(1);
        if (at < Time()) continue;
        const UsagePoint point{at, value};
        engine().ObserveUsage({"web", number}, r, {&point, 1});
        sorted[r][WindowOf(at)][number].push_back(static_cast<float>(value));
      }
    }
    executor_.RunUntil(executor_.now() + kMinute);
  }
  executor_.RunUntil(executor_.now() + 2 * kWindowLength);
  const std::vector<LiveRecommendation> said = Recommended("web");
  ASSERT_EQ(said.size(), 2U);
  for (const LiveRecommendation& one : said) {
    const auto direct = [&](std::string_view name) {
      const auto recommender = FindRecommender(name).value().make(
          {.resource = one.resource, .request = Amounts(2, 4)[one.resource]});
      for (const auto& [begin, instances] : sorted[one.resource]) {
        std::vector<float> samples;
        for (const auto& [number, taken] : instances) {
          if (one.resource == Resource::kCpu) {
            samples.insert(samples.end(), taken.begin(), taken.end());
          } else {
            samples.push_back(std::ranges::max(taken));
          }
        }
        WindowHistogram histogram;
        for (const float sample : samples) {
          histogram.Add(Buckets::Of(one.resource).Find(sample));
        }
        recommender->Observe(
            {.end = begin + kWindowLength, .samples = samples, .histogram = histogram});
      }
      return ApplyBounds(one.resource, *recommender->Recommend(), one.now, {}).advice;
    };
    EXPECT_EQ(one.advice, direct(one.recommender)) << ResourceName(one.resource);
    ASSERT_EQ(one.others.size(), 4U);
    for (const LiveRecommendation::Other& other : one.others) {
      EXPECT_EQ(other.target, direct(other.recommender).target) << other.recommender;
    }
  }
}

TEST_F(SizerTest, InAutoALimitRisesAtOnceAndFallsAfterADay) {
  Policy("rightsizing: {mode: auto}");
  Create("web", 2);
  Use("web", 500, 5000, 10 * kMinute);
  EXPECT_EQ(LimitOf("web")[Resource::kCpu], 2000);
  EXPECT_GT(LimitOf("web")[Resource::kMemory], 5000 * kMi);
  EXPECT_EQ(LimitOf("web", 0), LimitOf("web", 1));
  EXPECT_EQ(Recommended("web")[0].held_back,
            "it was watched for 5m so far, and a limit falls after 1d");
  Use("web", 500, 5000, 23 * kHour);
  EXPECT_EQ(LimitOf("web")[Resource::kCpu], 2000);
  Use("web", 500, 5000, kHour);
  EXPECT_LT(LimitOf("web")[Resource::kCpu], 650);
  EXPECT_EQ(engine().stats().resizes, 2U);
}

TEST_F(SizerTest, AKillIsToldAtOnceAndSaysWhy) {
  Policy("rightsizing: {mode: auto}");
  Create("web", 2);
  Kill("web");
  EXPECT_GT(LimitOf("web", 1)[Resource::kMemory], 4 * kGi * 12 / 10);
  EXPECT_EQ(sizer().counts().out_of_memory, 1U);
  EXPECT_EQ(Recommended("web")[0].out_of_memory, 1U);
}

TEST_F(SizerTest, TheLastKillsAreKeptWithTheirTimesAndLimits) {
  Create("web", 2);
  std::vector<MemoryKill> kills;
  for (std::uint32_t i = 0; i < 3; ++i) {
    executor_.RunUntil(executor_.now() + kMinute);
    Kill("web", i % 2);
    kills.push_back({executor_.now(), 4 * kGi, 1});
  }
  ASSERT_EQ(Recommended("web").size(), 1U);
  EXPECT_EQ(Recommended("web")[0].kills, kills);
  Restart();
  EXPECT_EQ(Recommended("web")[0].kills, kills);
  while (kills.size() < Sizer::kKillsKept + 5) {
    executor_.RunUntil(executor_.now() + kMinute);
    Kill("web");
    kills.push_back({executor_.now(), 4 * kGi, 1});
  }
  kills.erase(kills.begin(), kills.begin() + 5);
  EXPECT_EQ(Recommended("web")[0].kills, kills);
  EXPECT_EQ(Recommended("web")[0].out_of_memory, Sizer::kKillsKept + 5);
  Restart();
  EXPECT_EQ(Recommended("web")[0].kills, kills);
}

TEST_F(SizerTest, OnlyWhatIsInAutoIsResized) {
  Policy(
      "rightsizing: {mode: initial, services: [{name: a, mode: auto}, {name: b, mode: off}, {name: "
      "c, mode: dry_run}]}");
  for (const char* name : {"a", "b", "c", "d"}) Create(name, 1);
  for (const char* name : {"a", "b", "c", "d"}) Kill(name);
  EXPECT_NE(LimitOf("a"), Amounts(2, 4));
  EXPECT_EQ(LimitOf("b"), Amounts(2, 4));
  EXPECT_EQ(LimitOf("c"), Amounts(2, 4));
  EXPECT_EQ(LimitOf("d"), Amounts(2, 4));
  EXPECT_TRUE(Recommended("b").empty());
  EXPECT_EQ(Recommended("c").size(), 1U);
}

TEST_F(SizerTest, SmallServicesAreByWhatIsAskedFor) {
  Policy("rightsizing: {mode: off, small: {machines: 0.5, mode: auto}}");
  Create("one", 1);  // A quarter of a machine's cpu.
  Create("two", 2);  // Half of it.
  Kill("one");
  Kill("two");
  EXPECT_NE(LimitOf("one"), Amounts(2, 4));
  EXPECT_EQ(LimitOf("two"), Amounts(2, 4));
}

TEST_F(SizerTest, TypesOfAServiceAreSizedEachForItself) {
  Policy("rightsizing: {mode: auto}");
  Service service = ServiceOf("db", 1);
  service.groups.push_back({TypeId("big"), RoleId(), 1});
  Submit(CreateService{service});
  const auto is_big = [&](std::uint32_t number) {
    return engine().view().Find(InstanceId{"db", number})->type == TypeId("big");
  };
  for (int minute = 0; minute < 12; ++minute) {
    for (const std::uint32_t number : {0U, 1U}) {
      Tell({"db", number}, Resource::kMemory, is_big(number) ? 9e9 : 1e9);
    }
    executor_.RunUntil(executor_.now() + kMinute);
  }
  const std::uint32_t big = is_big(0) ? 0 : 1;
  EXPECT_GT(LimitOf("db", big)[Resource::kMemory], 9'000'000'000);
  EXPECT_EQ(LimitOf("db", 1 - big), Amounts(2, 4));
  EXPECT_EQ(Recommended("db").size(), 2U);
}

TEST_F(SizerTest, NewInstancesGetTheLimitOfTheOthers) {
  Policy("rightsizing: {mode: auto}");
  Create("web", 1);
  Kill("web");
  Submit(ScaleService{"web", {{TypeId("small"), RoleId(), 3}}});
  EXPECT_EQ(LimitOf("web", 2), LimitOf("web", 0));
}

TEST_F(SizerTest, BoundsAreMetAndSaid) {
  Submit(ChangeFleet{.put = {Tenant{TenantId("acme"), Amounts(100, 10)}}, .remove = {}});
  Policy(
      "rightsizing: {mode: auto, services: [{name: capped, memory: {max: 5Gi}}, {name: grows, "
      "memory: {grow_only: true}}]}");
  Create("capped", 1);
  Kill("capped");
  EXPECT_EQ(LimitOf("capped")[Resource::kMemory], 5 * kGi);
  Kill("capped");
  EXPECT_EQ(LimitOf("capped")[Resource::kMemory], 5 * kGi);
  EXPECT_EQ(engine().stats().resizes, 1U);
  EXPECT_EQ(Recommended("capped")[0].held_back,
            "it was killed for want of memory 2 times, and may not have more; raise what cuts it");
  // 5Gi are left of the quota.
  Create("quota", 1);
  Use("quota", 100, 6000, 10 * kMinute);
  EXPECT_EQ(LimitOf("quota")[Resource::kMemory], 5 * kGi);
  EXPECT_NE(Recommended("quota")[1].why.find("cut from"), std::string::npos);
  Submit(DeleteService{"quota"});
  Create("grows", 1);
  Use("grows", 100, 100, 30 * kHour);
  EXPECT_EQ(LimitOf("grows")[Resource::kMemory], 4 * kGi);
  EXPECT_LT(LimitOf("grows")[Resource::kCpu], 2000);
}

TEST_F(SizerTest, NothingGrowsBeyondTheLargestMachine) {
  Policy("rightsizing: {mode: auto}");
  Create("web", 1);
  Use("web", 100, 40'000, 10 * kMinute);
  EXPECT_EQ(LimitOf("web")[Resource::kMemory], 32 * kGi);
}

TEST_F(SizerTest, TheLedgerOfDisruptionIsRespected) {
  Policy("rightsizing: {mode: auto}\ndisruption: {per_service: 1}");
  Create("web", 1);
  Kill("web");
  const Resources once = LimitOf("web");
  Kill("web");
  EXPECT_EQ(LimitOf("web"), once);
  EXPECT_EQ(sizer().counts().held_back, 1U);
  EXPECT_NE(Recommended("web")[0].held_back.find("was disrupted 1 times"), std::string::npos)
      << Recommended("web")[0].held_back;
  executor_.RunUntil(executor_.now() + kHour);
  Kill("web");
  EXPECT_GT(LimitOf("web")[Resource::kMemory], once[Resource::kMemory]);
}

TEST_F(SizerTest, WhatIsRefusedIsRememberedAndTriedAgainLater) {
  Policy("rightsizing: {mode: auto}");
  // 4 machines of 32Gi, full of instances of 8Gi.
  Service full = ServiceOf("full", 16);
  full.groups = {{TypeId("big"), RoleId(), 8}};
  Submit(ChangeFleet{.put = {TypeOf("big", Amounts(4, 14))}, .remove = {}});
  Submit(CreateService{full});
  Use("full", 100, 15'000, 10 * kMinute);
  EXPECT_EQ(LimitOf("full")[Resource::kMemory], 14 * kGi);
  EXPECT_EQ(sizer().counts().refused, 1U);
  EXPECT_EQ(Recommended("full")[1].held_back.substr(0, 11), "refused by ") << "says why";
  Use("full", 100, 15'000, 30 * kMinute);
  EXPECT_EQ(sizer().counts().refused, 1U) << "not every five minutes";
  for (int i = 4; i < 12; ++i) {
    Submit(ChangeFleet{.put = {MachineIn(fmt::format("m{}", i))}, .remove = {}});
  }
  Use("full", 100, 15'000, kHour);
  EXPECT_GT(LimitOf("full")[Resource::kMemory], 15'000 * kMi);
}

TEST_F(SizerTest, OneProcessAtATimeResizes) {
  Begin("b");
  Policy("rightsizing: {mode: auto}");
  Create("web", 1);
  Kill("web");  // Both are told; one has the lease.
  EXPECT_EQ(engine(0).stats().resizes + engine(1).stats().resizes, 1U);
  // The other goes on once the first is gone.
  const std::size_t first = engine(0).stats().resizes == 1 ? 0 : 1;
  const Resources once = LimitOf("web", 0, 1 - first);
  engines_.erase(engines_.begin() + static_cast<std::ptrdiff_t>(first));
  executor_.RunUntil(executor_.now() + 2 * ControllerLease::kLength);
  Kill("web");
  EXPECT_GT(LimitOf("web")[Resource::kMemory], once[Resource::kMemory]);
}

TEST_F(SizerTest, WhatComesTooLateOrIsNoAmountIsLeftOut) {
  Create("web", 1);
  executor_.RunUntil(Time(kHour));
  const auto tell = [&](Time at, double value) {
    const UsagePoint point{at, value};
    engine().ObserveUsage({"web", 0}, Resource::kCpu, {&point, 1});
  };
  tell(Time(kHour) - std::chrono::minutes(6), 100);
  EXPECT_EQ(sizer().counts().late, 1U);
  tell(Time(kHour) + std::chrono::minutes(6), 100);
  tell(Time(kHour), -1);
  tell(Time(kHour), std::numeric_limits<double>::quiet_NaN());
  tell(Time(kHour), std::numeric_limits<double>::infinity());
  engine().ObserveUsage({"web", 7}, Resource::kCpu, {});
  EXPECT_EQ(sizer().counts().samples, 0U);
  tell(Time(kHour) - std::chrono::minutes(1), 100);  // The window before may still be told of.
  EXPECT_EQ(sizer().counts().samples, 1U);
}

TEST_F(SizerTest, AServiceThatComesBackIsStillKnown) {
  Policy("rightsizing: {mode: auto}");
  Create("job", 1);
  Use("job", 300, 6000, 10 * kMinute);
  const Resources learned = LimitOf("job");
  EXPECT_GT(learned[Resource::kMemory], 6000 * kMi);
  Kill("job");
  Submit(DeleteService{"job"});
  EXPECT_TRUE(Recommended("job").empty());
  executor_.RunUntil(executor_.now() + 24 * kHour);
  Create("job", 1);
  EXPECT_GT(LimitOf("job")[Resource::kMemory], learned[Resource::kMemory]);
  const std::uint64_t kills = sizer().counts().out_of_memory;
  Kill("job");
  EXPECT_EQ(sizer().counts().out_of_memory, kills + 1) << "its instances are others";
  // Of another tenant it is another.
  Submit(DeleteService{"job"});
  Submit(ChangeFleet{.put = {Tenant{TenantId("rival"), {}}}, .remove = {}});
  Service other = ServiceOf("job", 1);
  other.tenant = TenantId("rival");
  Submit(CreateService{other});
  EXPECT_EQ(LimitOf("job"), Amounts(2, 4));
}

TEST_F(SizerTest, ANewServiceBeginsWithWhatThoseLikeItNeed) {
  Policy("rightsizing: {mode: initial, services: [{name: watched, mode: dry_run}]}");
  for (int i = 0; i < 3; ++i) Create(fmt::format("s{}", i), 1);
  Create("young", 1);
  for (int i = 0; i < 3; ++i) {
    Use(fmt::format("s{}", i), 100 * (i + 1), 1000 * (i + 1), 25 * kHour);
  }
  Use("young", 900, 900, kHour);
  EXPECT_EQ(LimitOf("s1"), Amounts(2, 4)) << "only new ones";
  std::optional<Decision> decision;
  engine().Submit({.what = CreateService{ServiceOf("new", 2)}},
                  [&](const Reply& reply) { decision = reply.decision; });
  Settle();
  EXPECT_GT(LimitOf("new")[Resource::kMemory], 2000 * kMi);
  EXPECT_LT(LimitOf("new")[Resource::kMemory], 2600 * kMi);
  EXPECT_LT(LimitOf("new")[Resource::kCpu], 300);
  ASSERT_TRUE(decision.has_value());
  EXPECT_NE(decision->why.find("median of 3 services of type small and tenant acme: s0, s1, s2"),
            std::string::npos)
      << decision->why;
  Create("watched", 1);
  EXPECT_EQ(LimitOf("watched"), Amounts(2, 4));
}

// The same usage and kills, with restarts at any time and without: the same limits at every step,
// for the same reasons.
TEST_F(SizerTest, RestartsChangeNothing) {
  struct Step {
    Resources limit;
    std::string why;
    bool operator==(const Step&) const = default;
  };
  const auto run = [&](bool restarts) {
    const std::string policy =
        "rightsizing: {mode: auto, recommender: ensemble, beside: [window, vpa]}";
    std::vector<Step> steps;
    Policy(policy);
    Create("web", 3);
    Rng rng(9);
    for (int step = 0; step < 60; ++step) {
      const auto level = static_cast<std::uint64_t>(100 + 40 * (step % 30));
      Use("web", 1 + static_cast<double>(rng.Below(level)),
          1 + static_cast<double>(rng.Below(3 * level)),
          static_cast<std::int64_t>(1 + rng.Below(70)) * kMinute);
      if (rng.Below(10) == 0) Kill("web", static_cast<std::uint32_t>(rng.Below(3)));
      const bool now = rng.Below(4) == 0;
      if (restarts && now) Restart();
      Step& now_is = steps.emplace_back();
      now_is.limit = LimitOf("web");
      for (const LiveRecommendation& one : Recommended("web")) now_is.why += one.why + "\n";
    }
    return steps;
  };
  const std::vector<Step> without = run(false);
  Submit(DeleteService{"web"});
  // From a multiple of a window on, with a fleet that knows nothing.
  engines_.clear();
  saved_.clear();
  Begin("a");
  const Duration past = executor_.now().time_since_epoch() % kWindowLength;
  executor_.RunUntil(executor_.now() + (kWindowLength - past));
  EXPECT_EQ(run(true), without);
  std::set<std::int64_t> different;
  for (const Step& step : without) different.insert(step.limit[Resource::kMemory]);
  EXPECT_GT(different.size(), 3U) << "limits that never change show nothing";
}

TEST_F(SizerTest, KillsThatCameWhileNobodyWatchedAreTold) {
  Policy("rightsizing: {mode: auto}");
  Create("web", 1);
  Kill("web");
  const Resources once = LimitOf("web");
  for (const Observation& entry : sizer().TakeChanged(SIZE_MAX)) saved_[entry.key] = entry.value;
  engines_.clear();
  Begin("b");  // Knows nothing, and has no right to resize as long as the lease of the first lasts.
  Kill("web");
  engines_.clear();
  executor_.RunUntil(executor_.now() + 2 * ControllerLease::kLength);
  EXPECT_EQ(saved_.size(), 1U);
  Begin("a");
  EXPECT_EQ(LimitOf("web"), once);
  std::vector<Observation> entries;
  for (const auto& [key, value] : saved_) entries.push_back({key, value});
  sizer().Restore(entries);
  Settle();
  EXPECT_GT(LimitOf("web")[Resource::kMemory], once[Resource::kMemory]);
}

TEST_F(SizerTest, EntriesThatAreNoneAreLeftOut) {
  EXPECT_EQ(sizer().Restore(std::vector<Observation>{{"sizing/service/web", ""},
                                                     {"sizing/service/w w/small", ""},
                                                     {"sizing/service/web/small", "nonsense"},
                                                     {"sizing/rollout", "\x0a"},
                                                     {"window/x", ""}}),
            5U);
  EXPECT_EQ(sizer().counts().followed, 0U);
}

TEST_F(SizerTest, ARolloutIsForSomeAndEndsWhenTheyFareWorse) {
  Policy(
      "rightsizing: {mode: auto, rollout: {name: try, recommender: fixed, percent: 50, roll_back: "
      "{factor: 2, count: 3}}}");
  std::vector<std::string> names;
  for (int i = 0; i < 6; ++i) names.push_back(fmt::format("s{}", i));
  for (const std::string& name : names) Create(name, 1);
  for (const std::string& name : names) Use(name, 100, 100, 10 * kMinute);
  std::string candidate;
  std::uint64_t candidates = 0;
  for (const std::string& name : names) {
    const LiveRecommendation one = Recommended(name).at(0);
    EXPECT_EQ(one.recommender, one.arm == "try" ? "fixed" : "window");
    if (one.arm != "try") continue;
    candidate = name;
    ++candidates;
  }
  ASSERT_GT(candidates, 0U);
  ASSERT_LT(candidates, names.size());
  EXPECT_EQ(sizer().rollout()->candidate_services, candidates);
  EXPECT_EQ(sizer().rollout()->control_services, names.size() - candidates);
  Kill(candidate);
  Kill(candidate);
  EXPECT_EQ(sizer().rollout()->state.rolled_back, "");
  EXPECT_EQ(Recommended(candidate).at(0).recommender, "fixed");
  Kill(candidate);
  EXPECT_NE(sizer().rollout()->state.rolled_back, "");
  EXPECT_EQ(Recommended(candidate).at(0).recommender, "window");
  EXPECT_GT(LimitOf(candidate)[Resource::kMemory], 4 * kGi) << "the other knows of the kills";
  Restart();
  EXPECT_NE(sizer().rollout()->state.rolled_back, "");
  EXPECT_EQ(Recommended(candidate).at(0).recommender, "window");
}

TEST_F(SizerTest, PagesHoldAllOfThem) {
  for (int i = 0; i < 7; ++i) {
    const std::string name = fmt::format("s{}", i);
    Create(name, 1);
    Use(name, 100, 100, 10 * kMinute);
  }
  std::vector<std::string> services;
  RecommendationQuery query{.service = {}, .after_service = {}, .after_type = {}, .most = 3};
  for (bool more = true; more;) {
    const RecommendationPage page = sizer().Recommendations(query);
    for (const LiveRecommendation& one : page.items) services.push_back(one.service);
    query.after_service = page.items.back().service;
    query.after_type = page.items.back().type;
    more = page.more;
  }
  EXPECT_EQ(services.size(), 14U);
  EXPECT_TRUE(std::ranges::is_sorted(services));
}

}  // namespace
}  // namespace berth
