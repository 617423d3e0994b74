#include "forecast/sarima_fit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/quantiles.h"
#include "forecast/growth.h"
#include "forecast/quasi_newton.h"
#include "forecast/sarima_likelihood.h"
#include "forecast/stationarity.h"

namespace berth {
namespace {

constexpr double kUnlikely = std::numeric_limits<double>::infinity();
constexpr double kFarthest = 4;   // Of a variable: a partial autocorrelation of 0.9993.
constexpr double kMargin = 1.01;  // No root of a polynomial is nearer to zero.

bool RootsFarOut(std::vector<double> c) { return GrowsSlowerThan(1 / kMargin, std::move(c)); }

bool Sound(const SarimaCoefficients& coefficients) {
  const auto negated = [](std::vector<double> values) {
    for (double& value : values) value = -value;
    return values;
  };
  return RootsFarOut(coefficients.ar) && RootsFarOut(coefficients.seasonal_ar) &&
         RootsFarOut(negated(coefficients.ma)) && RootsFarOut(negated(coefficients.seasonal_ma));
}

// The fits of orders with the same differences.
class SarimaSearch {
 public:
  SarimaSearch(std::span<const double> values, const SarimaOrder& order)
      : differences_(Differenced(values, order)) {
    for (const double value : differences_) unit_ = std::max(unit_, std::abs(value));
    if (unit_ == 0) unit_ = 1;
    const double mean = Mean(differences_);
    for (double& value : differences_) {
      about_mean_.push_back((value - mean) / unit_);
      value /= unit_;
    }
    mean_ = mean / unit_;
    for (const double value : values) largest_ = std::max(largest_, std::abs(value));
  }

  // Differences that are rounding errors have no process.
  bool nothing_left() const {
    const auto [least, most] = std::ranges::minmax(differences_);
    return (most - least) * unit_ <= 1e-13 * largest_;
  }

  bool Enough(const SarimaOrder& order) const {
    return differences_.size() > order.ar_reach() + Estimated(order) + 2;
  }

  // By the conditional sum of squares; only the criterion counts, and where it is.
  struct Candidate {
    SarimaOrder order;
    std::vector<double> at;
    double criterion = kUnlikely;
  };
  Candidate Try(const SarimaOrder& order) const {
    Candidate candidate{.order = order, .at = {}};
    if (!Enough(order)) return candidate;
    const ConditionalLikelihood likelihood(ToFit(order), order);
    Minimum found = Descend([&](std::span<const double> at) { return Cost(likelihood, order, at); },
                            std::vector<double>(order.coefficients(), 0.1),
                            {.iterations_max = 30, .tolerance = 1e-6});
    if (!Sound(CoefficientsAt(found.at, order))) return candidate;
    candidate.criterion = Criterion(-found.value, order);
    candidate.at = std::move(found.at);
    return candidate;
  }

  SarimaFitted Finish(const SarimaOrder& order, const std::vector<double>& start) const {
    const ExactLikelihood likelihood(ToFit(order), order);
    // The likelihood of a season that never changes is highest at a unit root: not beyond the
    // margin.
    const Minimum found = Descend(
        [&](std::span<const double> at) {
          return Sound(CoefficientsAt(at, order)) ? Cost(likelihood, order, at) : kUnlikely;
        },
        start, {.iterations_max = 30, .tolerance = 1e-7});
    SarimaFitted fitted;
    fitted.model.order = order;
    fitted.model.coefficients = CoefficientsAt(found.at, order);
    const SarimaMatch match = likelihood(fitted.model.coefficients);
    fitted.model.mean = order.constant ? (mean_ + match.mean) * unit_ : 0;
    // Of the squares so many are spent on what was estimated.
    const auto n = static_cast<double>(differences_.size());
    const double free = std::max(1.0, n - static_cast<double>(Estimated(order) - 1));
    fitted.model.variance = match.variance * unit_ * unit_ * n / free;
    fitted.log_likelihood = match.log_likelihood - n * std::log(unit_);
    fitted.aicc = Criterion(fitted.log_likelihood, order);
    return fitted;
  }

 private:
  // An average that is estimated is so from nearby: errors far smaller than it keep their digits.
  std::span<const double> ToFit(const SarimaOrder& order) const {
    return order.constant ? about_mean_ : differences_;
  }

  static std::size_t Estimated(const SarimaOrder& order) {
    return order.coefficients() + (order.constant ? 1 : 0) + 1;
  }

  template <typename Likelihood>
  static double Cost(const Likelihood& likelihood, const SarimaOrder& order,
                     std::span<const double> at) {
    if (std::ranges::any_of(at, [](double one) { return std::abs(one) > kFarthest; })) {
      return kUnlikely;
    }
    const double cost = -likelihood(CoefficientsAt(at, order)).log_likelihood;
    if (!std::isfinite(cost)) return kUnlikely;
    return cost;
  }

  double Criterion(double log_likelihood, const SarimaOrder& order) const {
    const auto n = static_cast<double>(differences_.size());
    const auto k = static_cast<double>(Estimated(order));
    return n > k + 1 ? -2 * log_likelihood + 2 * k * n / (n - k - 1) : kUnlikely;
  }

  // In units of the largest.
  std::vector<double> differences_;
  double mean_ = 0;
  std::vector<double> about_mean_;
  double unit_ = 0;
  double largest_ = 0;
};

// Of differences of differences an average would be a curve.
bool MayDrift(const SarimaOrder& order, const SarimaLimits& limits) {
  return limits.constant && order.d + order.seasonal_d < 2;
}

// From order to better order next to it, until there is none.
class Stepwise {
 public:
  Stepwise(const SarimaSearch& search, const SarimaOrder& base, const SarimaLimits& limits)
      : search_(search), base_(base), limits_(limits) {}

  SarimaSearch::Candidate Run() {
    base_.constant = MayDrift(base_, limits_);
    const std::size_t season = base_.period > 1 ? 1 : 0;
    Consider(At(2, 2, season, season));
    Consider(At(0, 0, 0, 0));
    Consider(At(1, 0, season, 0));
    Consider(At(0, 1, 0, season));
    if (base_.constant) {
      base_.constant = false;
      Consider(At(0, 0, 0, 0));
      base_.constant = true;
    }
    while (tried_.size() < kTriedMax && Move()) {
    }
    return std::move(tried_[best_]);
  }

 private:
  static constexpr std::size_t kTriedMax = 94;

  SarimaOrder At(std::size_t p, std::size_t q, std::size_t seasonal_p,
                 std::size_t seasonal_q) const {
    SarimaOrder order = base_;
    order.p = std::min(p, limits_.p);
    order.q = std::min(q, limits_.q);
    order.seasonal_p = std::min(seasonal_p, limits_.seasonal_p);
    order.seasonal_q = std::min(seasonal_q, limits_.seasonal_q);
    return order;
  }

  bool Consider(const SarimaOrder& order) {
    if (std::ranges::find(tried_, order, &SarimaSearch::Candidate::order) != tried_.end()) {
      return false;
    }
    tried_.push_back(search_.Try(order));
    if (tried_.size() > 1 && tried_.back().criterion >= tried_[best_].criterion) return false;
    best_ = tried_.size() - 1;
    return true;
  }

  // The first of the neighbours that is better.
  bool Move() {
    struct Change {
      int p, q, seasonal_p, seasonal_q;
    };
    static constexpr Change kChanges[] = {
        {0, 0, -1, 0},  {0, 0, 0, -1}, {0, 0, 1, 0},  {0, 0, 0, 1},  {0, 0, -1, -1}, {0, 0, -1, 1},
        {0, 0, 1, -1},  {0, 0, 1, 1},  {-1, 0, 0, 0}, {0, -1, 0, 0}, {1, 0, 0, 0},   {0, 1, 0, 0},
        {-1, -1, 0, 0}, {-1, 1, 0, 0}, {1, -1, 0, 0}, {1, 1, 0, 0}};
    const SarimaOrder from = tried_[best_].order;
    for (const Change& change : kChanges) {
      SarimaOrder order = from;
      if (Shifted(order.p, change.p, limits_.p) && Shifted(order.q, change.q, limits_.q) &&
          Shifted(order.seasonal_p, change.seasonal_p, limits_.seasonal_p) &&
          Shifted(order.seasonal_q, change.seasonal_q, limits_.seasonal_q) && Consider(order)) {
        return true;
      }
    }
    if (!MayDrift(from, limits_)) return false;
    SarimaOrder order = from;
    order.constant = !order.constant;
    return Consider(order);
  }

  static bool Shifted(std::size_t& order, int by, std::size_t most) {
    if (by < 0 && order == 0) return false;
    order = by < 0 ? order - 1 : order + static_cast<std::size_t>(by);
    return order <= most;
  }

  const SarimaSearch& search_;
  SarimaOrder base_;
  SarimaLimits limits_;
  std::vector<SarimaSearch::Candidate> tried_;
  std::size_t best_ = 0;
};

}  // namespace

std::optional<SarimaFitted> FitSarima(std::span<const double> values, const SarimaOrder& order) {
  if (values.size() <= order.lost()) return std::nullopt;
  const SarimaSearch search(values, order);
  if (!search.Enough(order)) return std::nullopt;
  const std::vector<double> neutral(order.coefficients(), 0.1);
  const SarimaSearch::Candidate candidate = search.Try(order);
  return search.Finish(order, candidate.at.size() == neutral.size() ? candidate.at : neutral);
}

SarimaFitted SelectSarima(std::span<const double> values, std::size_t period,
                          const SarimaLimits& limits) {
  SarimaOrder base{.period = period};
  SarimaLimits within = limits;
  if (period > 1) {
    base.seasonal_d = std::min(limits.seasonal_d, SeasonalDifferencesNeeded(values, period));
  } else {
    within.seasonal_p = within.seasonal_q = 0;
  }
  base.d = DifferencesNeeded(Differenced(values, base), limits.d);
  const SarimaSearch search(values, base);
  if (!search.nothing_left()) {
    const SarimaSearch::Candidate best = Stepwise(search, base, within).Run();
    if (best.criterion < kUnlikely) return search.Finish(best.order, best.at);
  }
  base.constant = MayDrift(base, limits);
  return search.Finish(base, {});
}

}  // namespace berth
