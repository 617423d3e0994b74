#include "forecast/quasi_newton.h"

#include <Eigen/Core>
#include <cmath>

namespace berth {
namespace {

class Descent {
 public:
  Descent(const std::function<double(std::span<const double>)>& value,
          const std::vector<double>& start)
      : value_(value),
        at_(Eigen::Map<const Eigen::VectorXd>(start.data(),
                                              static_cast<Eigen::Index>(start.size()))),
        best_(Evaluate(at_)) {
    Forget();
    slope_ = Slope();
  }

  // How much lower it got.
  double Step() {
    Eigen::VectorXd direction = -inverse_ * slope_;
    if (!(direction.dot(slope_) < 0)) {
      Forget();
      direction = -slope_;
    }
    // So far at once leads anywhere; the first step knows no scale at all.
    const double length = direction.norm();
    if (length > kStepMax) direction *= kStepMax / length;
    const double expected = direction.dot(slope_);
    for (int halvings = 0; halvings < 20; halvings += 2) {
      const double part = std::ldexp(1, -halvings);
      const Eigen::VectorXd tried = at_ + part * direction;
      const double value = Evaluate(tried);
      if (value <= best_ + 1e-4 * part * expected) return Accept(tried, value);
    }
    return 0;
  }

  double best() const { return best_; }
  Minimum found() const { return {{at_.begin(), at_.end()}, best_}; }

 private:
  static constexpr double kStepMax = 1;
  static constexpr double kDifference = 1e-6;

  double Evaluate(const Eigen::VectorXd& at) const {
    return value_({at.data(), static_cast<std::size_t>(at.size())});
  }

  void Forget() { inverse_ = Eigen::MatrixXd::Identity(at_.size(), at_.size()); }

  Eigen::VectorXd Slope() const {
    Eigen::VectorXd slope(at_.size());
    Eigen::VectorXd moved = at_;
    for (Eigen::Index i = 0; i < at_.size(); ++i) {
      moved(i) = at_(i) + kDifference;
      double change = Evaluate(moved) - best_;
      // On the edge of what is allowed: the other side is not.
      if (!std::isfinite(change)) {
        moved(i) = at_(i) - kDifference;
        change = best_ - Evaluate(moved);
      }
      slope(i) = std::isfinite(change) ? change / kDifference : 0;
      moved(i) = at_(i);
    }
    return slope;
  }

  double Accept(const Eigen::VectorXd& at, double value) {
    const double gained = best_ - value;
    const Eigen::VectorXd before = slope_;
    const Eigen::VectorXd step = at - at_;
    at_ = at;
    best_ = value;
    slope_ = Slope();
    const Eigen::VectorXd bent = slope_ - before;
    const double curvature = step.dot(bent);
    if (curvature > 1e-12 * step.norm() * bent.norm()) {
      const Eigen::VectorXd turned = inverse_ * bent;
      inverse_ += (1 + bent.dot(turned) / curvature) / curvature * step * step.transpose() -
                  (turned * step.transpose() + step * turned.transpose()) / curvature;
    }
    return gained;
  }

  const std::function<double(std::span<const double>)>& value_;
  Eigen::VectorXd at_;
  double best_;
  Eigen::VectorXd slope_;
  Eigen::MatrixXd inverse_;  // Of the second derivatives, as far as the steps showed them.
};

}  // namespace

Minimum Descend(const std::function<double(std::span<const double>)>& value,
                const std::vector<double>& start, const QuasiNewtonOptions& options) {
  if (start.empty()) return {start, value(start)};
  Descent descent(value, start);
  for (std::size_t i = 0; i < options.iterations_max; ++i) {
    if (descent.Step() <= options.tolerance * (std::abs(descent.best()) + options.tolerance)) break;
  }
  return descent.found();
}

}  // namespace berth
