#include <fmt/format.h>

#include <cmath>

#include "forecast/methods/builtin.h"
#include "forecast/normal_forecast.h"

namespace berth {
namespace {

// A random walk from season to season; without a season, from point to point.
class SeasonalNaive final : public FittedForecaster {
 public:
  SeasonalNaive(std::span<const double> values, std::size_t season)
      : latest_(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(season)) {
    for (const double value : values.subspan(season)) Take(value);
  }

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng) const override {
    const std::size_t season = latest_.size();
    const double variance = squares_ / static_cast<double>(changes_);
    std::vector<double> mean;
    std::vector<double> deviations;
    mean.reserve(horizon);
    deviations.reserve(horizon);
    for (std::size_t h = 0; h < horizon; ++h) {
      mean.push_back(latest_[(next_ + h) % season]);
      const std::size_t seasons = h / season + 1;
      deviations.push_back(std::sqrt(variance * static_cast<double>(seasons)));
    }
    return NormalForecast(std::move(mean), deviations, levels);
  }

  void Update(double value) override { Take(value); }
  std::string description() const override {
    return fmt::format("the value {} points ago", latest_.size());
  }

 private:
  void Take(double value) {
    squares_ += (value - latest_[next_]) * (value - latest_[next_]);
    ++changes_;
    latest_[next_] = value;
    next_ = (next_ + 1) % latest_.size();
  }

  std::vector<double> latest_;  // One season, the oldest at `next_`.
  std::size_t next_ = 0;
  double squares_ = 0;  // Of the changes from season to season.
  std::size_t changes_ = 0;
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitSeasonalNaive(const FitInput& input) {
  const std::size_t season = input.seasons.empty() ? 1 : input.seasons.back();
  return std::unique_ptr<FittedForecaster>(std::make_unique<SeasonalNaive>(input.values, season));
}

}  // namespace berth
