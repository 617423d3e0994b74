#include "forecast/filters/builtin.h"
#include "forecast/smoothed.h"

namespace berth {

Result<std::vector<double>> SmoothLevel(const FilterInput& input) {
  return SmoothedBy({}, input.values, 0);
}

}  // namespace berth
