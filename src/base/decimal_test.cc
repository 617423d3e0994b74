#include "base/decimal.h"

#include <gtest/gtest.h>

#include <limits>

namespace berth {
namespace {

using enum Scaled::Outcome;

TEST(Decimal, SplitsNumberAndUnit) {
  EXPECT_EQ(SplitUnit("1.5Gi").number, "1.5");
  EXPECT_EQ(SplitUnit("1.5Gi").unit, "Gi");
  EXPECT_EQ(SplitUnit("12").unit, "");
  EXPECT_EQ(SplitUnit("Gi").number, "");
  EXPECT_EQ(SplitUnit("-1").unit, "-1");
}

TEST(Decimal, ScalesExactlyOrSaysWhyNot) {
  constexpr std::int64_t kMax = std::int64_t{1} << 52;
  struct Case {
    const char* number;
    std::int64_t scale;
    Scaled::Outcome outcome;
    std::int64_t value;
  };
  for (const Case& c : {
           Case{"0", 1000, kExact, 0},
           Case{"2.5", 1000, kExact, 2500},
           Case{"0002.500", 1000, kExact, 2500},
           Case{"1.5", 1 << 30, kExact, 3 << 29},
           Case{"0.000000000000000444", 1, kNotWhole, 0},
           Case{"2.0005", 1000, kNotWhole, 0},
           Case{"0.00000000000000000000", 1, kExact, 0},
           Case{"0.0000019073486328125", std::int64_t{1} << 50, kNotWhole, 0},
           Case{"4503599627370496", 1, kExact, kMax},
           Case{"4503599627370497", 1, kTooLarge, 0},
           Case{"4503599627370.497", 1000, kTooLarge, 0},
           Case{"99999999999999999999999999999999999999999999999", 1, kTooLarge, 0},
           Case{"", 1, kNotANumber, 0},
           Case{".", 1, kNotANumber, 0},
           Case{".5", 1000, kNotANumber, 0},
           Case{"5.", 1000, kNotANumber, 0},
           Case{"1.2.3", 1000, kNotANumber, 0},
           Case{"1e3", 1, kNotANumber, 0},
           Case{"+1", 1, kNotANumber, 0},
       }) {
    const Scaled scaled = ScaleExactly(c.number, c.scale, kMax);
    EXPECT_EQ(scaled.outcome, c.outcome) << c.number;
    EXPECT_EQ(scaled.value, c.value) << c.number;
  }
}

TEST(Decimal, HoldsTheLargestNumbersItMay) {
  constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
  EXPECT_EQ(ScaleExactly("9223372036854775807", 1, kMax).value, kMax);
  EXPECT_EQ(ScaleExactly("9223372036854775808", 1, kMax).outcome, kTooLarge);
  EXPECT_EQ(ScaleExactly("9223372036854775807", std::int64_t{1} << 50, kMax).outcome, kTooLarge);
  EXPECT_EQ(ScaleExactly("0.999999999999999999", std::int64_t{1} << 50, kMax).outcome, kNotWhole);
}

}  // namespace
}  // namespace berth
