#include "forecast/methods/builtin.h"
#include "forecast/sarima_forecaster.h"

namespace berth {

Result<std::unique_ptr<FittedForecaster>> FitArma(const FitInput& input) {
  return NewSarimaForecaster(input, {.d = 0, .seasonal_p = 0, .seasonal_d = 0, .seasonal_q = 0});
}

}  // namespace berth
