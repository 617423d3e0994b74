#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "forecast/error_bands.h"
#include "forecast/growth.h"
#include "forecast/methods/builtin.h"
#include "forecast/season_use.h"
#include "forecast/ssa.h"

namespace berth {
namespace {

constexpr std::size_t kComponentsMax = 40;
constexpr std::size_t kPaths = 200;
// Of what is foreseen, a step: two fifths more within a week of hours. More is no wave and no trend
// but what noise made of them, and foreseen from itself it would go on growing.
constexpr double kSpectrumGrowthMax = 1.002;

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
    std::vector<double> values;
    values.reserve(input.values.size());
    for (const double value : input.values) values.push_back((value - centre_) / unit_);
    basis_.emplace(values, WindowFor(values.size(), input.seasons), kComponentsMax);
    ChooseComponents(values, input.seasons);
    latest_.assign(values.end() - static_cast<std::ptrdiff_t>(basis_->window()), values.end());
    Project();
  }

  // A path is what follows from the last window with other residuals, and the point's own error.
  // Those errors are of the points that were held out: what a fit leaves is smaller. The farthest
  // of a few is near: bands are at least as wide as ReachOfFew says.
  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng rng) const override {
    const std::vector<double> kept =
        SharesKept({recurrence_.rbegin(), recurrence_.rend()}, kSpectrumGrowthMax, horizon);
    const std::vector<double> mean = Kept(kept, projected_);
    Forecast forecast;
    forecast.mean.reserve(horizon);
    for (const double value : mean) forecast.mean.push_back(centre_ + unit_ * value);
    if (levels.empty()) return forecast;
    const std::vector<std::vector<double>> distances = DistancesFrom(mean, kept, rng);
    for (const double level : levels) {
      ForecastBand band{.level = level};
      const auto rank = std::min(kPaths - 1, static_cast<std::size_t>(level * kPaths));
      const double least = ReachOfFew(errors_, level);
      for (std::size_t h = 0; h < horizon; ++h) {
        const double reach = unit_ * std::max(distances[h][rank], least);
        band.lower.push_back(forecast.mean[h] - reach);
        band.upper.push_back(forecast.mean[h] + reach);
      }
      forecast.bands.push_back(std::move(band));
    }
    return forecast;
  }

  // The components stay; what follows does so from the new last window.
  void Update(double value) override {
    latest_.erase(latest_.begin());
    latest_.push_back((value - centre_) / unit_);
    Project();
  }

  std::string description() const override {
    if (components_ > 0) {
      return fmt::format("{} components of windows of {}", components_, latest_.size());
    }
    if (run_away_ > 0 && steady_ == 0) {
      return "the average: what any number of components foresees runs away";
    }
    return "the average: no number of components foresees better";
  }

 private:
  static double Drawn(const std::vector<double>& from, Rng& rng) {
    return from[rng.Below(from.size())];
  }

  // What follows, as far as it is kept.
  std::vector<double> Kept(const std::vector<double>& kept, std::span<const double> before) const {
    std::vector<double> path = Continued(before, recurrence_, kept.size());
    for (std::size_t h = 0; h < path.size(); ++h) path[h] *= kept[h];
    return path;
  }

  // The published forecast starts from the reconstruction, diagonals averaged. On real series the
  // last window in the components' space does as well, without all windows that the averages take.
  void Project() {
    projected_ = basis_->Projected(latest_, components_);
    residuals_.clear();
    for (std::size_t i = 0; i < latest_.size(); ++i) {
      residuals_.push_back(latest_[i] - projected_[i]);
    }
  }

  // Of the paths at each step, ascending.
  std::vector<std::vector<double>> DistancesFrom(const std::vector<double>& mean,
                                                 const std::vector<double>& kept, Rng& rng) const {
    std::vector<std::vector<double>> distances(mean.size());
    for (std::size_t path = 0; path < kPaths; ++path) {
      std::vector<double> moved;
      moved.reserve(projected_.size());
      for (const double value : projected_) moved.push_back(value + Drawn(residuals_, rng));
      const std::vector<double> other = Kept(kept, basis_->Projected(moved, components_));
      for (std::size_t h = 0; h < mean.size(); ++h) {
        distances[h].push_back(std::abs(other[h] - mean[h] + Drawn(errors_, rng)));
      }
    }
    for (std::vector<double>& one : distances) std::ranges::sort(one);
    return distances;
  }

  // What so many components, none to the most, get wrong of a part of the values from those before;
  // nothing where a value does not follow from so many. Windows are as long as they will be, if
  // that leaves enough of them.
  std::vector<std::vector<double>> ErrorsOn(std::span<const double> values, std::size_t begin,
                                            std::size_t end,
                                            std::span<const std::size_t> seasons) const {
    const std::span<const double> known = values.first(begin);
    const std::span<const double> after = values.subspan(begin, end - begin);
    const bool suffices = 3 * begin >= 4 * basis_->window();
    const SsaBasis basis(known, suffices ? basis_->window() : WindowFor(begin, seasons),
                         kComponentsMax);
    std::vector<std::vector<double>> errors = {{after.begin(), after.end()}};
    for (std::size_t count = 1; count <= basis.components(); ++count) {
      errors.emplace_back();
      const std::vector<double> recurrence = basis.Recurrence(count);
      if (recurrence.empty()) continue;
      const std::vector<double> foreseen =
          Continued(basis.Projected(known.last(basis.window()), count), recurrence, after.size());
      errors.back().reserve(after.size());
      for (std::size_t i = 0; i < after.size(); ++i) {
        errors.back().push_back(after[i] - foreseen[i]);
      }
    }
    return errors;
  }

  // As many as foresee the last two quarters best, each from what is before it, of those that do
  // not run away. One quarter alone is foreseen well by chance. Those errors are what the bands are
  // made of.
  void ChooseComponents(std::span<const double> values, std::span<const std::size_t> seasons) {
    const std::size_t n = values.size();
    const std::vector<std::vector<double>> earlier =
        ErrorsOn(values, n - n / 2, n - n / 4, seasons);
    const std::vector<std::vector<double>> later = ErrorsOn(values, n - n / 4, n, seasons);
    const std::size_t most = std::min({earlier.size(), later.size(), basis_->components() + 1});
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t count = 0; count < most; ++count) {
      if (earlier[count].empty() || later[count].empty()) continue;
      std::vector<double> recurrence = basis_->Recurrence(count);
      if (recurrence.empty()) continue;
      if (!GrowsSlowerThan(kSpectrumGrowthMax, {recurrence.rbegin(), recurrence.rend()})) {
        ++run_away_;
        continue;
      }
      std::vector<double> errors = earlier[count];
      errors.insert(errors.end(), later[count].begin(), later[count].end());
      double squares = 0;
      for (const double error : errors) squares += error * error;
      if (count > 0) ++steady_;
      if (squares >= least) continue;
      least = squares;
      components_ = count;
      recurrence_ = std::move(recurrence);
      errors_ = std::move(errors);
    }
  }

  double centre_ = 0;
  double unit_ = 1;
  std::optional<SsaBasis> basis_;
  std::size_t components_ = 0;     // None: the average.
  std::size_t steady_ = 0;         // So many numbers of components were tried,
  std::size_t run_away_ = 0;       // and so many could not be.
  std::vector<double> errors_;     // Of the points held out.
  std::vector<double> latest_;     // The last window,
  std::vector<double> projected_;  // in the components' space,
  std::vector<double> residuals_;  // and what is left of it there.
  std::vector<double> recurrence_;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitSingularSpectrum(const FitInput& input) {
  return std::unique_ptr<FittedForecaster>(std::make_unique<SingularSpectrum>(input));
}

}  // namespace berth
