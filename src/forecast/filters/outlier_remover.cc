#include "forecast/filters/builtin.h"
#include "forecast/outliers.h"

namespace berth {

Result<std::vector<double>> RemoveOutliers(const FilterInput& input) {
  return WithoutOutliers(input.values, std::span(&input.settings.season, 1));
}

}  // namespace berth
