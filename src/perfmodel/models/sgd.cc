// Stochastic gradient descent on the squared error, with scikit-learn's schedule of steps.
#include <algorithm>
#include <cmath>

#include "perfmodel/models/builtin.h"
#include "perfmodel/online_linear.h"

namespace berth {
namespace {

constexpr double kFirstStep = 0.01;
constexpr double kStepsShrink = 0.25;  // As the so-manieth root of the rows seen.

double SgdStep(const OnlineStep& step) {
  const double rate = kFirstStep * std::pow(static_cast<double>(step.rows), -kStepsShrink);
  // Never past what was observed, however many features a row has.
  return step.error * std::min(rate, 1 / step.row_square);
}

}  // namespace

std::unique_ptr<PerformanceModel> MakeSgdModel(const ModelSettings& settings) {
  return std::make_unique<OnlineLinear>(settings, SgdStep);
}

}  // namespace berth
