#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "forecast/methods/builtin.h"
#include "forecast/season_use.h"
#include "forecast/ssa.h"

namespace berth {
namespace {

constexpr std::size_t kComponentsMax = 40;
constexpr std::size_t kPaths = 200;

// Half of the values, in whole seasons, of the longest that is so short.
std::size_t WindowFor(std::size_t points, std::span<const std::size_t> seasons) {
  const std::size_t half = std::min(points / 2, kSpectrumWindowMax);
  std::size_t window = half;
  for (const std::size_t season : seasons) {
    if (season <= half) window = half / season * season;
  }
  return std::max<std::size_t>(2, window);
}

// About its average and in units of the farthest from it.
class SingularSpectrum final : public FittedForecaster {
 public:
  explicit SingularSpectrum(const FitInput& input) {
    const auto n = static_cast<double>(input.values.size());
    for (const double value : input.values) centre_ += value / n;
    double farthest = 0;
    for (const double value : input.values) {
      farthest = std::max(farthest, std::abs(value - centre_));
    }
    if (farthest > 0) unit_ = farthest;
    for (const double value : input.values) values_.push_back((value - centre_) / unit_);
    ChooseComponents(input.seasons);
    basis_.emplace(values_, WindowFor(values_.size(), input.seasons), kComponentsMax);
    components_ = std::min(components_, basis_->components());
    recurrence_ = basis_->Recurrence(components_);
    if (recurrence_.empty()) recurrence_.assign(basis_->window() - 1, 0);
    const std::span<const double> window = std::span(values_).last(basis_->window());
    latest_ = basis_->Projected(window, components_);
    for (std::size_t i = 0; i < latest_.size(); ++i) residuals_.push_back(window[i] - latest_[i]);
  }

  // A path is what follows from the last window with other residuals, and the point's own error.
  // Those errors are of the points that were held out: what a fit leaves is smaller.
  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng rng) const override {
    const std::vector<double> mean = Continued(latest_, recurrence_, horizon);
    std::vector<std::vector<double>> distances(horizon);
    for (std::size_t path = 0; path < kPaths; ++path) {
      std::vector<double> moved;
      for (const double value : latest_) moved.push_back(value + Drawn(residuals_, rng));
      const std::vector<double> other =
          Continued(basis_->Projected(moved, components_), recurrence_, horizon);
      for (std::size_t h = 0; h < horizon; ++h) {
        distances[h].push_back(std::abs(other[h] - mean[h] + Drawn(errors_, rng)));
      }
    }
    for (std::vector<double>& one : distances) std::ranges::sort(one);
    Forecast forecast;
    for (const double value : mean) forecast.mean.push_back(centre_ + unit_ * value);
    for (const double level : levels) {
      ForecastBand band{.level = level};
      const auto rank = std::min(kPaths - 1, static_cast<std::size_t>(level * kPaths));
      for (std::size_t h = 0; h < horizon; ++h) {
        band.lower.push_back(forecast.mean[h] - unit_ * distances[h][rank]);
        band.upper.push_back(forecast.mean[h] + unit_ * distances[h][rank]);
      }
      forecast.bands.push_back(std::move(band));
    }
    return forecast;
  }

  void Update(double) override {}
  std::string description() const override {
    return fmt::format("{} components of windows of {}", components_, latest_.size());
  }

 private:
  static double Drawn(const std::vector<double>& from, Rng& rng) {
    return from[rng.Below(from.size())];
  }

  // What so many components, none to the most, get wrong of a part of the values from those before.
  std::vector<std::vector<double>> ErrorsOn(std::size_t begin, std::size_t end,
                                            std::span<const std::size_t> seasons) const {
    const std::span<const double> known = std::span(values_).first(begin);
    const std::span<const double> after = std::span(values_).subspan(begin, end - begin);
    const SsaBasis basis(known, WindowFor(known.size(), seasons), kComponentsMax);
    std::vector<std::vector<double>> errors = {{after.begin(), after.end()}};
    for (std::size_t count = 1; count <= basis.components(); ++count) {
      const std::vector<double> recurrence = basis.Recurrence(count);
      if (recurrence.empty()) break;
      const std::vector<double> foreseen =
          Continued(basis.Projected(known.last(basis.window()), count), recurrence, after.size());
      errors.push_back(errors.front());
      for (std::size_t i = 0; i < after.size(); ++i) errors.back()[i] -= foreseen[i];
    }
    return errors;
  }

  // As many as foresee the last two quarters best, each from what is before it. One alone is
  // foreseen well by chance. Those errors are what the bands are made of.
  void ChooseComponents(std::span<const std::size_t> seasons) {
    const std::size_t n = values_.size();
    const std::vector<std::vector<double>> earlier = ErrorsOn(n - n / 2, n - n / 4, seasons);
    const std::vector<std::vector<double>> later = ErrorsOn(n - n / 4, n, seasons);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t count = 0; count < std::min(earlier.size(), later.size()); ++count) {
      std::vector<double> errors = earlier[count];
      errors.insert(errors.end(), later[count].begin(), later[count].end());
      double squares = 0;
      for (const double error : errors) squares += error * error;
      if (squares >= least) continue;
      least = squares;
      components_ = count;
      errors_ = std::move(errors);
    }
  }

  double centre_ = 0;
  double unit_ = 1;
  std::vector<double> values_;
  std::optional<SsaBasis> basis_;
  std::size_t components_ = 0;  // None: the average.
  std::vector<double> errors_;  // Of the points held out.
  std::vector<double> latest_;  // The last window, in the components' space.
  std::vector<double> residuals_;
  std::vector<double> recurrence_;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitSingularSpectrum(const FitInput& input) {
  return std::unique_ptr<FittedForecaster>(std::make_unique<SingularSpectrum>(input));
}

}  // namespace berth
