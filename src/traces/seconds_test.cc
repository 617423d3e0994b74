#include "traces/seconds.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Seconds, AreReadExactly) {
  EXPECT_EQ(ParseSeconds("0").value(), Duration(0));
  EXPECT_EQ(ParseSeconds(" 12.5 ").value(), Duration(12'500'000));
  EXPECT_EQ(ParseSeconds("0.000001").value(), Duration(1));
  EXPECT_EQ(ParseSeconds("3153600000").value(), std::chrono::hours(24) * 36'500);
}

TEST(Seconds, AreRefusedWithWhatToDo) {
  const auto error = [](std::string_view text) { return ParseSeconds(text).status().message(); };
  EXPECT_EQ(error(""), "'' is not a number; write seconds, such as 12.5");
  EXPECT_EQ(error("1e3"), "'1e3' is not a number; write seconds, such as 12.5");
  EXPECT_EQ(error("-0.5"), "'-0.5' is negative; write seconds from 0 on");
  EXPECT_EQ(error("0.0000001"),
            "'0.0000001' is finer than a microsecond; write at most six decimals");
  EXPECT_EQ(error("3153600001"), "'3153600001' is over 100 years; write seconds");
}

TEST(Seconds, AreWrittenWithoutNeedlessDecimals) {
  EXPECT_EQ(FormatSeconds(Duration(0)), "0");
  EXPECT_EQ(FormatSeconds(std::chrono::seconds(90)), "90");
  EXPECT_EQ(FormatSeconds(Duration(12'500'000)), "12.5");
  EXPECT_EQ(FormatSeconds(Duration(1)), "0.000001");
}

}  // namespace
}  // namespace berth
