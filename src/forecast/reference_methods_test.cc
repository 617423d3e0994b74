// Methods beside those of R's forecast package. The figures were printed by
// `Rscript testdata/forecast/reference_methods.R` (R 4.2.2, forecast 8.20).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "forecast/reference_series_testing.h"
#include "forecast/season_shapes.h"
#include "forecast/series_forecaster.h"
#include "forecast/stl.h"

namespace berth {
namespace {

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
    for (std::size_t i = 0; i < kReferenceSteps.size(); ++i) {
      const std::size_t h = kReferenceSteps[i];
      EXPECT_NEAR(ours.mean[h], r.mean[i], 0.01 * r.mean[i]) << r.method;
      const double upper = r.mean[i] + Widened(r.upper[i] - r.mean[i], r.method);
      EXPECT_NEAR(ours.bands[0].upper[h], upper, 0.01 * upper) << r.method;
      // Ours are not below zero where the series is not.
      const double lower = std::max(0.0, r.mean[i] - Widened(r.mean[i] - r.lower[i], r.method));
      EXPECT_NEAR(ours.bands[0].lower[h], lower, 0.01 * lower) << r.method;
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
  for (std::size_t i = 0; i < kReferenceSteps.size(); ++i)
    EXPECT_NEAR(ours.mean[kReferenceSteps[i]], mean[i], 1e-3);
  EXPECT_NEAR(ours.bands[0].upper[0] - ours.mean[0], kTwoSided * 3.162741, 1e-3);
}

}  // namespace
}  // namespace berth
