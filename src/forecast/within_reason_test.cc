#include "forecast/within_reason.h"

#include <gtest/gtest.h>

#include <limits>

namespace berth {
namespace {

constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kUnbounded = std::numeric_limits<double>::infinity();

TEST(WithinReason, TenRangesOutsideOfWhatWasSeenByHand) {
  Forecast forecast{.mean = {-500, 3, 500},
                    .bands = {{0.9, {-501, 2, 499}, {-499, 4, kUnbounded}}}};
  KeepWithinReason(forecast, {.least = -5, .most = 5});
  EXPECT_EQ(forecast.mean, (std::vector<double>{-105, 3, 105}));
  EXPECT_EQ(forecast.bands[0].lower, (std::vector<double>{-105, 2, 105}));
  EXPECT_EQ(forecast.bands[0].upper, (std::vector<double>{-105, 4, 105}));
}

TEST(WithinReason, NotBelowZeroIfNothingSeenWas) {
  Forecast forecast{.mean = {-1}, .bands = {{0.9, {-kUnbounded}, {50}}}};
  KeepWithinReason(forecast, {.least = 0, .most = 2});
  EXPECT_EQ(forecast.mean[0], 0);
  EXPECT_EQ(forecast.bands[0].lower[0], 0);
  EXPECT_EQ(forecast.bands[0].upper[0], 22);
}

TEST(WithinReason, WhatIsNoNumberIsTheMiddleAndTheFurthest) {
  Forecast forecast{.mean = {kNoNumber}, .bands = {{0.9, {kNoNumber}, {kNoNumber}}}};
  KeepWithinReason(forecast, {.least = 10, .most = 12});
  EXPECT_EQ(forecast.mean[0], 11);
  EXPECT_EQ(forecast.bands[0].lower[0], 0);
  EXPECT_EQ(forecast.bands[0].upper[0], 32);
}

}  // namespace
}  // namespace berth
