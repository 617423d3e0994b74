#include "forecast/garch_forecaster.h"
#include "forecast/methods/builtin.h"

namespace berth {

Result<std::unique_ptr<FittedForecaster>> FitSarfimaGarch(const FitInput& input) {
  return FitWithGarch(FitSarfima, input);
}

}  // namespace berth
