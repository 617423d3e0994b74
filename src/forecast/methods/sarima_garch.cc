#include "forecast/garch_forecaster.h"
#include "forecast/methods/builtin.h"

namespace berth {

Result<std::unique_ptr<FittedForecaster>> FitSarimaGarch(const FitInput& input) {
  return FitWithGarch(FitSarimaMethod, input);
}

}  // namespace berth
