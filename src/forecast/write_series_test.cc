#include "forecast/write_series.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "forecast/read_series.h"

namespace berth {
namespace {

TEST(WriteSeries, ByHand) {
  const TimeSeries series{.start = TimeFromMicros(3'600'000'000),
                          .step = std::chrono::minutes(5),
                          .values = {1.5, std::numeric_limits<double>::quiet_NaN(), -2e20}};
  EXPECT_EQ(ToCsv(series), "at_ms,value\n3600000,1.5\n3900000,\n4200000,-2e+20\n");
}

TEST(WriteSeries, IsReadBackAsItWas) {
  const TimeSeries series{.start = TimeFromMicros(7'200'000'000),
                          .values = {0.1, 1.0 / 3, std::numeric_limits<double>::quiet_NaN(), 1e99}};
  const auto again = ReadSeries(LineReader::FromText(ToCsv(series), "series.csv"));
  ASSERT_TRUE(again.ok()) << again.status().message();
  EXPECT_EQ(again.value().start, series.start);
  EXPECT_EQ(again.value().step, series.step);
  EXPECT_EQ(again.value().values[1], series.values[1]);
  EXPECT_TRUE(std::isnan(again.value().values[2]));
  EXPECT_EQ(again.value().values[3], series.values[3]);
}

}  // namespace
}  // namespace berth
