#include "report/digits.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(Digits, AreThreeDecimalsOfWhatIsOrdinary) {
  EXPECT_EQ(Digits(40, 300)(123.45678), "123.457");
  EXPECT_EQ(Digits(0.1, 5)(1.23456), "1.235");
  EXPECT_EQ(Digits(0, 12.5)(12.5), "12.500");
  EXPECT_EQ(Digits(0, 0)(0), "0.000");
  EXPECT_EQ(Digits(1e8, 1e9)(1'234'567'890), "1234567890.000");
}

TEST(Digits, AreAsManyMoreAsShowThreeOfTheDifference) {
  EXPECT_EQ(Digits(0.04, 5)(1.23456), "1.2346");
  EXPECT_EQ(Digits(1e-7, 3e-7)(2.34567e-7), "0.000000235");
  EXPECT_EQ(Digits(0, 2e-5)(2e-5), "0.0000200");
}

TEST(Digits, HaveAnExponentWhereThatWouldBeLong) {
  EXPECT_EQ(Digits(3e-8, 3e-8)(2.34567e-8), "2.346e-08");
  EXPECT_EQ(Digits(1e-12, 5)(1.234567890123456), "1.23456789012346e+00");
  EXPECT_EQ(Digits(1e98, 1e99)(1.23456e99), "1.235e+99");
  EXPECT_EQ(Digits(1, 1e100)(1e99), "1.000000000000000e+99");
}

}  // namespace
}  // namespace berth
