#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/quantiles.h"
#include "forecast/fractional.h"
#include "forecast/methods/builtin.h"
#include "forecast/normal_forecast.h"
#include "forecast/remembered.h"
#include "forecast/sarima_fit.h"
#include "forecast/smoothing_forecaster.h"
#include "forecast/stationarity.h"

namespace berth {
namespace {

// The product of two polynomials, up to the first so many terms.
std::vector<double> ProductUpTo(std::span<const double> one, std::span<const double> other,
                                std::size_t count) {
  std::vector<double> product(count, 0);
  for (std::size_t i = 0; i < std::min(count, one.size()); ++i) {
    if (one[i] == 0) continue;
    for (std::size_t j = 0; i + j < count && j < other.size(); ++j) {
      product[i + j] += one[i] * other[j];
    }
  }
  return product;
}

// Whole differences first, as many as tests say, then fractional ones about the average, and what
// they leave is an ARMA process with a season.
class Sarfima final : public FittedForecaster {
 public:
  explicit Sarfima(const FitInput& input) : remembered_(input.values) {
    const std::size_t season = SmoothedSeason(input.seasons);
    whole_.period = std::max<std::size_t>(1, season);
    if (season > 1) whole_.seasonal_d = SeasonalDifferencesNeeded(input.values, season);
    std::vector<double> differences = Differenced(input.values, whole_);
    whole_.d = DifferencesNeeded(differences, 1);
    differences = Differenced(input.values, whole_);
    // Differenced twice, an average would be a curve that goes on: that nothing has.
    const bool drifts = whole_.d + whole_.seasonal_d < 2;
    if (drifts) mean_ = Mean(differences);
    for (double& value : differences) value -= mean_;
    if (differences.size() >= kMemoryPointsMin) {
      memory_ = EstimateMemory(differences, kMemoryOrder);
    }
    const bool seasonal = differences.size() >= 2 * whole_.period;
    arma_ = SelectSarima(FractionalDifferences(differences, memory_), seasonal ? whole_.period : 1,
                         {.d = 0, .seasonal_d = 0, .constant = drifts})
                .model;
  }

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng) const override {
    return NormalForecast(Means(horizon), Deviations(horizon), levels);
  }

  void Update(double value) override { remembered_.Add(value); }

  std::string description() const override {
    return fmt::format(
        "{} of differences of {:.2f}{}", ToString(arma_.order),
        static_cast<double>(whole_.d) + memory_,
        whole_.seasonal_d > 0 ? fmt::format(" and of seasons of {}", whole_.period) : "");
  }

 private:
  static constexpr std::size_t kMemoryOrder = 2;
  static constexpr std::size_t kMemoryPointsMin = 50;
  static constexpr double kReachMost = 1e120;  // Of sums of sums.

  std::vector<double> Means(std::size_t horizon) const {
    std::vector<double> differences = Differenced(remembered_.values(), whole_);
    for (double& value : differences) value -= mean_;
    const std::size_t known = differences.size();
    const std::vector<double> fractional = FractionalDifferences(differences, memory_);
    const std::vector<double> ahead = arma_.Means(fractional, horizon);
    const std::vector<double> weights =
        FractionalWeights(memory_, std::min(known + horizon, kFractionalMemory));
    for (const double next : ahead) {
      double value = next;
      for (std::size_t j = 1; j < weights.size() && j <= differences.size(); ++j) {
        value -= weights[j] * differences[differences.size() - j];
      }
      differences.push_back(value);
    }
    // The sums that undo whole differences.
    const std::vector<double> undone = DifferencePolynomial(whole_);
    std::vector<double> path = remembered_.values();
    path.reserve(path.size() + horizon);
    for (std::size_t h = 0; h < horizon; ++h) {
      double value = differences[known + h] + mean_;
      for (std::size_t j = 1; j < undone.size(); ++j) value -= undone[j] * path[path.size() - j];
      path.push_back(std::clamp(value, -kReachMost, kReachMost));
    }
    return {path.end() - static_cast<std::ptrdiff_t>(horizon), path.end()};
  }

  // What an error of one adds j points later: that of the process, through all sums.
  std::vector<double> Deviations(std::size_t horizon) const {
    std::vector<double> response =
        ErrorResponses(Multiplied(arma_.coefficients, arma_.order.period), horizon);
    response = ProductUpTo(FractionalWeights(-memory_, std::min(horizon, kFractionalMemory)),
                           response, horizon);
    const std::vector<double> undone = DifferencePolynomial(whole_);
    for (std::size_t h = 0; h < horizon; ++h) {
      for (std::size_t j = 1; j < undone.size() && j <= h; ++j) {
        response[h] -= undone[j] * response[h - j];
      }
    }
    std::vector<double> deviations;
    deviations.reserve(horizon);
    double squares = 0;
    for (const double one : response) {
      squares += one * one;
      deviations.push_back(std::sqrt(arma_.variance * squares));
    }
    return deviations;
  }

  RememberedValues remembered_;
  SarimaOrder whole_;
  double mean_ = 0;  // Of the whole differences, if it may be any.
  double memory_ = 0;
  SarimaModel arma_;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitSarfima(const FitInput& input) {
  return std::unique_ptr<FittedForecaster>(std::make_unique<Sarfima>(input));
}

}  // namespace berth
