#include "serve/sampled_metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scale/application_policy.h"

namespace berth {
namespace {

using std::chrono::minutes;

// On the boundary of two windows; samples are taken as of now, so the clock is the machine's.
class SampledMetricsTest : public ::testing::Test {
 protected:
  void Take(const std::string& subject, const std::string& metric, Duration before, double value) {
    observer_.Use([=](Samples& samples, Time) {
      EXPECT_TRUE(samples.Take({subject, metric}, {{kNow - before, value}}, kNow).ok());
    });
  }
  Result<TimeSeries> Ask(std::string_view metric, std::size_t points, std::size_t service = 0) {
    return SampledMetrics(observer_, kNow, services_).Series({metric, service}, points);
  }
  static Resources Limit(std::int64_t cpu_milli) {
    Resources limit;
    limit[Resource::kCpu] = cpu_milli;
    return limit;
  }

  static constexpr Time kNow = Time(minutes(30'000'000));
  Observer observer_{NewMemoryObservations()};
  std::vector<SampledService> services_ = {
      {.name = "web", .instances = {{"web/0", Limit(1000)}, {"web/4", Limit(3000)}}},
      {.name = "search", .instances = {}}};
};

TEST_F(SampledMetricsTest, OfAServiceTheMeansOfTheLastWindows) {
  Take("web", "load", minutes(19), 7);
  Take("web", "load", minutes(14), 10);
  Take("web", "load", minutes(13), 20);
  Take("web", "load", minutes(4), 40);
  const Result<TimeSeries> all = Ask("load", 100);
  ASSERT_TRUE(all.ok()) << all.status().message();
  EXPECT_EQ(all.value().start, kNow - minutes(20));
  ASSERT_EQ(all.value().values.size(), 4U);
  EXPECT_EQ(all.value().values[1], 15);
  EXPECT_TRUE(std::isnan(all.value().values[2]));
  EXPECT_EQ(all.value().values[3], 40);
  const Result<TimeSeries> last = Ask("load", 1);
  ASSERT_TRUE(last.ok());
  EXPECT_EQ(last.value().start, kNow - minutes(5));
  EXPECT_EQ(last.value().values, std::vector<double>{40});
}

// Of every ten minutes every other window is a gap, also where what is asked for would begin.
TEST_F(SampledMetricsTest, BeginsAndEndsWithASample) {
  for (int i = 0; i < 10; ++i) Take("web", "load", minutes(4 + 10 * i), 40 + i);
  for (std::size_t points = 1; points <= 20; ++points) {
    const Result<TimeSeries> last = Ask("load", points);
    ASSERT_TRUE(last.ok()) << last.status().message();
    EXPECT_TRUE(CheckSeries(last.value()).ok()) << CheckSeries(last.value()).message();
    const std::size_t sampled = (points + 1) / 2;
    ASSERT_EQ(last.value().values.size(), 2 * sampled - 1);
    EXPECT_EQ(last.value().start, kNow - minutes(5) * (2 * sampled - 1));
    EXPECT_EQ(last.value().values.front(), 39 + sampled);
    EXPECT_EQ(last.value().values.back(), 40);
  }
}

TEST_F(SampledMetricsTest, WhatIsSampledEveryTenMinutesIsPlannedBy) {
  for (int i = 0; i < 12; ++i) Take("web", "load", minutes(4 + 10 * i), 35);
  const Result<Document> policy = ParseDocument(R"(
applications:
  - name: shop
    services: [{name: web}]
    scaling:
      autoscaler: space
      services:
        default:
          min: 1
          max: 9
          groups:
            - name: load
              calculator: {name: per_instance, metric: load, target: 10}
              metrics:
                - {name: load, of: application, forecaster: {name: average, history: 1h}}
)",
                                                "p.yaml");
  ASSERT_TRUE(policy.ok()) << policy.status().message();
  const auto parsed = ParseApplications(policy.value().root());
  ASSERT_TRUE(parsed.ok()) << parsed.status().message();
  const auto made = parsed.value().front().NewAutoscaler(std::vector<Resources>(1));
  ASSERT_TRUE(made.ok()) << made.status().message();
  const DeploymentState state{.ready = {1}, .starting = {0}};
  const ScalingPlan plan =
      made.value()->Decide(kNow, state, SampledMetrics(observer_, kNow, services_));
  ASSERT_FALSE(plan.states.empty()) << plan.notes.front();
  EXPECT_EQ(plan.states.front().instances, InstanceCounts{4});
}

TEST_F(SampledMetricsTest, TheApplicationsIsItsFirstServices) {
  Take("web", "load", minutes(4), 40);
  Take("search", "load", minutes(4), 9);
  EXPECT_EQ(Ask("load", 1, MetricKey::kApplication).value().values, std::vector<double>{40});
  EXPECT_EQ(Ask("load", 1, 1).value().values, std::vector<double>{9});
}

// 300 of 1000 and 900 of 3000 are 1200 of 4000; in the window before only one was sampled.
TEST_F(SampledMetricsTest, UsageIsAShareOfTheLimitsOfThoseThatWereSampled) {
  Take("web/0", "cpu_milli", minutes(8), 500);
  Take("web/0", "cpu_milli", minutes(3), 300);
  Take("web/4", "cpu_milli", minutes(2), 900);
  const Result<TimeSeries> cpu = Ask("cpu", 10);
  ASSERT_TRUE(cpu.ok()) << cpu.status().message();
  EXPECT_EQ(cpu.value().values, (std::vector<double>{0.5, 0.3}));
  EXPECT_TRUE(Ask("memory", 10).value().values.empty());
  EXPECT_TRUE(Ask("cpu", 10, 1).value().values.empty());
}

TEST_F(SampledMetricsTest, WhatIsNoLongerSampledDoesNotCount) {
  Take("web", "load", minutes(14), 10);
  EXPECT_FALSE(Ask("load", 1).value().values.empty());
  Take("search", "load", minutes(21), 10);
  EXPECT_TRUE(Ask("load", 1, 1).value().values.empty());
  EXPECT_TRUE(Ask("load", 100, 1).value().values.empty());
}

TEST_F(SampledMetricsTest, AMetricThatThereIsNotIsAnErrorThatNamesThose) {
  Take("web", "load", minutes(4), 40);
  EXPECT_EQ(Ask("laod", 1).status().message(),
            "there is no metric 'laod' of web; there are cpu, memory, load");
  const SampledMetrics metrics(observer_, kNow, services_);
  EXPECT_EQ(metrics.Series({"load", 0, "browse"}, 1).status().message(),
            "load is not sampled by request type; leave out 'browse'");
}

}  // namespace
}  // namespace berth
