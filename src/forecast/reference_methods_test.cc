// Methods beside those of R's forecast package and scikit-learn. The figures were printed by
// `Rscript testdata/forecast/reference_methods.R` (R 4.2.2, forecast 8.20) and by
// `python3 testdata/forecast/reference_vectors.py` (scikit-learn 1.2.1).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "forecast/ets_fit.h"
#include "forecast/reference_series_testing.h"
#include "forecast/season_shapes.h"
#include "forecast/series_forecaster.h"
#include "forecast/stl.h"

namespace berth {
namespace {

constexpr std::array<std::size_t, 3> kSteps = {0, 11, 23};  // One, 12 and 24 ahead.
using AtSteps = std::array<double, 3>;
constexpr double kTwoSided = 1.959963984540054;

Forecast Foreseen(std::string_view method) {
  auto fitted = SeriesForecaster::Fit(*FindForecaster(method).value(),
                                      {.start = TimeFromMicros(0), .values = ReferenceSeries()},
                                      {.seasons = {12}});
  return fitted.value().Predict(24, std::vector<double>{0.95}).value();
}

struct MethodOfR {
  std::string_view method;
  AtSteps mean;
  AtSteps lower;
  AtSteps upper;
};

// R's bands are those of the rest alone; ours have what the shape of the season hides as well.
double Widened(double distance, std::string_view method) {
  if (!method.starts_with("seasonal_decomposition")) return distance;
  const double hidden = ShapesOf(ReferenceSeries(), std::vector<std::size_t>{12}).hidden_variance;
  return std::sqrt(distance * distance + kTwoSided * kTwoSided * hidden);
}

TEST(ReferenceMethods, MeansAndBandsAreThoseOfR) {
  const std::vector<MethodOfR> all = {
      {"last_value",
       {164.9976, 164.9976, 164.9976},
       {102.1183, -52.8226, -143.0466},
       {227.8768, 382.8177, 473.0418}},
      {"seasonal_naive",
       {55.6311, 164.9976, 164.9976},
       {46.9769, 156.3434, 152.7587},
       {64.2853, 173.6518, 177.2365}},
      {"average",
       {107.3086, 107.3086, 107.3086},
       {39.6285, 39.6285, 39.6285},
       {174.9888, 174.9888, 174.9888}},
      {"seasonal_decomposition",
       {57.1101, 164.9481, 164.9481},
       {52.8626, 154.3747, 150.3168},
       {61.3577, 175.5216, 179.5795}},
      {"seasonal_decomposition_ar",
       {56.5076, 164.3135, 164.3225},
       {52.3668, 156.1557, 153.6016},
       {60.6485, 172.4713, 175.0434}},
  };
  for (const MethodOfR& r : all) {
    const Forecast ours = Foreseen(r.method);
    for (std::size_t i = 0; i < kSteps.size(); ++i) {
      const std::size_t h = kSteps[i];
      EXPECT_NEAR(ours.mean[h], r.mean[i], 0.01 * r.mean[i]) << r.method;
      const double upper = r.mean[i] + Widened(r.upper[i] - r.mean[i], r.method);
      EXPECT_NEAR(ours.bands[0].upper[h], upper, 0.01 * upper) << r.method;
      // Ours are not below zero where the series is not.
      const double lower = std::max(0.0, r.mean[i] - Widened(r.mean[i] - r.lower[i], r.method));
      EXPECT_NEAR(ours.bands[0].lower[h], lower, 0.01 * lower) << r.method;
    }
  }
}

struct FormOfR {
  EtsForm form;
  double aicc;
};

// R's search stops short: ours may find a better fit, and may not miss one.
TEST(ReferenceMethods, EveryFormOfSmoothingIsFittedAsWellAsByR) {
  using enum EtsError;
  constexpr EtsTrend kNoTrend = EtsTrend::kNone;
  constexpr EtsTrend kTrend = EtsTrend::kAdditive;
  constexpr EtsTrend kDamped = EtsTrend::kDamped;
  constexpr EtsSeason kNoSeason = EtsSeason::kNone;
  constexpr EtsSeason kSum = EtsSeason::kAdditive;
  constexpr EtsSeason kProduct = EtsSeason::kMultiplicative;
  const std::vector<FormOfR> all = {{{kAdditive, kNoTrend, kNoSeason}, 2982.6975},
                                    {{kAdditive, kTrend, kNoSeason}, 2987.6978},
                                    {{kAdditive, kDamped, kNoSeason}, 2988.3754},
                                    {{kAdditive, kNoTrend, kSum}, 1766.1770},
                                    {{kAdditive, kTrend, kSum}, 1771.5729},
                                    {{kAdditive, kDamped, kSum}, 1772.3851},
                                    {{kMultiplicative, kNoTrend, kNoSeason}, 2804.3201},
                                    {{kMultiplicative, kNoTrend, kSum}, 1808.2679},
                                    {{kMultiplicative, kDamped, kSum}, 1814.9883},
                                    {{kMultiplicative, kNoTrend, kProduct}, 1874.7488},
                                    {{kMultiplicative, kTrend, kProduct}, 1925.9169},
                                    {{kMultiplicative, kDamped, kProduct}, 1877.8468}};
  const std::vector<double> values = ReferenceSeries();
  for (const FormOfR& r : all) {
    const double ours = FitEts(values, r.form, 12).aicc;
    EXPECT_LT(ours, r.aicc + 0.1) << ToString(r.form);
    EXPECT_GT(ours, 0.97 * r.aicc) << ToString(r.form);
  }
}

struct ModelOfR {
  EtsModel model;
  double log_likelihood;
  AtSteps mean;
  AtSteps upper;
};

// From R's weights and start, so that the two searches do not matter.
TEST(ReferenceMethods, SmoothingModelsAreThoseOfR) {
  const std::vector<ModelOfR> all = {
      {{.form = {EtsError::kAdditive, EtsTrend::kAdditive, EtsSeason::kAdditive},
        .weights = {.alpha = 0.6082151908, .beta = 0.0001029135867, .gamma = 0.0001189887248},
        .state = {.level = 105.3743278,
                  .slope = 0.03996332288,
                  .season = {-54.61963354, -43.96379523, -33.74292196, -24.07084805, -14.98473894,
                             -6.038390474, 4.745176052, 14.45530054, 25.17064945, 34.47003608,
                             44.40454629, 54.1746198}},
        .variance = 6.1518605},
       -867.408073,
       {56.078434, 165.304020, 165.775065},
       {60.939722, 176.258056, 180.792459}},
      {{.form = {EtsError::kAdditive, EtsTrend::kDamped, EtsSeason::kNone},
        .weights = {.alpha = 0.8781058099, .beta = 0.0001000010821, .phi = 0.8628918732},
        .state = {.level = 40.7441301, .slope = 10.44538162},
        .variance = 1033.2624},
       -1488.007437,
       {163.635966, 163.658113, 163.662634},
       {226.637830, 357.723749, 436.492795}},
      {{.form = {EtsError::kMultiplicative, EtsTrend::kDamped, EtsSeason::kAdditive},
        .weights = {.alpha = 0.6424466544,
                    .beta = 0.0001137252371,
                    .gamma = 0.0001096881318,
                    .phi = 0.97187313},
        .state = {.level = 104.3830542,
                  .slope = -0.1057195962,
                  .season = {-54.39150079, -43.84547019, -33.60215472, -24.36819863, -15.20357552,
                             -5.844884676, 4.774446609, 14.5386856, 25.27138438, 34.53816792,
                             44.02352112, 54.1095789}},
        .variance = 0.00071312783},
       -887.946652,
       {56.397220, 164.899696, 164.900891},
       {59.349037, 179.944750, 185.154912}},
      {{.form = {EtsError::kMultiplicative, EtsTrend::kDamped, EtsSeason::kMultiplicative},
        .weights = {.alpha = 0.5731924119,
                    .beta = 0.0001058685304,
                    .gamma = 0.0001058614443,
                    .phi = 0.9793985354},
        .state = {.level = 103.7349393,
                  .slope = 0.1967818659,
                  .season = {0.4935918566, 0.5906482939, 0.6877562007, 0.7729126798, 0.8593591254,
                             0.9438757813, 1.0440269, 1.135633381, 1.235031253, 1.32175646,
                             1.411584758, 1.503823311}},
        .variance = 0.00092517767},
       -919.375866,
       {54.125013, 164.923273, 164.940404},
       {57.351714, 186.079117, 193.804318}}};
  const std::vector<double> values = ReferenceSeries();
  for (ModelOfR r : all) {
    const EtsFollowed followed = Follow(r.model, values, {});
    const double likelihood =
        -0.5 * static_cast<double>(values.size()) * std::log(followed.squares) - followed.logs;
    EXPECT_NEAR(likelihood, r.log_likelihood, 1e-3) << ToString(r.model.form);
    const std::vector<double> means = r.model.Means(24);
    const std::vector<double> deviations = r.model.Deviations(24);
    for (std::size_t i = 0; i < kSteps.size(); ++i) {
      const std::size_t h = kSteps[i];
      EXPECT_NEAR(means[h], r.mean[i], 1e-3) << ToString(r.model.form);
      EXPECT_NEAR(means[h] + kTwoSided * deviations[h], r.upper[i], 1e-3 * r.upper[i])
          << ToString(r.model.form);
    }
  }
}

TEST(ReferenceMethods, TwoSeasonsAreTakenOffAsByR) {
  const MstlParts parts = Mstl(ReferenceSeries(), std::vector<std::size_t>{12, 40});
  const AtSteps twelve = {-54.2909, 54.1012, 53.9626};
  const AtSteps forty = {-1.2746, -0.3575, -0.0356};
  const AtSteps adjusted = {102.3384, 103.6744, 111.0706};
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t at = std::array<std::size_t, 3>{0, 119, 239}[i];
    EXPECT_NEAR(parts.seasons[0][at], twelve[i], 1e-3);
    EXPECT_NEAR(parts.seasons[1][at], forty[i], 1e-3);
    EXPECT_NEAR(parts.adjusted[at], adjusted[i], 1e-3);
  }
}

TEST(ReferenceMethods, RegressionOnLagsIsThatOfR) {
  const Forecast ours = Foreseen("lag_regression");
  const AtSteps mean = {55.6043, 164.7170, 164.4477};
  for (std::size_t i = 0; i < kSteps.size(); ++i) EXPECT_NEAR(ours.mean[kSteps[i]], mean[i], 1e-3);
  EXPECT_NEAR(ours.bands[0].upper[0] - ours.mean[0], kTwoSided * 3.162741, 1e-3);
}

TEST(ReferenceMethods, SupportVectorsAreThoseOfScikitLearn) {
  const Forecast ours = Foreseen("support_vector");
  const AtSteps mean = {54.523, 162.5535, 162.161};
  for (std::size_t i = 0; i < kSteps.size(); ++i)
    EXPECT_NEAR(ours.mean[kSteps[i]], mean[i], 0.01 * mean[i]);
}

}  // namespace
}  // namespace berth
