#include "forecast/error_bands.h"

#include <gtest/gtest.h>

#include <cmath>

namespace berth {
namespace {

TEST(ErrorBands, ByHand) {
  // Of four distances 1, 2, 3, 4 and one beyond all: 50% are three of five, 60% too; 80% are four.
  const SeenErrors errors = {.held_out = {-3, 1, 4, -2}};
  const Forecast forecast = WithErrorBands({10, 20}, errors, std::vector<double>{0.5, 0.6, 0.8});
  EXPECT_EQ(forecast.mean, (std::vector<double>{10, 20}));
  EXPECT_EQ(forecast.bands[0].lower, (std::vector<double>{7, 17}));
  EXPECT_EQ(forecast.bands[1].upper, (std::vector<double>{13, 23}));
  EXPECT_EQ(forecast.bands[2].upper, (std::vector<double>{14, 24}));
}

TEST(ErrorBands, BeyondTheFarthestOfAFewItIsStudentsT) {
  // The mean square of 3, 1, 4, 2 is 7.5, and of four degrees 95% are within 2.776445.
  const std::vector<double> errors = {-3, 1, 4, -2};
  EXPECT_NEAR(ReachOf(errors, 0.95), std::sqrt(7.5 * 1.25) * 2.776445, 1e-5);
  EXPECT_EQ(ReachOfFew(errors, 0.8), 0);
  // Of one that is far the reach is not less than that one: of two degrees 70% are within 1.386.
  const std::vector<double> one_is_far = {0, 10};
  EXPECT_NEAR(ReachOfFew(one_is_far, 0.7), std::sqrt(50 * 1.5) * 1.386, 0.005);
  EXPECT_NEAR(ReachOf(one_is_far, 0.67), std::max(10.0, ReachOfFew(one_is_far, 0.67)), 1e-12);
}

TEST(ErrorBands, AQuietEndDoesNotHideWhatTheFitLeaves) {
  const SeenErrors errors = {.held_out = {0, 0, 0, 0}, .fitted = {1, -2, 1, 1}};
  const Forecast forecast = WithErrorBands({10}, errors, std::vector<double>{0.5, 0.8});
  EXPECT_EQ(forecast.bands[0].lower, std::vector<double>{9});
  EXPECT_EQ(forecast.bands[1].upper, std::vector<double>{12});
}

TEST(ErrorBands, WithoutErrorsTheyAreTheMean) {
  const Forecast forecast = WithErrorBands({5}, {}, std::vector<double>{0.9});
  EXPECT_EQ(forecast.bands[0].lower, std::vector<double>{5});
}

}  // namespace
}  // namespace berth
