#include "forecast/sarima_forecaster.h"

#include <algorithm>
#include <utility>

#include "forecast/normal_forecast.h"
#include "forecast/smoothing_forecaster.h"

namespace berth {
namespace {

class SarimaForecaster final : public FittedForecaster {
 public:
  SarimaForecaster(std::span<const double> values, SarimaModel model)
      : values_(values.begin(), values.end()), model_(std::move(model)) {}

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng) const override {
    return NormalForecast(model_.Means(values_, horizon), model_.Deviations(horizon), levels);
  }

  void Update(double value) override { values_.push_back(value); }
  std::string description() const override { return ToString(model_.order); }

 private:
  std::vector<double> values_;
  SarimaModel model_;
};

}  // namespace

std::unique_ptr<FittedForecaster> NewSarimaForecaster(const FitInput& input,
                                                      const SarimaLimits& limits) {
  const std::size_t season = limits.seasonal_p + limits.seasonal_d + limits.seasonal_q > 0
                                 ? SmoothedSeason(input.seasons)
                                 : 0;
  const std::size_t period = std::max<std::size_t>(1, season);
  return std::make_unique<SarimaForecaster>(input.values,
                                            SelectSarima(input.values, period, limits).model);
}

}  // namespace berth
