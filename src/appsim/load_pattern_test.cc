#include "appsim/load_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "appsim/app_model.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(LoadPattern, LevelsRepeatInTheirCommonMeasure) {
  const std::vector<LoadLevel> levels = {{.length = seconds(60), .rate = 1},
                                         {.length = seconds(90), .rate = 3}};
  const RateSteps steps = LevelRates(levels, seconds(200)).value();
  EXPECT_EQ(steps.step, Duration(seconds(30)));
  EXPECT_EQ(steps.rates, (std::vector<double>{1, 1, 3, 3, 3, 1, 1}));
  const std::vector<LoadLevel> odd = {{.length = Duration(1), .rate = 1},
                                      {.length = seconds(90), .rate = 3}};
  EXPECT_NE(LevelRates(odd, seconds(200)).status().message().find("too short"), std::string::npos);
}

TEST(LoadPattern, ASineBeginsAtItsLowestAndHasItsMean) {
  const RateSteps steps =
      SineRates({.period = minutes(60), .low = 10, .high = 50}, minutes(120)).value();
  ASSERT_EQ(steps.rates.size(), 120U);
  EXPECT_NEAR(steps.rates[0], 10, 0.1);
  EXPECT_NEAR(steps.rates[30], 50, 0.1);
  EXPECT_NEAR(steps.rates[15], 31.05, 0.01);  // The step after a quarter.
  EXPECT_NEAR(std::accumulate(steps.rates.begin(), steps.rates.end(), 0.0) / 120, 30, 1e-9);
  EXPECT_DOUBLE_EQ(steps.rates[7], steps.rates[67]);
}

TEST(LoadPattern, SeasonsGoByMonthAndDay) {
  LoadDay weekend{.values = {1, 2}};
  weekend.weekdays = {true, false, false, false, false, false, true};
  LoadDay december{.values = {7}};
  december.months.assign(12, false);
  december.months[11] = true;
  LoadDay weekday{.values = {10, 20, 30, 40}};
  weekday.months[10] = true;
  const std::vector<LoadDay> days = {weekend, december, weekday};
  // Friday, 2026-11-27 12:00, for four days and a half: to Tuesday, the first of December.
  const RateSteps steps = SeasonRates(days, 1795780800, hours(108)).value();
  EXPECT_EQ(steps.step, Duration(hours(6)));
  EXPECT_EQ(steps.rates,
            (std::vector<double>{30, 40, 1, 1, 2, 2, 1, 1, 2, 2, 10, 20, 30, 40, 7, 7, 7, 7}));
  // A run that begins within a part.
  EXPECT_EQ(SeasonRates(days, 1795780800 + 3 * 3600, hours(6)).value().rates,
            (std::vector<double>{30, 40}));
  december.weekdays.assign(7, false);
  const std::vector<LoadDay> none = {december};
  EXPECT_EQ(SeasonRates(none, 1795780800, hours(24)).value().rates, std::vector<double>(2, 0));
}

TEST(LoadPattern, TracesAreScaledAndTheirGapsFilled) {
  const TimeSeries series{.step = seconds(10),
                          .values = {1, std::numeric_limits<double>::quiet_NaN(), 3, 4}};
  EXPECT_EQ(SeriesRates(series, 2, seconds(30)).value().rates, (std::vector<double>{2, 4, 6}));
  EXPECT_EQ(SeriesRates(series, 2, seconds(90)).value().rates.size(), 4U);
}

TEST(LoadPattern, AWalkWithoutErrorsIsALine) {
  SampledLoad sampled{.step = seconds(1), .scale = 10};
  sampled.model.order.d = 1;
  sampled.model.mean = 2;
  EXPECT_EQ(SampledRates(sampled, seconds(4)).value().rates, (std::vector<double>{20, 40, 60, 80}));
}

TEST(LoadPattern, ASampledLoadHasTheCorrelationsOfItsProcess) {
  SampledLoad sampled{.step = seconds(1), .seed = 3};
  sampled.model.order = {.p = 1, .seasonal_q = 1, .period = 12};
  sampled.model.coefficients = {.ar = {0.7}, .seasonal_ma = {0.5}};
  sampled.model.variance = 4;
  constexpr std::size_t kCount = 200'000;
  const std::vector<double> rates = SampledRates(sampled, seconds(kCount)).value().rates;
  ASSERT_EQ(rates.size(), kCount);
  EXPECT_EQ(std::ranges::min(rates), 0);  // Lifted.
  const double mean = std::accumulate(rates.begin(), rates.end(), 0.0) / kCount;
  const auto covariance = [&](std::size_t lag) {
    double sum = 0;
    for (std::size_t i = lag; i < kCount; ++i) sum += (rates[i] - mean) * (rates[i - lag] - mean);
    return sum / kCount;
  };
  const std::vector<double> expected =
      Autocovariances(Multiplied(sampled.model.coefficients, sampled.model.order.period), 13);
  for (const std::size_t lag : {0U, 1U, 6U, 12U}) {
    EXPECT_NEAR(covariance(lag), 4 * expected[lag], 0.03 * 4 * expected[0]) << lag;
  }
  EXPECT_EQ(SampledRates(sampled, seconds(10)).value().rates,
            SampledRates(sampled, seconds(10)).value().rates);
}

TEST(LoadPattern, AProcessThatRunsAwayIsRefused) {
  SampledLoad sampled{.step = seconds(1)};
  sampled.model.order.p = 1;
  sampled.model.coefficients.ar = {3};
  sampled.model.variance = 1;
  EXPECT_NE(SampledRates(sampled, hours(1)).status().message().find("beyond all bounds"),
            std::string::npos);
}

}  // namespace
}  // namespace berth
