#include "forecast/seasons.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Lengths, UsualSeasonsAreADayAndAWeek) {
  EXPECT_EQ(UsualSeasons(std::chrono::hours(1)), (std::vector<std::size_t>{24, 168}));
  EXPECT_EQ(UsualSeasons(std::chrono::minutes(5)), (std::vector<std::size_t>{288, 2016}));
  EXPECT_EQ(UsualSeasons(std::chrono::hours(24)), (std::vector<std::size_t>{7}));
  EXPECT_EQ(UsualSeasons(std::chrono::minutes(7)), (std::vector<std::size_t>{1440}));
  EXPECT_TRUE(UsualSeasons(std::chrono::seconds(1)).empty());
}

TEST(Lengths, WhatIsLeftOutForItsLengthIsTold) {
  EXPECT_EQ(LeftOutOfUsual(std::chrono::hours(1)), "");
  EXPECT_EQ(LeftOutOfUsual(std::chrono::minutes(7)), "");
  EXPECT_EQ(LeftOutOfUsual(std::chrono::minutes(1)),
            "no season of 10080 points: at most 10,000 are taken");
  EXPECT_EQ(LeftOutOfUsual(std::chrono::seconds(1)),
            "no season of 86400 or 604800 points: at most 10,000 are taken");
}

TEST(Lengths, AreNamed) {
  TimeSeries series{.start = {}, .values = {}};
  for (int i = 0; i < 60; ++i) series.values.push_back(i % 5);
  using Lengths = std::vector<std::size_t>;
  EXPECT_EQ(SeasonsNamed("", series).value(), (Lengths{24, 168}));
  EXPECT_EQ(SeasonsNamed("12,30", series).value(), (Lengths{12, 30}));
  EXPECT_EQ(SeasonsNamed("none", series).value(), Lengths{});
  EXPECT_EQ(SeasonsNamed("auto", series).value(), Lengths{5});
  EXPECT_EQ(SeasonsNamed("12,x", series).status().message(),
            "a season is auto, none or a list of points as 24,168, not '12,x'");
  EXPECT_FALSE(SeasonsNamed("30,12", series).ok());
  EXPECT_FALSE(SeasonsNamed("1", series).ok());
}

}  // namespace
}  // namespace berth
