#include <cmath>

#include "forecast/filters/builtin.h"

namespace berth {

Result<std::vector<double>> FillWithValue(const FilterInput& input) {
  std::vector<double> filled(input.values.begin(), input.values.end());
  for (double& value : filled) {
    if (std::isnan(value)) value = input.settings.value;
  }
  return filled;
}

}  // namespace berth
