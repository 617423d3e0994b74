#include "forecast/methods/builtin.h"
#include "forecast/smoothing_forecaster.h"

namespace berth {

// Without a season that fits it is Holt's method.
Result<std::unique_ptr<FittedForecaster>> FitHoltWinters(const FitInput& input) {
  const std::size_t period = SmoothedSeason(input.seasons);
  const EtsForm form{.error = EtsError::kAdditive,
                     .trend = EtsTrend::kAdditive,
                     .season = period > 0 ? EtsSeason::kAdditive : EtsSeason::kNone};
  return NewSmoothingForecaster(FitEts(input.values, form, period).model);
}

}  // namespace berth
