// Passive-aggressive regression (Crammer et al. 2006), PA-I: a row whose error is small changes
// nothing; otherwise the least change that makes it small, within a bound.
#include <algorithm>
#include <cmath>

#include "perfmodel/models/builtin.h"
#include "perfmodel/online_linear.h"

namespace berth {
namespace {

constexpr double kErrorLeftAlone = 0.1;
constexpr double kStepMax = 0.01;  // The aggressiveness: rows are noisy.

double PassiveAggressiveStep(const OnlineStep& step) {
  const double loss = std::max(0.0, std::abs(step.error) - kErrorLeftAlone);
  return std::copysign(std::min(kStepMax, loss / step.row_square), step.error);
}

}  // namespace

std::unique_ptr<PerformanceModel> MakePassiveAggressiveModel(const ModelSettings& settings) {
  return std::make_unique<OnlineLinear>(settings, PassiveAggressiveStep);
}

}  // namespace berth
