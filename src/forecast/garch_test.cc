#include "forecast/garch.h"

#include <gtest/gtest.h>

#include <cmath>

#include "berth/rng.h"
#include "forecast/made_noise_testing.h"
#include "forecast/series_forecaster.h"

namespace berth {
namespace {

std::vector<double> GarchErrors(MadeNoise& noise) {
  std::vector<double> errors;
  double variance = 1;
  for (int i = 0; i < 1'000; ++i) {
    errors.push_back(std::sqrt(variance) * noise());
    variance = 0.1 + 0.2 * errors.back() * errors.back() + 0.7 * variance;
  }
  return errors;
}

TEST(Garch, VariancesByHand) {
  // The level is 1 / (1 - 0.8) = 5; of a distance from it 0.8 is left at each step.
  const GarchModel model{.constant = 1, .of_square = 0.3, .of_variance = 0.5, .next = 15};
  EXPECT_NEAR(model.Level(), 5, 1e-12);
  const std::vector<double> variances = model.Variances(3);
  EXPECT_NEAR(variances[0], 15, 1e-12);
  EXPECT_NEAR(variances[1], 13, 1e-12);
  EXPECT_NEAR(variances[2], 11.4, 1e-12);
}

TEST(Garch, LikelihoodByHand) {
  // Of the errors 1 and 3 the mean square is 5: log 5 + 1 / 5, then a variance of
  // 1 + 0.5 * 1 + 0.2 * 5 = 2.5: log 2.5 + 9 / 2.5.
  const GarchModel model{.constant = 1, .of_square = 0.5, .of_variance = 0.2};
  EXPECT_NEAR(GarchLikelihood(model, std::vector<double>{1, 3}),
              std::log(5) + 0.2 + std::log(2.5) + 3.6, 1e-12);
}

TEST(Garch, AsInR) {
  MadeNoise noise;
  const std::vector<double> errors = GarchErrors(noise);
  EXPECT_NEAR(errors[2], 1.483795, 1e-6);
  const GarchModel fitted = FitGarch(errors);
  const GarchModel of_r{.constant = 0.142535, .of_square = 0.286436, .of_variance = 0.593819};
  // R's level is free.
  EXPECT_LE(GarchLikelihood(fitted, errors), GarchLikelihood(of_r, errors) + 1);
  EXPECT_NEAR(fitted.of_square, of_r.of_square, 0.03);
  EXPECT_NEAR(fitted.of_variance, of_r.of_variance, 0.04);
  EXPECT_NEAR(fitted.constant, of_r.constant, 0.03);
}

TEST(Garch, TheUnitDoesNotMatter) {
  MadeNoise noise;
  std::vector<double> errors = GarchErrors(noise);
  const GarchModel one = FitGarch(errors);
  for (double& error : errors) error *= 1e80;
  const GarchModel large = FitGarch(errors);
  EXPECT_NEAR(large.of_square, one.of_square, 1e-9);
  EXPECT_NEAR(large.next / one.next, 1e160, 1e152);
}

TEST(Garch, OfPlainNoiseTheVarianceIsConstant) {
  Rng rng(7);
  std::vector<double> errors;
  for (int i = 0; i < 300; ++i) errors.push_back(2 * rng.Normal());
  const GarchModel model = FitGarch(errors);
  EXPECT_LT(model.of_square, 0.2);
  EXPECT_NEAR(model.Level(), 4, 1);
  EXPECT_EQ(FitGarch(std::vector<double>(100, 0)).next, 0);
  EXPECT_EQ(FitGarch({}).next, 0);
  const GarchModel few = FitGarch(std::vector<double>(10, 3));
  EXPECT_EQ(few.of_square, 0);
  EXPECT_DOUBLE_EQ(few.Variances(5)[4], 9);
}

TEST(Garch, WhereTheVarianceDoesNotMoveBandsAreAsTheyWere) {
  Rng rng(7);
  TimeSeries noise{.start = {}, .values = {}};
  for (int i = 0; i < 100; ++i) noise.values.push_back(100 + 5 * rng.Normal());
  const auto fitted = SeriesForecaster::Fit(*FindForecaster("average+garch").value(), noise, {});
  EXPECT_EQ(fitted.value().description(),
            "average, GARCH(1,1): the variance does not move, bands as they were");
}

TEST(Garch, AfterABurstTheBandIsWiderAndComesBack) {
  // Quiet, but for bursts; the second series ends in one.
  const auto series = [](bool ends_in_burst) {
    Rng rng(3);
    TimeSeries made{.start = {}, .values = {}};
    for (int i = 0; i < 400; ++i) {
      const bool burst = i % 100 >= 60 && i % 100 < 80;
      made.values.push_back(100 + (burst ? 20 : 1) * rng.Normal());
    }
    if (ends_in_burst) made.values.resize(380);
    return made;
  };
  const auto width = [&](std::string_view method, bool ends_in_burst, std::size_t at) {
    const double level = 0.95;
    const auto fitted =
        SeriesForecaster::Fit(*FindForecaster(method).value(), series(ends_in_burst), {});
    const Forecast forecast = fitted.value().Predict(60, std::span(&level, 1)).value();
    return forecast.bands[0].upper[at] - forecast.bands[0].lower[at];
  };
  EXPECT_GT(width("sarima+garch", true, 0), 2 * width("sarima+garch", false, 0));
  EXPECT_GT(width("sarima+garch", true, 0), width("sarima+garch", true, 59));
  EXPECT_NEAR(width("sarima", true, 0) / width("sarima", false, 0), 1, 0.2);
}

}  // namespace
}  // namespace berth
