#include "forecast/decomposed_forecaster.h"
#include "forecast/methods/builtin.h"
#include "forecast/sarima_forecaster.h"

namespace berth {
namespace {

// Of differences where the level moves, as the trend is part of the rest.
Result<std::unique_ptr<FittedForecaster>> FitRegressedRest(const FitInput& rest) {
  return NewSarimaForecaster(rest, {.q = 0, .seasonal_p = 0, .seasonal_d = 0, .seasonal_q = 0});
}

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitSeasonalDecompositionAr(const FitInput& input) {
  return FitDecomposed(FitRegressedRest, input);
}

}  // namespace berth
