#include "forecast/ets_select.h"
#include "forecast/methods/builtin.h"
#include "forecast/smoothing_forecaster.h"

namespace berth {

Result<std::unique_ptr<FittedForecaster>> FitExponentialSmoothing(const FitInput& input) {
  return NewSmoothingForecaster(
      SelectByForesight(input.values, SmoothedSeason(input.seasons)).model);
}

}  // namespace berth
