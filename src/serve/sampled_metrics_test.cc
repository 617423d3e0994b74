#include "serve/sampled_metrics.h"

#include <gtest/gtest.h>

#include <cmath>

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
