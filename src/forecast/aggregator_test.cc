#include "forecast/aggregator.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace berth {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

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
