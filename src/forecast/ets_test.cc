#include "forecast/ets.h"

#include <gtest/gtest.h>

#include <cmath>

#include "berth/rng.h"

namespace berth {
namespace {

TEST(Ets, SimpleSmoothingByHand) {
  EtsModel model{.form = {}, .weights = {.alpha = 0.5}, .state = {.level = 10}, .variance = 4};
  std::vector<double> errors(3);
  const EtsFollowed followed = Follow(model, std::vector<double>{12, 10, 15}, errors);
  // Levels 10, 11, 10.5, 12.75.
  EXPECT_EQ(errors, (std::vector<double>{2, -1, 4.5}));
  EXPECT_DOUBLE_EQ(followed.squares, 4 + 1 + 20.25);
  EXPECT_DOUBLE_EQ(model.Next(), 12.75);
  // 4 (1 + 0.25 (h - 1)).
  EXPECT_DOUBLE_EQ(model.Deviations(3)[0], 2);
  EXPECT_DOUBLE_EQ(model.Deviations(3)[2], std::sqrt(4 * 1.5));
}

TEST(Ets, DampedTrendByHand) {
  EtsModel model{.form = {.trend = EtsTrend::kDamped},
                 .weights = {.alpha = 0.5, .beta = 0.25, .phi = 0.5},
                 .state = {.level = 10, .slope = 4},
                 .variance = 1};
  // Expected 12; the error 4 moves the level to 14 and the slope to 2 + 1.
  model.Update(16);
  EXPECT_DOUBLE_EQ(model.state.level, 14);
  EXPECT_DOUBLE_EQ(model.state.slope, 3);
  EXPECT_EQ(model.Means(3), (std::vector<double>{15.5, 16.25, 16.625}));
  // Responses 0.5 + 0.25 * 0.5 and 0.5 + 0.25 * 0.75.
  EXPECT_DOUBLE_EQ(model.Deviations(3)[2], std::sqrt(1 + 0.625 * 0.625 + 0.6875 * 0.6875));
}

TEST(Ets, ProportionalErrorsAndSeasonByHand) {
  EtsModel model{.form = {EtsError::kMultiplicative, EtsTrend::kNone, EtsSeason::kMultiplicative},
                 .weights = {.alpha = 0.5, .gamma = 0.5},
                 .state = {.level = 10, .season = {1.5, 0.5}}};
  std::vector<double> errors(1);
  const EtsFollowed followed = Follow(model, std::vector<double>{18}, errors);
  EXPECT_DOUBLE_EQ(errors[0], 0.2);
  EXPECT_DOUBLE_EQ(followed.logs, std::log(15.0));
  EXPECT_DOUBLE_EQ(model.state.level, 11);        // Half of the way to 18 / 1.5.
  EXPECT_DOUBLE_EQ(model.state.season[0], 1.65);  // Half of the way to 18 / 10.
  EXPECT_DOUBLE_EQ(model.Next(), 5.5);
}

// The variance of such an error is 1e-16 of the square of the level.
TEST(Ets, ProportionalDeviationsAreThoseOfAdditiveErrorsFarFromZero) {
  for (const EtsTrend trend : {EtsTrend::kNone, EtsTrend::kAdditive, EtsTrend::kDamped}) {
    EtsModel model{.form = {EtsError::kAdditive, trend, EtsSeason::kAdditive},
                   .weights = {.alpha = 0.4, .beta = 0.1, .gamma = 0.3, .phi = 0.9},
                   .state = {.level = 1e9, .slope = 1, .season = {5, -10, 5}},
                   .variance = 100};
    const std::vector<double> additive = model.Deviations(12);
    model.form.error = EtsError::kMultiplicative;
    model.variance = 100 / 1e18;
    const std::vector<double> proportional = model.Deviations(12);
    for (std::size_t h = 0; h < 12; ++h) EXPECT_NEAR(proportional[h], additive[h], 1e-5) << h;
  }
}

TEST(Ets, FactorsStayWhereNoSeasonIsTheReason) {
  const EtsModel before{
      .form = {EtsError::kMultiplicative, EtsTrend::kNone, EtsSeason::kMultiplicative},
      .weights = {.alpha = 0.5, .gamma = 0.5},
      .state = {.level = 100, .season = {1.5, 0.5}}};
  // Expected 150.
  for (const double value : {0.0, -1.0, 30.0, 700.0}) {
    EtsModel model = before;
    model.Update(value);
    EXPECT_EQ(model.state.season, before.state.season) << value;
    EXPECT_EQ(model.state.phase, 1U);
    EXPECT_DOUBLE_EQ(model.state.level, (100 + value / 1.5) / 2) << value;
    EXPECT_EQ(model.weights.gamma, 0.5);
  }
  for (const double value : {40.0, 590.0}) {
    EtsModel model = before;
    model.Update(value);
    EXPECT_DOUBLE_EQ(model.state.season[0], (1.5 + value / 100) / 2) << value;
  }
}

TEST(Ets, ANegativeForecastIsNotSoundForProportionalErrors) {
  EtsModel model{.form = {.error = EtsError::kMultiplicative}, .state = {.level = -1}};
  EXPECT_FALSE(Follow(model, std::vector<double>{1}, {}).sound);
}

TEST(Ets, FormsAreWrittenAsInTheBook) {
  EXPECT_EQ(ToString({EtsError::kMultiplicative, EtsTrend::kDamped, EtsSeason::kAdditive}),
            "ETS(M,Ad,A)");
}

// The slow reference of the formulas: many futures, drawn error by error.
std::vector<double> SimulatedDeviations(const EtsModel& model, std::size_t horizon, Rng& rng) {
  constexpr int kPaths = 8'000;
  std::vector<double> sums(horizon), squares(horizon);
  for (int path = 0; path < kPaths; ++path) {
    EtsModel walker = model;
    for (std::size_t h = 0; h < horizon; ++h) {
      const double expected = walker.Next();
      const double error = std::sqrt(model.variance) * rng.Normal();
      const double value =
          model.form.error == EtsError::kAdditive ? expected + error : expected * (1 + error);
      walker.Update(value);
      sums[h] += value / kPaths;
      squares[h] += value * value / kPaths;
    }
  }
  std::vector<double> deviations;
  for (std::size_t h = 0; h < horizon; ++h) {
    deviations.push_back(std::sqrt(squares[h] - sums[h] * sums[h]));
  }
  return deviations;
}

TEST(Ets, DeviationsAreThoseOfSimulatedFutures) {
  Rng rng(42);
  for (const EtsError error : {EtsError::kAdditive, EtsError::kMultiplicative}) {
    for (const EtsTrend trend : {EtsTrend::kNone, EtsTrend::kAdditive, EtsTrend::kDamped}) {
      for (const EtsSeason season :
           {EtsSeason::kNone, EtsSeason::kAdditive, EtsSeason::kMultiplicative}) {
        if (error == EtsError::kAdditive && season == EtsSeason::kMultiplicative) continue;
        const bool trended = trend != EtsTrend::kNone;
        EtsModel model{.form = {error, trend, season}};
        model.weights = {.alpha = 0.4,
                         .beta = trended ? 0.1 : 0,
                         .gamma = season == EtsSeason::kNone ? 0 : 0.3,
                         .phi = trend == EtsTrend::kDamped ? 0.9 : 1};
        model.state = {.level = 100, .slope = trended ? 2.0 : 0.0};
        if (season == EtsSeason::kAdditive) model.state.season = {5, -10, 5};
        if (season == EtsSeason::kMultiplicative) model.state.season = {1.2, 0.9, 0.9};
        model.variance = error == EtsError::kAdditive ? 9 : 0.0009;
        const std::vector<double> simulated = SimulatedDeviations(model, 8, rng);
        const std::vector<double> computed = model.Deviations(8);
        for (std::size_t h = 0; h < 8; ++h) {
          EXPECT_NEAR(computed[h], simulated[h], 0.04 * simulated[h])
              << ToString(model.form) << " step " << h + 1;
        }
      }
    }
  }
}

}  // namespace
}  // namespace berth
