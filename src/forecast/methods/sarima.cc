#include "forecast/methods/builtin.h"
#include "forecast/sarima_forecaster.h"

namespace berth {

Result<std::unique_ptr<FittedForecaster>> FitSarimaMethod(const FitInput& input) {
  return NewSarimaForecaster(input, {});
}

}  // namespace berth
