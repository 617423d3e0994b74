#include "forecast/decomposed_forecaster.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "forecast/stl.h"

namespace berth {
namespace {

// The last period of each season.
std::vector<std::vector<double>> LastPeriods(const MstlParts& parts,
                                             std::span<const std::size_t> periods) {
  std::vector<std::vector<double>> seasons;
  for (std::size_t k = 0; k < periods.size(); ++k) {
    const auto period = static_cast<std::ptrdiff_t>(periods[k]);
    seasons.emplace_back(parts.seasons[k].end() - period, parts.seasons[k].end());
  }
  return seasons;
}

class DecomposedForecaster final : public FittedForecaster {
 public:
  DecomposedForecaster(std::vector<std::vector<double>> seasons,
                       std::unique_ptr<FittedForecaster> rest)
      : seasons_(std::move(seasons)), rest_(std::move(rest)) {}

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng rng) const override {
    Forecast forecast = rest_->Predict(horizon, levels, rng);
    for (std::size_t h = 0; h < horizon; ++h) {
      const double season = SeasonAt(h);
      forecast.mean[h] += season;
      for (ForecastBand& band : forecast.bands) {
        band.lower[h] += season;
        band.upper[h] += season;
      }
    }
    return forecast;
  }

  void Update(double value) override {
    rest_->Update(value - SeasonAt(0));
    ++passed_;
  }

  std::string description() const override {
    if (seasons_.empty()) return fmt::format("{}, no season", rest_->description());
    std::vector<std::size_t> periods;
    for (const std::vector<double>& season : seasons_) periods.push_back(season.size());
    return fmt::format("STL of {}, rest {}", fmt::join(periods, " and "), rest_->description());
  }

 private:
  double SeasonAt(std::size_t ahead) const {
    double sum = 0;
    for (const std::vector<double>& season : seasons_) {
      sum += season[(passed_ + ahead) % season.size()];
    }
    return sum;
  }

  std::vector<std::vector<double>> seasons_;
  std::size_t passed_ = 0;  // Points since the end of those.
  std::unique_ptr<FittedForecaster> rest_;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitDecomposed(FitFunction fit_rest,
                                                        const FitInput& input) {
  const MstlParts parts = Mstl(input.values, input.seasons);
  BERTH_TRY(auto rest, fit_rest({.values = parts.adjusted, .seasons = {}, .rng = input.rng}));
  return std::unique_ptr<FittedForecaster>(
      std::make_unique<DecomposedForecaster>(LastPeriods(parts, input.seasons), std::move(rest)));
}

}  // namespace berth
