#include "forecast/garch_forecaster.h"
#include "forecast/methods/builtin.h"

namespace berth {

Result<std::unique_ptr<FittedForecaster>> FitSarimaOutliersGarch(const FitInput& input) {
  return FitWithGarch(FitSarimaOutliers, input);
}

}  // namespace berth
