#include "forecast/error_bands.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(ErrorBands, ByHand) {
  // Of four distances 1, 2, 3, 4 and one beyond all: 50% are three of five, 60% too; 80% are four,
  // and of more than that the farthest is the most that is known.
  const std::vector<double> errors = {-3, 1, 4, -2};
  const Forecast forecast =
      WithErrorBands({10, 20}, errors, std::vector<double>{0.5, 0.6, 0.8, 0.95});
  EXPECT_EQ(forecast.mean, (std::vector<double>{10, 20}));
  EXPECT_EQ(forecast.bands[0].lower, (std::vector<double>{7, 17}));
  EXPECT_EQ(forecast.bands[1].upper, (std::vector<double>{13, 23}));
  EXPECT_EQ(forecast.bands[2].upper, (std::vector<double>{14, 24}));
  EXPECT_EQ(forecast.bands[3].lower, (std::vector<double>{6, 16}));
}

TEST(ErrorBands, WithoutErrorsTheyAreTheMean) {
  const Forecast forecast = WithErrorBands({5}, {}, std::vector<double>{0.9});
  EXPECT_EQ(forecast.bands[0].lower, std::vector<double>{5});
}

}  // namespace
}  // namespace berth
