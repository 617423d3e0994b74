#include "serve/sampled_series.h"

#include <gtest/gtest.h>

#include <cmath>

namespace berth {
namespace {

constexpr Duration kHour = std::chrono::hours(1);

Window WindowAt(int number, double mean) {
  const Time begin = TimeFromMicros(0) + number * kWindowLength;
  return {.begin = begin, .last = begin, .count = 2, .sum = 2 * mean, .min = mean, .max = mean};
}

TEST(SampledSeries, AWindowWithoutSamplesIsAGap) {
  const std::vector<Window> windows = {WindowAt(3, 5), WindowAt(5, 7)};
  const auto series =
      SeriesOfWindows(windows, kWindowLength, TimeFromMicros(0) + 6 * kWindowLength);
  ASSERT_TRUE(series.ok());
  EXPECT_EQ(series.value().start, TimeFromMicros(0) + 3 * kWindowLength);
  ASSERT_EQ(series.value().values.size(), 3U);
  EXPECT_EQ(series.value().values[0], 5);
  EXPECT_TRUE(std::isnan(series.value().values[1]));
  EXPECT_EQ(series.value().values[2], 7);
}

TEST(SampledSeries, AnHourIsTheAverageOfItsWindows) {
  std::vector<Window> windows;
  for (int i = 0; i < 18; ++i) windows.push_back(WindowAt(i, i));
  const auto whole = SeriesOfWindows(windows, kHour, TimeFromMicros(0) + 2 * kHour);
  EXPECT_EQ(whole.value().values, (std::vector<double>{5.5, 14.5}));
  // The second hour has not ended.
  const auto begun = SeriesOfWindows(windows, kHour, TimeFromMicros(0) + 2 * kHour - Duration(1));
  EXPECT_EQ(begun.value().values, (std::vector<double>{5.5}));
}

TEST(SampledSeries, AFirstHourSampledFromSomeTimeOnIsLeftOut) {
  const auto hours_of = [](const std::vector<Window>& windows, int hours) {
    return SeriesOfWindows(windows, kHour, TimeFromMicros(0) + hours * kHour).value();
  };
  std::vector<Window> windows = {WindowAt(11, 100)};
  // There is no other.
  EXPECT_EQ(hours_of(windows, 1).values, std::vector<double>{100});
  for (int i = 12; i < 24; ++i) windows.push_back(WindowAt(i, 40));
  EXPECT_EQ(hours_of(windows, 1).values, std::vector<double>{100});
  EXPECT_EQ(hours_of(windows, 2).values, std::vector<double>{40});
  EXPECT_EQ(hours_of(windows, 2).start, TimeFromMicros(0) + kHour);
  // The first that is whole is the one after the gap.
  const TimeSeries after = hours_of({WindowAt(1, 100), WindowAt(36, 7)}, 4);
  EXPECT_EQ(after.start, TimeFromMicros(0) + 3 * kHour);
  EXPECT_EQ(after.values, std::vector<double>{7});
  const TimeSeries all = hours_of({WindowAt(0, 100), WindowAt(12, 7)}, 2);
  EXPECT_EQ(all.start, TimeFromMicros(0));
  EXPECT_EQ(all.values, (std::vector<double>{100, 7}));
}

TEST(SampledSeries, NothingIsNotFound) {
  EXPECT_EQ(SeriesOfWindows({}, kHour, TimeFromMicros(0)).status().code(), Code::kNotFound);
  const std::vector<Window> windows = {WindowAt(0, 1)};
  const auto none = SeriesOfWindows(windows, kHour, TimeFromMicros(0) + kWindowLength);
  EXPECT_EQ(none.status().code(), Code::kNotFound);
}

}  // namespace
}  // namespace berth
