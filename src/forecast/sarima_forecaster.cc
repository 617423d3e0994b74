#include "forecast/sarima_forecaster.h"

#include <algorithm>
#include <utility>

#include "forecast/normal_forecast.h"
#include "forecast/remembered.h"
#include "forecast/smoothing_forecaster.h"

namespace berth {
namespace {

class SarimaForecaster final : public FittedForecaster {
 public:
  SarimaForecaster(std::span<const double> values, SarimaModel model)
      : remembered_(values), model_(std::move(model)) {}

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng) const override {
    return NormalForecast(model_.Means(remembered_.values(), horizon), model_.Deviations(horizon),
                          levels);
  }

  void Update(double value) override { remembered_.Add(value); }
  std::string description() const override { return ToString(model_.order); }

 private:
  RememberedValues remembered_;
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
