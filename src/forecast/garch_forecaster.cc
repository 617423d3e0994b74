#include "forecast/garch_forecaster.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "forecast/garch.h"

namespace berth {
namespace {

// More tell hardly more of three numbers, and each costs a forecast.
constexpr std::size_t kErrorsMost = 200;

// The errors of one step ahead over the last part of the values.
Result<std::vector<double>> ErrorsOfLast(FitFunction fit, const FitInput& input) {
  const std::size_t n = input.values.size();
  const std::size_t known = n - std::min(n / 2, kErrorsMost);
  std::vector<std::size_t> seasons;
  for (const std::size_t season : input.seasons) {
    if (2 * season <= known) seasons.push_back(season);
  }
  BERTH_TRY(const auto fitted, fit({.values = input.values.first(known),
                                    .seasons = seasons,
                                    .rng = input.rng.Fork("known")}));
  std::vector<double> errors;
  errors.reserve(input.values.size() - known);
  for (const double value : input.values.subspan(known)) {
    errors.push_back(value - fitted->Predict(1, {}, input.rng).mean.front());
    fitted->Update(value);
  }
  return errors;
}

// By how much a band is stretched at each step. Its own variance grows from step to step by what an
// error adds; each of these errors has the variance of its own time, in units of the usual one.
std::vector<double> Stretches(const std::vector<double>& half_widths, const GarchModel& garch) {
  const std::size_t horizon = half_widths.size();
  const std::vector<double> variances = garch.Variances(horizon);
  const double level = garch.Level();
  std::vector<double> stretches(horizon, 1);
  if (!(level > 0)) return stretches;
  std::vector<double> added;  // What the error of j steps before adds.
  added.reserve(horizon);
  double before = 0;
  for (std::size_t h = 0; h < horizon; ++h) {
    const double variance = half_widths[h] * half_widths[h];
    added.push_back(std::max(0.0, variance - before));
    before = std::max(before, variance);
    double usual = 0;
    double now = 0;
    for (std::size_t j = 0; j <= h; ++j) {
      usual += added[j];
      now += added[j] * (variances[h - j] / level);
    }
    if (usual > 0) stretches[h] = std::sqrt(now / usual);
  }
  return stretches;
}

class WithGarch final : public FittedForecaster {
 public:
  WithGarch(std::unique_ptr<FittedForecaster> method, const GarchModel& garch)
      : method_(std::move(method)), garch_(garch) {}

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng rng) const override {
    Forecast forecast = method_->Predict(horizon, levels, rng);
    if (forecast.bands.empty()) return forecast;
    std::vector<double> half_widths;
    half_widths.reserve(horizon);
    const ForecastBand& first = forecast.bands.front();
    for (std::size_t h = 0; h < horizon; ++h) {
      half_widths.push_back((first.upper[h] - first.lower[h]) / 2);
    }
    const std::vector<double> stretches = Stretches(half_widths, garch_);
    for (ForecastBand& band : forecast.bands) {
      for (std::size_t h = 0; h < horizon; ++h) {
        band.lower[h] = forecast.mean[h] - stretches[h] * (forecast.mean[h] - band.lower[h]);
        band.upper[h] = forecast.mean[h] + stretches[h] * (band.upper[h] - forecast.mean[h]);
      }
    }
    return forecast;
  }

  void Update(double value) override {
    const double error = value - method_->Predict(1, {}, Rng(0)).mean.front();
    garch_.next =
        garch_.constant + garch_.of_square * error * error + garch_.of_variance * garch_.next;
    method_->Update(value);
  }

  std::string description() const override {
    if (garch_.of_square == 0 && garch_.of_variance == 0) {
      return fmt::format("{}, GARCH(1,1): the variance does not move, bands as they were",
                         method_->description());
    }
    return fmt::format("{}, GARCH(1,1) {:.2f} {:.2f}", method_->description(), garch_.of_square,
                       garch_.of_variance);
  }

 private:
  std::unique_ptr<FittedForecaster> method_;
  GarchModel garch_;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitWithGarch(FitFunction fit, const FitInput& input) {
  BERTH_TRY(const std::vector<double> errors, ErrorsOfLast(fit, input));
  BERTH_TRY(auto fitted, fit(input));
  return std::unique_ptr<FittedForecaster>(
      std::make_unique<WithGarch>(std::move(fitted), FitGarch(errors)));
}

}  // namespace berth
