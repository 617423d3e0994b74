#include "forecast/decomposed_forecaster.h"

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "base/normal.h"
#include "forecast/season_shapes.h"

namespace berth {
namespace {

struct FoundSeason {
  std::vector<double> last_period;
  double kept = 1;  // Of the shape that was found, the share.
};

std::vector<FoundSeason> LastPeriods(const SeasonShapes& shapes,
                                     std::span<const std::size_t> periods) {
  std::vector<FoundSeason> seasons;
  for (std::size_t k = 0; k < periods.size(); ++k) {
    const std::vector<double>& shape = shapes.seasons[k];
    seasons.push_back(
        {.last_period = {shape.end() - static_cast<std::ptrdiff_t>(periods[k]), shape.end()},
         .kept = shapes.kept[k]});
  }
  return seasons;
}

// "24", or "12% of 168".
std::string InWords(const FoundSeason& season) {
  const auto percent = std::llround(100 * season.kept);
  if (percent == 100) return fmt::format("{}", season.last_period.size());
  return fmt::format("{}% of {}", percent, season.last_period.size());
}

// Independent errors: their variances add up.
double WithVariance(double half_width, double level, double variance) {
  const double reach = NormalQuantile((1 + level) / 2);
  return std::sqrt(half_width * half_width + reach * reach * variance);
}

class DecomposedForecaster final : public FittedForecaster {
 public:
  DecomposedForecaster(std::vector<FoundSeason> seasons, double hidden_variance,
                       std::unique_ptr<FittedForecaster> rest)
      : seasons_(std::move(seasons)), hidden_variance_(hidden_variance), rest_(std::move(rest)) {}

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng rng) const override {
    Forecast forecast = rest_->Predict(horizon, levels, rng);
    for (std::size_t h = 0; h < horizon; ++h) {
      const double mean = forecast.mean[h] + SeasonAt(h);
      for (ForecastBand& band : forecast.bands) {
        const double below = forecast.mean[h] - band.lower[h];
        const double above = band.upper[h] - forecast.mean[h];
        band.lower[h] = mean - WithVariance(below, band.level, hidden_variance_);
        band.upper[h] = mean + WithVariance(above, band.level, hidden_variance_);
      }
      forecast.mean[h] = mean;
    }
    return forecast;
  }

  void Update(double value) override {
    rest_->Update(value - SeasonAt(0));
    ++passed_;
  }

  std::string description() const override {
    if (seasons_.empty()) return fmt::format("{}, no season", rest_->description());
    std::vector<std::string> found;
    for (const FoundSeason& season : seasons_) found.push_back(InWords(season));
    return fmt::format("STL of {}, rest {}", fmt::join(found, " and "), rest_->description());
  }

 private:
  double SeasonAt(std::size_t ahead) const {
    double sum = 0;
    for (const auto& [last_period, kept] : seasons_) {
      sum += last_period[(passed_ + ahead) % last_period.size()];
    }
    return sum;
  }

  std::vector<FoundSeason> seasons_;
  double hidden_variance_;
  std::size_t passed_ = 0;  // Points since the end of those.
  std::unique_ptr<FittedForecaster> rest_;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitDecomposed(FitFunction fit_rest,
                                                        const FitInput& input) {
  const SeasonShapes shapes = ShapesOf(input.values, input.seasons);
  BERTH_TRY(auto rest, fit_rest({.values = shapes.rest, .seasons = {}, .rng = input.rng}));
  return std::unique_ptr<FittedForecaster>(std::make_unique<DecomposedForecaster>(
      LastPeriods(shapes, input.seasons), shapes.hidden_variance, std::move(rest)));
}

}  // namespace berth
