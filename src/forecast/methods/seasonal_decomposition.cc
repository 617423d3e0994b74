#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "forecast/ets_select.h"
#include "forecast/methods/builtin.h"
#include "forecast/normal_forecast.h"
#include "forecast/stl.h"

namespace berth {
namespace {

// Seasons go on as in their last period; their errors are small beside those of the rest.
class SeasonalDecomposition final : public FittedForecaster {
 public:
  explicit SeasonalDecomposition(const FitInput& input) {
    MstlParts parts = Mstl(input.values, input.seasons);
    for (std::size_t k = 0; k < input.seasons.size(); ++k) {
      const auto period = static_cast<std::ptrdiff_t>(input.seasons[k]);
      seasons_.emplace_back(parts.seasons[k].end() - period, parts.seasons[k].end());
    }
    rest_ = SelectByCriterion(parts.adjusted, 0).model;
  }

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng) const override {
    std::vector<double> mean = rest_.Means(horizon);
    for (std::size_t h = 0; h < horizon; ++h) mean[h] += SeasonAt(h);
    return NormalForecast(std::move(mean), rest_.Deviations(horizon), levels);
  }

  void Update(double value) override {
    rest_.Update(value - SeasonAt(0));
    ++passed_;
  }

  std::string description() const override {
    const std::string form = ToString(rest_.form);
    if (seasons_.empty()) return fmt::format("{}, no season", form);
    std::vector<std::size_t> periods;
    for (const std::vector<double>& season : seasons_) periods.push_back(season.size());
    return fmt::format("STL of {}, rest {}", fmt::join(periods, " and "), form);
  }

 private:
  double SeasonAt(std::size_t ahead) const {
    double sum = 0;
    for (const std::vector<double>& season : seasons_) {
      sum += season[(passed_ + ahead) % season.size()];
    }
    return sum;
  }

  std::vector<std::vector<double>> seasons_;  // The last period of each.
  std::size_t passed_ = 0;                    // Points since the end of those.
  EtsModel rest_;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitSeasonalDecomposition(const FitInput& input) {
  return std::unique_ptr<FittedForecaster>(std::make_unique<SeasonalDecomposition>(input));
}

}  // namespace berth
