#include "forecast/methods/builtin.h"
#include "forecast/outlier_forecaster.h"

namespace berth {

Result<std::unique_ptr<FittedForecaster>> FitSarimaOutliers(const FitInput& input) {
  return FitWithoutOutliers(FitSarimaMethod, input);
}

}  // namespace berth
