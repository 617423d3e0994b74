#include "forecast/correlators/builtin.h"
#include "forecast/mine.h"

namespace berth {

std::optional<double> CorrelateTic(std::span<const double> x, std::span<const double> y) {
  const std::optional<InformationMatrix> matrix = InformationMatrix::Of(x, y);
  if (!matrix) return std::nullopt;
  return matrix->Average();
}

}  // namespace berth
