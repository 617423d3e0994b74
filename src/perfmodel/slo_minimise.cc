// One descent: sequential quadratic programming (NLopt's SLSQP) over the limits, each from 0 to 1
// within its bounds, and one variable more, by which objectives may be missed at a price. With it
// every start is feasible, and where nothing complies, what comes out misses by least.
#include <nlopt.h>

#include <algorithm>
#include <cmath>

#include "berth/check.h"
#include "perfmodel/slo_limits.h"

namespace berth {
namespace {

constexpr double kMissPrice = 100;
constexpr double kMissMax = 1e4;
constexpr int kDescentEvaluationsMax = 300;

struct Descent {
  const SloProblem& problem;
  std::optional<std::size_t> application;
  std::vector<double> at{};  // Where what follows is of.
  std::vector<double> predicted{};
  std::vector<double> jacobian{};

  std::size_t limits() const { return problem.applications(); }
  double Width(std::size_t i) const { return problem.bounds(i).most - problem.bounds(i).least; }
  double ToLimit(std::size_t i, double share) const {
    return problem.bounds(i).least + share * Width(i);
  }
  bool Counts(std::size_t target) const {
    return !application || target / kSlis.size() == *application;
  }
  void MoveTo(const double* x) {
    std::vector<double> wanted(limits());
    for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = ToLimit(i, x[i]);
    if (wanted == at) return;
    at = std::move(wanted);
    predicted = problem.Predict(at, jacobian);
  }
  double SlopeOf(std::size_t target, std::size_t limit) const {
    return jacobian[target * limits() + limit] * Width(limit);
  }
};

double ProductOf(unsigned count, const double* x, double* gradient, void* data) {
  auto& descent = *static_cast<Descent*>(data);
  descent.MoveTo(x);
  if (gradient != nullptr) {
    std::fill(gradient, gradient + count, 0.0);
    gradient[count - 1] = kMissPrice;
  }
  double sum = kMissPrice * x[count - 1];
  for (std::size_t t = 0; t < descent.predicted.size(); ++t) {
    if (!descent.Counts(t)) continue;
    const double predicted = descent.predicted[t];
    sum += std::log(descent.problem.RatioOf(t, predicted));
    if (gradient == nullptr) continue;
    const double slope = descent.problem.LogRatioSlope(t, predicted);
    for (std::size_t i = 0; i < descent.limits(); ++i) gradient[i] += slope * descent.SlopeOf(t, i);
  }
  return sum;
}

// Every objective kept but for the miss, and the limits' sum within capacity.
void ConstraintsOf(unsigned rows, double* result, unsigned count, const double* x, double* gradient,
                   void* data) {
  auto& descent = *static_cast<Descent*>(data);
  descent.MoveTo(x);
  if (gradient != nullptr) std::fill_n(gradient, std::size_t{rows} * count, 0.0);
  std::size_t row = 0;
  for (std::size_t t = 0; t < descent.predicted.size(); ++t) {
    if (!descent.Counts(t)) continue;
    const double ratio = descent.problem.RatioOf(t, descent.predicted[t]);
    result[row] = ratio - 1 - x[count - 1];
    if (gradient != nullptr) {
      const double slope = ratio * descent.problem.LogRatioSlope(t, descent.predicted[t]);
      for (std::size_t i = 0; i < descent.limits(); ++i) {
        gradient[row * count + i] = slope * descent.SlopeOf(t, i);
      }
      gradient[row * count + count - 1] = -1;
    }
    ++row;
  }
  result[row] = -1;
  for (std::size_t i = 0; i < descent.limits(); ++i) {
    result[row] += descent.at[i] / descent.problem.capacity();
    if (gradient != nullptr) {
      gradient[row * count + i] = descent.Width(i) / descent.problem.capacity();
    }
  }
}

}  // namespace

std::vector<double> MinimiseFrom(const SloProblem& problem, std::vector<double> start,
                                 std::optional<std::size_t> application) {
  const std::size_t count = problem.applications();
  Descent descent{.problem = problem, .application = application};
  std::vector<double> x(count + 1, 0), least(count + 1, 0), most(count + 1, 1);
  most[count] = kMissMax;
  for (std::size_t i = 0; i < count; ++i) {
    const double width = descent.Width(i);
    x[i] = width > 0 ? std::clamp((start[i] - problem.bounds(i).least) / width, 0.0, 1.0) : 0;
  }
  const std::vector<double> predicted = problem.Predict(start);
  for (std::size_t t = 0; t < predicted.size(); ++t) {
    if (descent.Counts(t)) {
      x[count] = std::clamp(problem.RatioOf(t, predicted[t]) - 1, x[count], kMissMax);
    }
  }
  const std::size_t rows = (application ? 1 : count) * kSlis.size() + 1;
  nlopt_opt optimiser = nlopt_create(NLOPT_LD_SLSQP, static_cast<unsigned>(x.size()));
  BERTH_CHECK(optimiser != nullptr);
  nlopt_set_lower_bounds(optimiser, least.data());
  nlopt_set_upper_bounds(optimiser, most.data());
  nlopt_set_min_objective(optimiser, ProductOf, &descent);
  const std::vector<double> tolerances(rows, 1e-8);
  nlopt_add_inequality_mconstraint(optimiser, static_cast<unsigned>(rows), ConstraintsOf, &descent,
                                   tolerances.data());
  nlopt_set_ftol_abs(optimiser, 1e-7);
  nlopt_set_maxeval(optimiser, kDescentEvaluationsMax);
  double reached = 0;
  // Whatever it says of why it stopped, `x` is the best it saw.
  nlopt_optimize(optimiser, x.data(), &reached);
  nlopt_destroy(optimiser);
  std::vector<double> limits(count);
  for (std::size_t i = 0; i < count; ++i) {
    limits[i] = std::isfinite(x[i]) ? descent.ToLimit(i, std::clamp(x[i], 0.0, 1.0)) : start[i];
  }
  return limits;
}

}  // namespace berth
