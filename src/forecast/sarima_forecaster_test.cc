#include "forecast/sarima_forecaster.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "forecast/remembered.h"

namespace berth {
namespace {

// What was estimated stays, and what is too long ago to be remembered makes no difference.
TEST(SarimaForecaster, FollowsAsTheModelDoesThatRemembersEverything) {
  Rng rng(2);
  std::vector<double> values = {0};
  double error_before = 0;
  const auto more = [&] {
    const double error = rng.Normal();
    values.push_back(0.7 * values.back() + error + 0.5 * error_before);
    error_before = error;
  };
  while (values.size() < 300) more();
  const SarimaLimits limits{.d = 0, .seasonal_p = 0, .seasonal_d = 0, .seasonal_q = 0};
  const SarimaModel model = SelectSarima(values, 1, limits).model;
  ASSERT_GT(model.coefficients.ma.size(), 0U);
  const auto follower =
      NewSarimaForecaster({.values = values, .seasons = {}, .rng = Rng(1)}, limits);
  while (values.size() < 3 * kRememberedMin) {
    more();
    follower->Update(values.back());
    if (values.size() % 1'000 != 0) continue;
    const std::vector<double> expected = model.Means(values, 5);
    const Forecast foreseen = follower->Predict(5, {}, Rng(1));
    for (std::size_t h = 0; h < 5; ++h) EXPECT_NEAR(foreseen.mean[h], expected[h], 1e-6);
  }
}

}  // namespace
}  // namespace berth
