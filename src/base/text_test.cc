#include "base/text.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/utf8.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(Text, TrimTakesSpacesAndTabsOff) {
  EXPECT_EQ(Trim("  a b\t "), "a b");
  EXPECT_EQ(Trim("a"), "a");
  EXPECT_EQ(Trim(" \t"), "");
  EXPECT_EQ(Trim(""), "");
}

TEST(Text, SplitKeepsEmptyParts) {
  using Parts = std::vector<std::string_view>;
  EXPECT_EQ(Split("a,b,c", ','), (Parts{"a", "b", "c"}));
  EXPECT_EQ(Split(",a,", ','), (Parts{"", "a", ""}));
  EXPECT_EQ(Split("", ','), (Parts{""}));
}

TEST(Text, EditDistanceCountsLetters) {
  EXPECT_EQ(EditDistance("", ""), 0U);
  EXPECT_EQ(EditDistance("racks", "racks"), 0U);
  EXPECT_EQ(EditDistance("racks", "rakcs"), 2U);
  EXPECT_EQ(EditDistance("rack", "racks"), 1U);
  EXPECT_EQ(EditDistance("", "abc"), 3U);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3U);
}

TEST(Text, QuotedCutsAndHidesNothingPrintable) {
  EXPECT_EQ(Quoted("web"), "'web'");
  EXPECT_EQ(Quoted("caf\xc3\xa9"), "'caf\xc3\xa9'");
  EXPECT_EQ(Quoted("a\nb"), "'a\\x0ab'");
  EXPECT_EQ(Quoted("a\xff"), "'a\\xff'");
  EXPECT_EQ(Quoted(std::string(100, 'x')), "'" + std::string(60, 'x') + "...'");
}

TEST(Text, QuotedIsAlwaysWellFormed) {
  for (std::size_t before = 50; before < 62; ++before) {
    const std::string text =
        std::string(before, 'x') + "\xf0\x9f\x98\x80\xf0\x9f\x98\x80 end of text";
    EXPECT_FALSE(FindMalformedUtf8(Quoted(text)).has_value()) << before;
    EXPECT_EQ(Quoted(text).find("\\x"), std::string::npos) << before;
  }
}

TEST(Text, FormatDurationShowsTwoUnits) {
  struct Case {
    Duration duration;
    const char* text;
  };
  for (const Case& c : {
           Case{Duration(0), "0s"},
           Case{Duration(17), "17us"},
           Case{milliseconds(250), "250ms"},
           Case{Duration(1500), "1.5ms"},
           Case{milliseconds(1250), "1.25s"},
           Case{seconds(59), "59s"},
           Case{seconds(60), "1m"},
           Case{minutes(12) + seconds(5), "12m 5s"},
           Case{hours(3) + minutes(12) + seconds(59), "3h 12m"},
           Case{hours(76), "3d 4h"},
           Case{hours(48), "2d"},
           Case{-minutes(5), "-5m"},
           Case{Duration(std::numeric_limits<std::int64_t>::min()), "-106751991d 4h"},
       }) {
    EXPECT_EQ(FormatDuration(c.duration), c.text);
  }
}

TEST(Text, ParseDurationReadsEveryUnit) {
  struct Case {
    const char* text;
    Duration duration;
  };
  for (const Case& c : {
           Case{"90s", seconds(90)},
           Case{"5m", minutes(5)},
           Case{"12h", hours(12)},
           Case{"3d", hours(72)},
           Case{"250ms", milliseconds(250)},
           Case{"10us", Duration(10)},
           Case{"1.5h", minutes(90)},
           Case{"0s", Duration(0)},
           Case{"36500d", kDurationMax},
       }) {
    const Result<Duration> duration = ParseDuration(c.text);
    ASSERT_TRUE(duration.ok()) << duration.status().message();
    EXPECT_EQ(duration.value(), c.duration) << c.text;
  }
}

TEST(Text, ParseDurationSaysWhatIsWrong) {
  struct Case {
    const char* text;
    const char* what;
  };
  for (const Case& c : {
           Case{"",
                "'' is not a length of time; write it like \"90s\", \"5m\", \"12h\", \"3d\" or "
                "\"250ms\""},
           Case{"soon", "'soon' is not a length of time; "},
           Case{"1.2.3s", "'1.2.3s' is not a length of time; "},
           Case{"90", "'90' has no unit of time; "},
           Case{"90 s", "'90 s' has an unknown unit of time; "},
           Case{"3w", "'3w' has an unknown unit of time; "},
           Case{"-5m", "'-5m' is negative; "},
           Case{"0.5us", "'0.5us' is not a whole number of microseconds; "},
           Case{"36501d", "'36501d' is over a hundred years; "},
           Case{"99999999999999999999d", "'99999999999999999999d' is over a hundred years; "},
       }) {
    const Status status = ParseDuration(c.text).status();
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << c.text;
    EXPECT_TRUE(status.message().starts_with(c.what)) << status.message();
  }
}

TEST(Text, ParseIntegerWantsAllOfTheText) {
  EXPECT_EQ(ParseInteger("-12").value, -12);
  EXPECT_EQ(ParseInteger("-12").error, std::errc());
  EXPECT_EQ(ParseInteger("99999999999999999999").error, std::errc::result_out_of_range);
  for (const char* text : {"", "1.5", "1 ", " 1", "+1", "x"}) {
    EXPECT_EQ(ParseInteger(text).error, std::errc::invalid_argument) << text;
  }
}

TEST(Text, ParseNumberWantsAFiniteOne) {
  EXPECT_EQ(ParseNumber("-2.5e1").value, -25);
  EXPECT_EQ(ParseNumber("-2.5e1").error, std::errc());
  EXPECT_EQ(ParseNumber("1e999").error, std::errc::result_out_of_range);
  for (const char* text : {"", "nan", "inf", "-inf", "1x", "0x1"}) {
    EXPECT_EQ(ParseNumber(text).error, std::errc::invalid_argument) << text;
  }
}

TEST(Text, FormatCountGroupsThousands) {
  EXPECT_EQ(FormatCount(0), "0");
  EXPECT_EQ(FormatCount(999), "999");
  EXPECT_EQ(FormatCount(1000), "1,000");
  EXPECT_EQ(FormatCount(12345), "12,345");
  EXPECT_EQ(FormatCount(-999), "-999");
  EXPECT_EQ(FormatCount(-1234567), "-1,234,567");
  EXPECT_EQ(FormatCount(std::numeric_limits<std::int64_t>::min()), "-9,223,372,036,854,775,808");
}

TEST(Text, PluralCountsNouns) {
  EXPECT_EQ(Plural(0, "move"), "0 moves");
  EXPECT_EQ(Plural(1, "move"), "1 move");
  EXPECT_EQ(Plural(12345, "move"), "12,345 moves");
}

TEST(Text, FormatPercentRoundsToATenth) {
  EXPECT_EQ(FormatPercent(0), "0.0 %");
  EXPECT_EQ(FormatPercent(0.12345), "12.3 %");
}

TEST(FormatTime, RehearsalsCountFromZeroAndTheRestIsTheCalendar) {
  EXPECT_EQ(FormatTime(Time(std::chrono::hours(30))), "1d 6h");
  EXPECT_EQ(FormatTime(Time(std::chrono::minutes(24 * 60 + 5))), "1d 5m");
  EXPECT_EQ(FormatTime(Time(std::chrono::seconds(90'061))), "1d 1h 1m 1s");
  EXPECT_EQ(FormatTime(Time(std::chrono::milliseconds(1'500))), "1.5s");
  EXPECT_EQ(FormatTime(Time(std::chrono::seconds(1'794'749'721))), "2026-11-15 13:35:21");
}

}  // namespace
}  // namespace berth
