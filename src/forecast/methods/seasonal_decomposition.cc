#include "forecast/decomposed_forecaster.h"
#include "forecast/ets_select.h"
#include "forecast/methods/builtin.h"
#include "forecast/smoothing_forecaster.h"

namespace berth {
namespace {

Result<std::unique_ptr<FittedForecaster>> FitSmoothedRest(const FitInput& rest) {
  return NewSmoothingForecaster(SelectByCriterion(rest.values, 0).model);
}

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitSeasonalDecomposition(const FitInput& input) {
  return FitDecomposed(FitSmoothedRest, input);
}

}  // namespace berth
