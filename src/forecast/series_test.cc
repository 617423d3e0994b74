#include "forecast/series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "forecast/made_series_testing.h"

namespace berth {
namespace {

TEST(Series, GapsAreFilledOnAStraightLine) {
  const std::vector<double> values = {1, kGap, kGap, 7, 5, kGap, 6};
  EXPECT_EQ(WithoutGaps(values), (std::vector<double>{1, 3, 5, 7, 5, 5.5, 6}));
}

TEST(Series, OneWithoutGapsIsLeftAlone) {
  const std::vector<double> values = {3, 1, 4};
  EXPECT_EQ(WithoutGaps(values), values);
}

std::string Refusal(std::vector<double> values) {
  return CheckSeries({.start = {}, .values = std::move(values)}).message();
}

TEST(Series, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(Refusal({}), "the series has no point; give at least one");
  EXPECT_EQ(Refusal({kGap, 1}), "point 1 of the series is a gap; a series begins with a number");
  EXPECT_EQ(Refusal({1, kGap}), "point 2 of the series is a gap; a series ends with a number");
  EXPECT_EQ(Refusal({1, std::numeric_limits<double>::infinity(), 1}),
            "point 2 of the series is beyond 1e+100");
  EXPECT_EQ(Refusal({1, kGap, 2}), "");
}

TEST(Series, ThereIsALimitOfPoints) {
  EXPECT_EQ(Refusal(std::vector<double>(kSeriesPointsMax, 1.0)), "");
  EXPECT_EQ(Refusal(std::vector<double>(kSeriesPointsMax + 1, 1.0)),
            "the series has 1000001 points; at most 1,000,000 are taken");
}

TEST(Series, TimesAfterItCanBeWritten) {
  // The years 1970 and 3000, and of the latter's length what comes after.
  TimeSeries series{
      .start = TimeFromMicros(0), .step = std::chrono::seconds(32'503'680'000), .values = {1, 2}};
  EXPECT_TRUE(CheckTimesAfter(series, 6).ok());
  EXPECT_EQ(CheckTimesAfter(series, 7).message(),
            "points are 376200d apart, so that the last of 7 after them is past the year 9999; "
            "shorten the horizon, or mend the times");
  EXPECT_FALSE(CheckTimesAfter(series, 10'000).ok());
  series.step = std::chrono::hours(1);
  EXPECT_TRUE(CheckTimesAfter(series, 10'000).ok());
}

TEST(Series, TheStepIsPositive) {
  EXPECT_FALSE(CheckSeries({.start = {}, .step = Duration(0), .values = {1}}).ok());
}

}  // namespace
}  // namespace berth
