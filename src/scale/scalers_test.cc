// What every scaler keeps to, over all of scalers.def, and cases of each worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "base/quantiles.h"
#include "berth/rng.h"
#include "scale/scaler.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

std::unique_ptr<Scaler> Make(std::string_view name, ScalerBasis basis = {}) {
  if (basis.expression.empty()) basis.expression = "cpu_milli / 300 + queue / 20";
  Result<std::unique_ptr<Scaler>> made = FindScaler(name).value().make(basis);
  EXPECT_TRUE(made.ok()) << made.status().message();
  return std::move(made).value();
}

ReplicaLoad Load(Time at, std::uint32_t replicas, double cpu_milli) {
  static const std::vector<NamedMetric> kMetrics = {{"queue", 40}};
  return {.at = at, .replicas = replicas, .cpu_milli = cpu_milli, .metrics = kMetrics};
}

TEST(Scalers, SayNothingBeforeTheyKnowSomethingAndWhyAfter) {
  for (const ScalerEntry& entry : Scalers()) {
    const auto scaler = Make(entry.name);
    EXPECT_EQ(scaler->Recommend(), std::nullopt) << entry.name;
    EXPECT_EQ(scaler->Why(), "") << entry.name;
    scaler->Observe(Load(Time(hours(1)), 4, 2000));
    ASSERT_TRUE(scaler->Recommend()) << entry.name;
    EXPECT_TRUE(scaler->Why().starts_with(std::to_string(*scaler->Recommend()) + ": "))
        << scaler->Why();
  }
}

ReplicaLoad RandomLoad(Rng& rng, Time at) {
  const auto replicas = static_cast<std::uint32_t>(rng.Below(50));
  const auto starting = static_cast<std::uint32_t>(rng.Below(replicas + 1));
  const auto unmeasured = static_cast<std::uint32_t>(rng.Below(replicas - starting + 1));
  ReplicaLoad load = Load(at, replicas, 30'000 * rng.Unit());
  load.starting = starting;
  load.unmeasured = unmeasured;
  if (load.measured() == 0) load.cpu_milli = 0;
  if (rng.Below(10) == 0) load.metrics = {};
  return load;
}

TEST(Scalers, GoOnWhereTheyWereSaved) {
  for (const ScalerEntry& entry : Scalers()) {
    Rng rng(7);
    const auto kept = Make(entry.name);
    auto restarted = Make(entry.name);
    Time now(hours(500));
    for (int i = 0; i < 2000; ++i) {
      now += seconds(1 + rng.Below(600));
      const ReplicaLoad load = RandomLoad(rng, now);
      kept->Observe(load);
      restarted->Observe(load);
      if (i % 40 == 0) {
        restarted = Make(entry.name);
        const Status status = restarted->Restore(kept->Save());
        ASSERT_TRUE(status.ok()) << entry.name << ": " << status.message();
      }
      ASSERT_EQ(kept->Recommend(), restarted->Recommend()) << entry.name;
      ASSERT_EQ(kept->Why(), restarted->Why()) << entry.name;
      ASSERT_LE(kept->Recommend().value_or(0), kReplicasMax) << entry.name;
    }
    EXPECT_EQ(kept->Save(), restarted->Save()) << entry.name;
    EXPECT_LT(kept->Save().size(), 8192U) << entry.name;
  }
}

TEST(Scalers, SurviveBytesThatTheyDidNotSave) {
  Rng rng(12);
  for (const ScalerEntry& entry : Scalers()) {
    const auto scaler = Make(entry.name);
    Time now(hours(500));
    for (int i = 0; i < 30; ++i) scaler->Observe(RandomLoad(rng, now += seconds(60)));
    const std::string good = scaler->Save();
    for (int i = 0; i < 500; ++i) {
      std::string bad = good.substr(0, rng.Below(good.size() + 1));
      if (!bad.empty()) bad[rng.Below(bad.size())] = static_cast<char>(rng.Below(256));
      const std::string why = scaler->Why();
      if (scaler->Restore(bad).ok()) {
        scaler->Observe(RandomLoad(rng, now));
        ASSERT_TRUE(scaler->Restore(good).ok());
      } else {
        EXPECT_EQ(scaler->Why(), why) << entry.name;
      }
    }
  }
}

TEST(Scalers, AnUnknownOneNamesThoseThereAre) {
  EXPECT_EQ(FindScaler("hpb").status().message(),
            "scaler 'hpb': there is none of that name; there are fixed, utilisation, metric, hpa");
}

// Windows of five minutes that used 1000, 3000 and 2000 millicores together. The most is 3000: at
// 60% of 500m a replica, 300m each, ten replicas.
TEST(UtilisationScaler, TakesTheMostOfTheHorizon) {
  const auto scaler = Make("utilisation", {.reference_milli = 500, .horizon = minutes(15)});
  scaler->Observe(Load(Time(minutes(0)), 4, 1000));
  scaler->Observe(Load(Time(minutes(5)), 4, 3000));
  scaler->Observe(Load(Time(minutes(10)), 8, 2000));
  EXPECT_EQ(scaler->Recommend(), 10U);
  EXPECT_EQ(scaler->Why(), "10: the most of the last 15m is 3 of cpu, at 60% of 500m a replica");
  scaler->Observe(Load(Time(minutes(15)), 8, 100));
  EXPECT_EQ(scaler->Recommend(), 10U);
  // Now the 3000 is four windows old: 2000 is the most, seven replicas.
  scaler->Observe(Load(Time(minutes(20)), 8, 100));
  EXPECT_EQ(scaler->Recommend(), 7U);
}

// Samples of a minute are averaged: 300 and 900 are 600, two replicas.
TEST(UtilisationScaler, AveragesOverTheWindow) {
  const auto scaler = Make("utilisation", {.reference_milli = 500});
  scaler->Observe(Load(Time(minutes(60)), 1, 300));
  scaler->Observe(Load(Time(minutes(61)), 1, 900));
  EXPECT_EQ(scaler->Recommend(), 2U);
}

// Of five replicas two start, one is not measured and two use 400m: three use 600m.
TEST(UtilisationScaler, WhoIsNotMeasuredUsesAsMuchAsTheOthers) {
  const auto scaler = Make("utilisation", {.reference_milli = 500});
  ReplicaLoad load = Load(Time(hours(1)), 5, 400);
  load.starting = 2;
  load.unmeasured = 1;
  scaler->Observe(load);
  EXPECT_EQ(scaler->Recommend(), 2U);
}

TEST(UtilisationScaler, IsTheStatisticOfTheWindowsInTheHorizon) {
  Rng rng(3);
  for (const LoadStatistic statistic : {LoadStatistic::kMax, LoadStatistic::kP95}) {
    const auto scaler = Make("utilisation", {.horizon = hours(10), .statistic = statistic});
    std::deque<std::pair<std::int64_t, double>> windows;
    std::int64_t window = 1000;
    for (int i = 0; i < 3000; ++i) {
      window += rng.Below(20) == 0 ? 1 + static_cast<std::int64_t>(rng.Below(150)) : 1;
      const double used = std::floor(1 + 50'000 * rng.Unit());
      scaler->Observe(Load(Time(minutes(5) * window), 3, used));
      windows.emplace_back(window, used);
      while (windows.front().first <= window - 120) windows.pop_front();
      std::vector<double> values;
      values.reserve(windows.size());
      for (const auto& [number, value] : windows) values.push_back(value);
      const double all = Quantile(values, statistic == LoadStatistic::kMax ? 1 : 0.95);
      ASSERT_EQ(scaler->Recommend(), WholeReplicas(all / 600));
    }
  }
}

TEST(UtilisationScaler, RefusesAHorizonWithoutEnd) {
  const auto error = [](const ScalerBasis& basis) {
    return FindScaler("utilisation").value().make(basis).status().message();
  };
  EXPECT_EQ(error({.horizon = hours(24 * 365)}),
            "horizon: one to 2016 windows of at least a second");
  EXPECT_EQ(error({.target = 0}), "target and reference must be more than 0");
}

// Two of four use 1000m, so all use 2000m.
TEST(Scalers, AnExpressionKnowsWhatIsNotMeasuredAsUtilisationDoes) {
  const auto scaler = Make("metric", {.expression = "cpu_milli / 500"});
  scaler->Observe({.at = Time(hours(1)), .replicas = 4, .unmeasured = 2, .cpu_milli = 1000});
  EXPECT_EQ(scaler->Recommend(), 4U);
  scaler->Observe({.at = Time(hours(2)), .replicas = 4, .starting = 1, .unmeasured = 3});
  EXPECT_EQ(scaler->Why(), "4: the last that cpu_milli / 500 gave, now cpu_milli is not measured");
}

TEST(MetricScaler, TheLastCountStaysWhereThereIsNone) {
  const auto scaler = Make("metric", {.expression = "ceil(queue / rate) + 1"});
  const auto tell = [&](const std::vector<NamedMetric>& metrics) {
    scaler->Observe({.at = Time(hours(1)), .replicas = 2, .metrics = metrics});
  };
  tell({{"queue", 100}});
  EXPECT_EQ(scaler->Recommend(), std::nullopt);
  tell({{"queue", 100}, {"rate", 30}});
  EXPECT_EQ(scaler->Recommend(), 5U);
  EXPECT_EQ(scaler->Why(), "5: ceil(queue / rate) + 1");
  tell({{"queue", 100}, {"rate", 0}});
  EXPECT_EQ(scaler->Recommend(), 5U);
  EXPECT_EQ(scaler->Why(), "5: the last that ceil(queue / rate) + 1 gave, now it divides by zero");
  tell({{"rate", 1}});
  EXPECT_EQ(scaler->Why(),
            "5: the last that ceil(queue / rate) + 1 gave, now queue is not measured");
  tell({{"queue", -1000}, {"rate", 1}});
  EXPECT_EQ(scaler->Recommend(), 0U);
  EXPECT_EQ(scaler->Metrics(), (std::vector<std::string>{"queue", "rate"}));
}

TEST(MetricScaler, ABadExpressionIsRefused) {
  const Result<std::unique_ptr<Scaler>> made =
      FindScaler("metric").value().make({.expression = "queue /"});
  EXPECT_EQ(made.status().message(),
            "expression 'queue /': column 8: expected a number, a name or (, found the end");
}

// At 60% of 500m a replica should use 300m.
class HpaScaler : public ::testing::Test {
 protected:
  std::uint32_t After(Duration passed, std::uint32_t replicas, double cpu_milli,
                      std::uint32_t starting = 0, std::uint32_t unmeasured = 0) {
    now_ += passed;
    hpa_->Observe({.at = now_,
                   .replicas = replicas,
                   .starting = starting,
                   .unmeasured = unmeasured,
                   .cpu_milli = cpu_milli});
    return *hpa_->Recommend();
  }

  std::unique_ptr<Scaler> hpa_ = Make("hpa", {.reference_milli = 500});
  Time now_{hours(1)};
};

// 10 replicas use 4500m, half again too much: 15. Then 15 use 4500m, as they should.
TEST_F(HpaScaler, FollowsTheRatio) {
  EXPECT_EQ(After(seconds(15), 10, 4500), 15U);
  EXPECT_EQ(After(seconds(15), 15, 4500), 15U);
  EXPECT_EQ(hpa_->Why(), "15: 60% of cpu used, 60% aimed at, 15 wanted");
}

TEST_F(HpaScaler, ATenthIsIgnored) {
  EXPECT_EQ(After(seconds(15), 10, 3300), 10U);
  EXPECT_EQ(After(seconds(15), 10, 3301), 12U);
  EXPECT_EQ(After(seconds(600), 10, 2700), 10U);
}

// 2700m or less of 3000m is fewer: nine replicas, but only after five minutes of them.
TEST_F(HpaScaler, FewerOnlyWhenNobodyWantedMoreForFiveMinutes) {
  EXPECT_EQ(After(seconds(0), 10, 3000), 10U);
  EXPECT_EQ(After(seconds(299), 10, 1500), 10U);
  EXPECT_EQ(After(seconds(1), 10, 1500), 5U);
}

// The most of what was wanted within five minutes is what is left: first 8, then 5.
TEST_F(HpaScaler, FallsByWhatWasWantedBefore) {
  After(seconds(0), 10, 2400);
  EXPECT_EQ(After(seconds(60), 10, 1500), 8U);
  EXPECT_EQ(After(seconds(240), 8, 1500), 5U);
}

// In 15 seconds twice as many, or four more, whichever is more.
TEST_F(HpaScaler, GrowsAtMostTwofold) {
  EXPECT_EQ(After(seconds(15), 10, 30'000), 20U);
  // Ten of these came within the last 15 seconds: that was all for now.
  EXPECT_EQ(After(seconds(5), 20, 30'000), 20U);
  EXPECT_EQ(After(seconds(15), 20, 30'000), 40U);
  // Asked every 15 seconds it doubles every time.
  EXPECT_EQ(After(seconds(15), 40, 30'000), 80U);
  EXPECT_EQ(After(seconds(60), 1, 30'000), 5U);
}

// 8 measured use 4000m, 500m each: 1.67 of the aim. The two that start count as using nothing:
// 400m each, 1.33 of it, times ten: 14 replicas.
TEST_F(HpaScaler, WhoStartsUsesNothingWhenThereShouldBeMore) {
  EXPECT_EQ(After(seconds(15), 10, 4000, 2), 14U);
  // Five that use nothing leave 1.03 of the aim: nothing is done.
  EXPECT_EQ(After(seconds(60), 13, 4000, 5), 13U);
}

// Who starts does not count when there should be fewer: 8 use 1200m, half the aim: four.
TEST_F(HpaScaler, WhoStartsDoesNotCountWhenThereShouldBeFewer) {
  EXPECT_EQ(After(seconds(15), 10, 1200, 2), 4U);
}

// 8 use 1200m; two that are not measured count as using all of their 500m: 2200m of ten are 0.73
// of the aim: eight.
TEST_F(HpaScaler, WhoIsNotMeasuredUsesAllWhenThereShouldBeFewer) {
  EXPECT_EQ(After(seconds(15), 10, 1200, 0, 2), 8U);
  // And nothing when there should be more: 3600m of ten, 1.2 of the aim: twelve.
  EXPECT_EQ(After(seconds(15), 10, 3600, 0, 2), 12U);
}

TEST_F(HpaScaler, WithoutAMeasurementTheLastCountStays) {
  EXPECT_EQ(After(seconds(15), 10, 4500), 15U);
  EXPECT_EQ(After(seconds(15), 15, 0, 0, 15), 15U);
}

}  // namespace
}  // namespace berth
