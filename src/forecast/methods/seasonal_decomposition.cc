#include "forecast/decomposed_forecaster.h"
#include "forecast/ets_select.h"
#include "forecast/methods/builtin.h"
#include "forecast/smoothing_forecaster.h"

namespace berth {
namespace {

Result<std::unique_ptr<FittedForecaster>> FitSmoothedRest(const FitInput& rest) {
  return NewSmoothingForecaster(SelectAdditive(rest.values).model);
}

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitSeasonalDecomposition(const FitInput& input) {
  return FitDecomposed(FitSmoothedRest, input);
}

}  // namespace berth
