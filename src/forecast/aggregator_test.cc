#include "forecast/aggregator.h"

#include <gtest/gtest.h>

#include <cmath>

#include "forecast/made_series_testing.h"

namespace berth {
namespace {

TimeSeries FromHour(int hour, std::vector<double> values) {
  return {.start = TimeFromMicros(0) + std::chrono::hours(hour), .values = std::move(values)};
}

TEST(Aggregators, ByHand) {
  const std::vector<double> values = {7, 1, 4, 10, 2, 3};
  const auto of = [&](std::string_view name, double quantile = 0.95) {
    return FindAggregator(name).value()->aggregate(values, {.quantile = quantile});
  };
  EXPECT_EQ(of("min"), 1);
  EXPECT_EQ(of("max"), 10);
  EXPECT_EQ(of("sum"), 27);
  EXPECT_EQ(of("mean"), 4.5);
  EXPECT_EQ(of("median"), 3.5);
  EXPECT_EQ(of("quantile"), 10);
  EXPECT_EQ(of("quantile", 0.5), 3);
  EXPECT_EQ(of("quantile", 0), 1);
  EXPECT_EQ(BuiltinAggregators().size(), 6U);
}

TEST(Aggregators, WindowsBeginAtMultiplesOfTheirLength) {
  const AggregatorEntry& sum = *FindAggregator("sum").value();
  // Hours 22, 23 of one day, 0 to 23 of the next, 0 of a third.
  const auto days =
      Aggregate(sum, FromHour(22, std::vector<double>(27, 1)), std::chrono::hours(24), {});
  ASSERT_TRUE(days.ok());
  EXPECT_EQ(days.value().start, TimeFromMicros(0));
  EXPECT_EQ(days.value().step, std::chrono::hours(24));
  EXPECT_EQ(days.value().values, (std::vector<double>{2, 24, 1}));
  // Before 1970 too.
  const auto before = Aggregate(sum, FromHour(-2, {1, 2, 3}), std::chrono::hours(24), {});
  EXPECT_EQ(before.value().values, (std::vector<double>{3, 3}));
}

TEST(Aggregators, WholeWindowsAreThoseOfAllTheirPoints) {
  const AggregatorEntry& sum = *FindAggregator("sum").value();
  const auto whole = [&](int first_hour, std::vector<double> values, int hours) {
    const TimeSeries series = FromHour(first_hour, std::move(values));
    return WholeWindows(Aggregate(sum, series, std::chrono::hours(hours), {}).value(), series);
  };
  const auto hour = [](int hours) { return TimeFromMicros(0) + std::chrono::hours(hours); };
  // Hours 22, 23 of one day, 0 to 23 of the next, 0 of a third.
  const TimeSeries day = whole(22, std::vector<double>(27, 1), 24);
  EXPECT_EQ(day.start, hour(24));
  EXPECT_EQ(day.values, std::vector<double>{24});
  // Each end alone, and neither.
  EXPECT_EQ(whole(1, {1, 2, 4}, 2).values, std::vector<double>{6});
  EXPECT_EQ(whole(0, {1, 2, 4}, 2).values, std::vector<double>{3});
  EXPECT_EQ(whole(0, {1, 2, 4, 8}, 2).values, (std::vector<double>{3, 12}));
  EXPECT_EQ(whole(5, {1, 2}, 1).values, (std::vector<double>{1, 2}));
  // None at all: a part of two, and of one.
  EXPECT_TRUE(whole(1, {1, 2}, 2).values.empty());
  EXPECT_TRUE(whole(1, {1, 2}, 24).values.empty());
  // What then is at an end is no gap.
  const TimeSeries inner = whole(1, {1, kGap, kGap, 2, 4, kGap, kGap, 8}, 2);
  EXPECT_EQ(inner.start, hour(4));
  EXPECT_EQ(inner.values, std::vector<double>{6});
  EXPECT_TRUE(whole(1, {1, kGap, kGap, 8}, 2).values.empty());
}

TEST(Aggregators, WholeWindowsOfPointsBesideTheGrid) {
  // At half past each hour: two make a window, which begins at the full hour.
  TimeSeries series = FromHour(0, {1, 2, 4, 8, 16});
  series.start += std::chrono::minutes(90);
  const auto whole = [&] {
    const AggregatorEntry& sum = *FindAggregator("sum").value();
    return WholeWindows(Aggregate(sum, series, std::chrono::hours(2), {}).value(), series);
  };
  EXPECT_EQ(whole().start, TimeFromMicros(0) + std::chrono::hours(2));
  EXPECT_EQ(whole().values, (std::vector<double>{6, 24}));
  series.values.pop_back();
  EXPECT_EQ(whole().values, std::vector<double>{6});
}

TEST(Aggregators, TheMeanOfEqualValuesIsThatValue) {
  for (std::size_t n = 1; n < 40; ++n) {
    const std::vector<double> equal(n, 0.1);
    EXPECT_EQ(FindAggregator("mean").value()->aggregate(equal, {}), 0.1) << n;
  }
}

TEST(Aggregators, EachOneLeavesGapsOut) {
  for (const AggregatorEntry& entry : BuiltinAggregators()) {
    const auto pairs =
        Aggregate(entry, FromHour(0, {5, kGap, kGap, kGap, 8, 8}), std::chrono::hours(2), {});
    ASSERT_TRUE(pairs.ok());
    EXPECT_EQ(pairs.value().values[0], 5) << entry.name;
    EXPECT_TRUE(std::isnan(pairs.value().values[1])) << entry.name;
    EXPECT_EQ(pairs.value().values[2], entry.name == "sum" ? 16 : 8) << entry.name;
  }
}

TEST(Aggregators, OtherLengthsAreRefused) {
  const AggregatorEntry& mean = *FindAggregator("mean").value();
  for (const Duration every :
       {Duration(0), Duration(std::chrono::minutes(90)), Duration(std::chrono::minutes(-60))}) {
    EXPECT_EQ(Aggregate(mean, FromHour(0, {1, 2}), every, {}).status().code(),
              Code::kInvalidArgument);
  }
  EXPECT_FALSE(Aggregate(mean, FromHour(0, {}), std::chrono::hours(1), {}).ok());
  EXPECT_TRUE(FindAggregator("mode").status().message().starts_with(
      "there is no aggregator 'mode'; the aggregators are min, max"));
}

}  // namespace
}  // namespace berth
