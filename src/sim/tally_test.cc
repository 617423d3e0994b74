#include "sim/tally.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Tally, GivesTheValueOfTheNearestRank) {
  Tally tally;
  EXPECT_EQ(tally.Quantile(0.5), 0U);
  tally.Add(0, 97);
  tally.Add(3, 2);
  tally.Add(9);
  EXPECT_EQ(tally.total(), 100U);
  EXPECT_EQ(tally.Quantile(0.97), 0U);
  EXPECT_EQ(tally.Quantile(0.98), 3U);
  EXPECT_EQ(tally.Quantile(0.99), 3U);
  EXPECT_EQ(tally.Quantile(0.999), 9U);
  EXPECT_EQ(tally.Most(), 9U);
}

TEST(RateMeter, CountsIntervalsWithoutEventsToo) {
  RateMeter meter{seconds(1)};
  meter.Note(Time(milliseconds(100)));
  meter.Begin(Time(seconds(2)));
  meter.Note(Time(seconds(2)));
  meter.Note(Time(milliseconds(2999)));
  meter.Note(Time(milliseconds(5500)));
  // Two in the third second, none in the two after it; the sixth is not over at 5.9 s.
  const Tally until = meter.Until(Time(milliseconds(5900)));
  EXPECT_EQ(until.counts(), (std::map<std::uint64_t, std::uint64_t>{{0, 2}, {2, 1}}));
  EXPECT_EQ(meter.Until(Time(seconds(6))).counts(),
            (std::map<std::uint64_t, std::uint64_t>{{0, 2}, {1, 1}, {2, 1}}));
}

}  // namespace
}  // namespace berth
