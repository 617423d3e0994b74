#include "forecast/normal_forecast.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(NormalForecast, ABandIsSoManyDeviationsWide) {
  const Forecast forecast =
      NormalForecast({10, 20}, std::vector<double>{1, 2}, std::vector<double>{0.95, 0.5});
  ASSERT_EQ(forecast.bands.size(), 2U);
  EXPECT_NEAR(forecast.bands[0].upper[1], 20 + 2 * 1.959963984540054, 1e-9);
  EXPECT_NEAR(forecast.bands[0].lower[0], 10 - 1.959963984540054, 1e-9);
  EXPECT_NEAR(forecast.bands[1].upper[0], 10 + 0.6744897501960817, 1e-9);
}

}  // namespace
}  // namespace berth
