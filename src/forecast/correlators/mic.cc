#include "forecast/correlators/builtin.h"
#include "forecast/mine.h"

namespace berth {

std::optional<double> CorrelateMic(std::span<const double> x, std::span<const double> y) {
  const std::optional<InformationMatrix> matrix = InformationMatrix::Of(x, y);
  if (!matrix) return std::nullopt;
  return matrix->Maximum();
}

}  // namespace berth
