// Variances that come in bursts, beside R's fGarch. The figures were printed by
// `Rscript testdata/forecast/reference_bursts.R` (R 4.2.2, forecast 8.20, fGarch 4022.89), which
// tells what is compared with what.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "forecast/garch.h"
#include "forecast/reference_series_testing.h"
#include "forecast/series_forecaster.h"

namespace berth {
namespace {

struct GarchOfR {
  std::array<double, 3> free;    // The constant, and the shares of the square and of the variance.
  double free_value;             // Minus the logarithm of the likelihood there.
  std::array<double, 2> shares;  // Of those whose level is the mean square, the most likely.
  double value;
};

struct BurstsOfR {
  double of_square;
  double of_variance;
  std::size_t skip;
  GarchOfR of_last;  // Of the errors of one step ahead over the last 200 points.
  GarchOfR of_all;   // Of all values about their average.
  double plain;      // Half of the band of 95% without GARCH.
  AtSteps half;      // The same, stretched by the variance foreseen 1, 5 and 24 ahead.
};

const std::vector<BurstsOfR>& AllBursts() {
  static const std::vector<BurstsOfR> kAll = {
      {0.2,
       0.7,
       0,
       {{0.74964863, 0.23295987, 0.57349301}, 409.292064, {0.222593, 0.575507}, 409.312091},
       {{0.51629516, 0.23189938, 0.61859331}, 791.219352, {0.225504, 0.620061}, 791.235157},
       3.5992,
       {2.8834, 3.3274, 3.5956}},
      {0.2,
       0.7,
       1000,
       {{0.60055525, 0.12458909, 0.71089039}, 408.826040, {0.122054, 0.710912}, 408.829738},
       {{0.34820277, 0.15468510, 0.76865038}, 846.271623, {0.150759, 0.769265}, 846.284258},
       4.1229,
       {4.2921, 4.2052, 4.1254}},
      {0.3,
       0.6,
       2000,
       {{0.69874250, 0.20033752, 0.49439241}, 361.264741, {0.199643, 0.494501}, 361.264848},
       {{0.74073154, 0.22569183, 0.45841422}, 726.554678, {0.226115, 0.458373}, 726.554741},
       3.0202,
       {3.3626, 3.1031, 3.0203}},
      {0.2,
       0.7,
       2500,
       {{0.40224802, 0.20839310, 0.69553226}, 415.347773, {0.210676, 0.694942}, 415.348954},
       {{0.42132616, 0.27527472, 0.64261346}, 840.695198, {0.275974, 0.642537}, 840.695360},
       4.4793,
       {3.3823, 3.7767, 4.3798}},
      {0.3,
       0.6,
       2500,
       {{0.38961775, 0.30525287, 0.60453538}, 402.903341, {0.301955, 0.605329}, 402.904614},
       {{0.37671755, 0.37386661, 0.56491000}, 819.307570, {0.367394, 0.565620}, 819.315978},
       4.6939,
       {3.0562, 3.6650, 4.5473}},
      {0.2,
       0.7,
       3000,
       {{1.69751266, 0.25237879, 0.00000001}, 361.536715, {0.252571, 0.000000}, 361.536720},
       {{0.45974737, 0.22891159, 0.60358402}, 746.324889, {0.227219, 0.603907}, 746.325949},
       3.2512,
       {2.8209, 3.2495, 3.2512}},
  };
  return kAll;
}

std::vector<double> Bursts(const BurstsOfR& r) {
  std::vector<double> values;
  values.reserve(400);
  double variance = 1;
  for (const double error : ErrorsAfter(r.skip, 400)) {
    values.push_back(std::sqrt(variance) * error);
    variance = 0.1 + r.of_square * values.back() * values.back() + r.of_variance * variance;
  }
  return About(50, values, 2);
}

double MeanOfFirst(const std::vector<double>& values, std::size_t count) {
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += values[i];
  return sum / static_cast<double>(count);
}

std::vector<double> ErrorsOfLast200(const std::vector<double>& values) {
  std::vector<double> errors;
  for (std::size_t at = 200; at < values.size(); ++at) {
    errors.push_back(values[at] - MeanOfFirst(values, at));
  }
  return errors;
}

// Ours is twice R's, without what is the same of all models.
double AsInR(double likelihood, std::size_t errors) {
  return (likelihood + static_cast<double>(errors) * std::log(2 * std::numbers::pi)) / 2;
}

void ExpectFit(const std::vector<double>& errors, const GarchOfR& r) {
  const GarchModel at_r{
      .constant = r.free[0], .of_square = r.free[1], .of_variance = r.free[2], .next = 0};
  EXPECT_NEAR(AsInR(GarchLikelihood(at_r, errors), errors.size()), r.free_value,
              1e-3 * r.free_value);
  const GarchModel ours = FitGarch(errors);
  EXPECT_NEAR(AsInR(GarchLikelihood(ours, errors), errors.size()), r.value, 1e-5 * r.value);
  EXPECT_NEAR(ours.of_square, r.shares[0], 0.01 * r.shares[0]);
  EXPECT_NEAR(ours.of_variance, r.shares[1], 0.01 * r.shares[1] + 1e-4);
}

TEST(ReferenceBursts, LikelihoodAndEstimatesAreThoseOfR) {
  for (const BurstsOfR& r : AllBursts()) {
    std::vector<double> values = Bursts(r);
    ExpectFit(ErrorsOfLast200(values), r.of_last);
    const double mean = MeanOfFirst(values, values.size());
    for (double& value : values) value -= mean;
    ExpectFit(values, r.of_all);
  }
}

AtSteps HalfBands(std::string_view method, const std::vector<double>& values) {
  const auto fitted = SeriesForecaster::Fit(*FindForecaster(method).value(),
                                            {.start = TimeFromMicros(0), .values = values}, {});
  const Forecast forecast = fitted.value().Predict(24, std::vector<double>{0.95}).value();
  AtSteps half{};
  for (std::size_t i = 0; i < half.size(); ++i) {
    const std::size_t h = std::array<std::size_t, 3>{0, 4, 23}[i];
    half[i] = forecast.bands[0].upper[h] - forecast.mean[h];
  }
  return half;
}

// Bands without GARCH are 4 to 54% off these next to the present.
TEST(ReferenceBursts, BandsAreThoseOfR) {
  for (const BurstsOfR& r : AllBursts()) {
    const std::vector<double> values = Bursts(r);
    EXPECT_NEAR(HalfBands("average", values)[0], r.plain, 0.005 * r.plain) << r.skip;
    const AtSteps half = HalfBands("average+garch", values);
    for (std::size_t i = 0; i < half.size(); ++i) {
      EXPECT_NEAR(half[i], r.half[i], 0.01 * r.half[i]) << r.skip << " " << i;
    }
  }
}

}  // namespace
}  // namespace berth
