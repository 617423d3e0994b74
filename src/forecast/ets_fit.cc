#include "forecast/ets_fit.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "forecast/ets_start.h"
#include "forecast/nelder_mead.h"

namespace berth {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kWeightMin = 1e-4;
constexpr double kWeightMax = 1 - kWeightMin;
constexpr double kRounding = 1e-14;  // Of the largest value, what sums of a few values lose.
constexpr double kPhiMin = 0.8;      // Less is hardly a trend,
constexpr double kPhiMax = 0.98;     // more hardly damped.

// One form's fit to one series: weights and start are moved until the likelihood is best.
class EtsSearch {
 public:
  EtsSearch(std::span<const double> values, const EtsForm& form, std::size_t period)
      : values_(values), start_(StartOf(values, form, period)) {
    model_.form = form;
    for (const double value : values) scale_ = std::max(scale_, std::abs(value));
    if (trended()) model_.weights.beta = kWeightMin;
    if (seasonal()) model_.weights.gamma = kWeightMin;
    if (damped()) model_.weights.phi = 0.97;
  }

  EtsFitted Run() {
    ChooseWeights();
    Search();
    if (seasonal()) {
      // Each holds still what the other moves: a few turns are as good as many.
      for (int turn = 0; turn < 2; ++turn) {
        if (!ImproveStart()) break;
        Search();
      }
    }
    return Finish();
  }

 private:
  bool trended() const { return model_.form.trend != EtsTrend::kNone; }
  bool damped() const { return model_.form.trend == EtsTrend::kDamped; }
  bool seasonal() const { return model_.form.season != EtsSeason::kNone; }
  bool proportional() const { return model_.form.error == EtsError::kMultiplicative; }

  static bool Within(double value, double low, double high) {
    return value >= low && value <= high;
  }
  bool Usual(const EtsWeights& weights) const {
    return Within(weights.alpha, kWeightMin, kWeightMax) &&
           (!trended() || Within(weights.beta, kWeightMin, weights.alpha)) &&
           (!seasonal() || Within(weights.gamma, kWeightMin, 1 - weights.alpha)) &&
           (!damped() || Within(weights.phi, kPhiMin, kPhiMax));
  }

  double Likelihood(const EtsWeights& weights, const EtsState& start, std::span<double> errors) {
    if (!Usual(weights)) return kInfinite;
    model_.weights = weights;
    model_.state = start;
    const EtsFollowed followed = Follow(model_, values_, errors);
    const auto n = static_cast<double>(values_.size());
    // Below it errors are rounding: a constant series has no best weights.
    const double unit = proportional() ? kRounding : kRounding * scale_;
    const double squares = std::max({followed.squares, n * unit * unit, 1e-290});
    if (!followed.sound || !std::isfinite(squares)) return kInfinite;
    return n * std::log(squares) + (proportional() ? 2 * followed.logs : 0);
  }

  void ChooseWeights() {
    best_ = kInfinite;
    EtsWeights weights = model_.weights;
    for (const double alpha : {0.02, 0.2, 0.5, 0.9}) {
      // Seasons that hardly move and that always do are often both best of those near them.
      for (const double gamma : {0.1, 0.9}) {
        weights.alpha = alpha;
        if (trended()) weights.beta = alpha / 10;
        if (seasonal()) weights.gamma = (1 - alpha) * gamma;
        const double value = Likelihood(weights, start_, {});
        if (value < best_ || best_ == kInfinite) {
          best_ = value;
          weights_ = weights;
        }
        if (!seasonal()) break;
      }
    }
  }

  // The weights, the level and the slope as the variables of a search, and back.
  std::vector<double> Pack() const {
    std::vector<double> at = {weights_.alpha};
    if (trended()) at.push_back(weights_.beta);
    if (seasonal()) at.push_back(weights_.gamma);
    if (damped()) at.push_back(weights_.phi);
    at.push_back(start_.level / unit());
    if (trended()) at.push_back(start_.slope / unit());
    return at;
  }
  void Unpack(std::span<const double> at, EtsWeights& weights, EtsState& start) const {
    std::size_t next = 0;
    weights.alpha = at[next++];
    if (trended()) weights.beta = at[next++];
    if (seasonal()) weights.gamma = at[next++];
    if (damped()) weights.phi = at[next++];
    start.level = at[next++] * unit();
    if (trended()) start.slope = at[next++] * unit();
  }
  double unit() const { return scale_ > 0 ? scale_ : 1; }

  // Towards the inside, so that no corner is forbidden.
  std::vector<double> Steps() const {
    std::vector<double> steps = {weights_.alpha < 0.5 ? 0.1 : -0.1};
    if (trended())
      steps.push_back(weights_.beta < weights_.alpha / 2 ? weights_.alpha / 4
                                                         : -weights_.alpha / 4);
    if (seasonal()) {
      const double room = 1 - weights_.alpha;
      steps.push_back(weights_.gamma < room / 2 ? room / 4 : -room / 4);
    }
    if (damped()) steps.push_back(weights_.phi < 0.9 ? 0.05 : -0.05);
    steps.push_back(0.02);
    if (trended()) steps.push_back(0.001);
    return steps;
  }

  void Search() {
    EtsWeights weights = weights_;
    EtsState start = start_;
    const std::vector<double> steps = Steps();
    const Minimum found = Minimise(
        [&](std::span<const double> at) {
          Unpack(at, weights, start);
          return Likelihood(weights, start, {});
        },
        Pack(), steps, {.evaluations_max = 150 * steps.size(), .tolerance = 1e-3});
    if (found.value < best_) {
      best_ = found.value;
      Unpack(found.at, weights_, start_);
    }
  }

  // The state that so many numbers away from the start is: the level, the slope, and the seasons
  // but for the last, which keeps their sum.
  EtsState Moved(const Eigen::VectorXd& by) const {
    EtsState moved = start_;
    Eigen::Index next = 0;
    moved.level += by(next++);
    if (trended()) moved.slope += by(next++);
    for (std::size_t i = 0; i + 1 < moved.season.size(); ++i, ++next) {
      moved.season[i] += by(next);
      moved.season.back() -= by(next);
    }
    return moved;
  }

  // One step of Gauss and Newton. Errors are linear in the start of an additive model, so there it
  // is the least sum of squares for these weights.
  bool ImproveStart() {
    const auto rows = static_cast<Eigen::Index>(values_.size());
    const auto columns = static_cast<Eigen::Index>(start_.season.size() + (trended() ? 1 : 0));
    Eigen::VectorXd errors(rows);
    Eigen::MatrixXd changes(rows, columns);
    const auto follow = [&](const EtsState& start, double* into) {
      return Likelihood(weights_, start, std::span(into, values_.size()));
    };
    if (follow(start_, errors.data()) == kInfinite) return false;
    for (Eigen::Index column = 0; column < columns; ++column) {
      const bool factor =
          model_.form.season == EtsSeason::kMultiplicative && column >= (trended() ? 2 : 1);
      const double step = factor ? 1e-4 : 1e-4 * unit();
      Eigen::VectorXd by = Eigen::VectorXd::Zero(columns);
      by(column) = step;
      if (follow(Moved(by), changes.col(column).data()) == kInfinite) return false;
      changes.col(column) = (changes.col(column) - errors) / step;
    }
    const Eigen::VectorXd by =
        (changes.transpose() * changes).ldlt().solve(-changes.transpose() * errors);
    if (!by.allFinite()) return false;
    EtsState moved = Moved(by);
    const double value = Likelihood(weights_, moved, {});
    if (value >= best_) return false;
    best_ = value;
    start_ = std::move(moved);
    return true;
  }

  EtsFitted Finish() {
    EtsFitted fitted;
    fitted.likelihood = Likelihood(weights_, start_, {});
    fitted.start = start_;
    // Beside the variables of the search: the season but for one, and the variance.
    fitted.estimated = Pack().size() + (seasonal() ? start_.season.size() - 1 : 0) + 1;
    const auto n = static_cast<double>(values_.size());
    const auto k = static_cast<double>(fitted.estimated);
    fitted.aicc = n > k + 1 ? fitted.likelihood + 2 * k * n / (n - k - 1) : kInfinite;
    fitted.model.form = model_.form;
    fitted.model.weights = weights_;
    fitted.model.state = start_;
    const EtsFollowed followed = Follow(fitted.model, values_, {});
    fitted.model.variance = followed.squares / std::max(1.0, n - k);
    return fitted;
  }

  std::span<const double> values_;
  double scale_ = 0;  // The largest value.
  EtsModel model_;    // The one that is tried.
  EtsWeights weights_;
  EtsState start_;
  double best_ = kInfinite;
};

}  // namespace

EtsFitted FitEts(std::span<const double> values, const EtsForm& form, std::size_t period) {
  return EtsSearch(values, form, period).Run();
}

}  // namespace berth
