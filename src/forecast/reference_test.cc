// Beside R's forecast package. The figures were printed by `Rscript testdata/forecast/reference.R`,
// R 4.2.2 with forecast 8.20.
#include <gtest/gtest.h>

#include <cmath>

#include "forecast/reference_series_testing.h"
#include "forecast/sarima_fit.h"
#include "forecast/stationarity.h"

namespace berth {
namespace {

struct FromR {
  SarimaOrder order;
  double log_likelihood;
  std::vector<double> coefficients;
  std::vector<double> means;  // 1, 12 and 24 ahead, and how far off they may be.
  std::vector<double> deviations;
};

TEST(Reference, TheSeriesIsTheSame) {
  const std::vector<double> values = ReferenceSeries();
  EXPECT_NEAR(values[0], 46.772932, 1e-6);
  EXPECT_NEAR(values[1], 60.433010, 1e-6);
  EXPECT_NEAR(values[2], 73.910727, 1e-6);
}

TEST(Reference, ArimaByExactLikelihoodIsThatOfR) {
  const std::vector<FromR> all = {{{.p = 1, .q = 1, .seasonal_d = 1, .seasonal_q = 1, .period = 12},
                                   -534.825340,
                                   {0.778775, -0.113580, -0.863242},
                                   {56.266446, 162.728220, 162.617705},
                                   {2.450873, 3.567995, 3.627399}},
                                  {{.p = 2, .seasonal_d = 1, .seasonal_q = 1, .period = 12},
                                   -534.926940,
                                   {0.675303, 0.068754, -0.861910},
                                   {56.271186, 162.717477, 162.625993},
                                   {2.452417, 3.566968, 3.622142}},
                                  {{.d = 1, .q = 1, .seasonal_d = 1, .seasonal_q = 1, .period = 12},
                                   -542.560412,
                                   {-0.303832, -0.916160},
                                   {56.727990, 165.378888, 165.806858},
                                   {2.536621, 6.380187, 9.232898}}};
  const std::vector<double> values = ReferenceSeries();
  for (const FromR& r : all) {
    const auto fitted = FitSarima(values, r.order);
    ASSERT_TRUE(fitted);
    const SarimaCoefficients& c = fitted->model.coefficients;
    std::vector<double> found = c.ar;
    found.insert(found.end(), c.ma.begin(), c.ma.end());
    found.insert(found.end(), c.seasonal_ma.begin(), c.seasonal_ma.end());
    EXPECT_NEAR(fitted->log_likelihood, r.log_likelihood, 0.001);
    for (std::size_t i = 0; i < found.size(); ++i) {
      EXPECT_NEAR(found[i], r.coefficients[i], 1e-3) << ToString(r.order) << " " << i;
    }
    const std::vector<double> means = fitted->model.Means(values, 24);
    const std::vector<double> deviations = fitted->model.Deviations(24);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t h = std::vector<std::size_t>{0, 11, 23}[i];
      EXPECT_NEAR(means[h], r.means[i], 0.001 * r.means[i]);
      EXPECT_NEAR(deviations[h], r.deviations[i], 0.01 * r.deviations[i]);
    }
  }
}

TEST(Reference, AMeanIsEstimatedAsInR) {
  const std::vector<double> differences = Differences(ReferenceSeries(), 12);
  const auto fitted = FitSarima(differences, {.p = 2, .q = 1, .constant = true});
  ASSERT_TRUE(fitted);
  EXPECT_NEAR(fitted->log_likelihood, -581.127601, 0.01);
  EXPECT_NEAR(fitted->model.mean, 0.245823, 0.01 * 0.245823);
}

TEST(Reference, DifferencesAreCountedAsInR) {
  const std::vector<double> values = ReferenceSeries();
  EXPECT_NEAR(LevelStatistic(values), 0.108743, 1e-6);
  EXPECT_NEAR(SeasonalStrength(values, 12), 0.996797, 1e-4);
  EXPECT_EQ(DifferencesNeeded(values, 2), 0U);
  EXPECT_EQ(SeasonalDifferencesNeeded(values, 12), 1U);
}

}  // namespace
}  // namespace berth
