#include "forecast/pearson.h"

#include "forecast/correlators/builtin.h"

namespace berth {

std::optional<double> CorrelatePearson(std::span<const double> x, std::span<const double> y) {
  return PearsonOf(x, y);
}

}  // namespace berth
