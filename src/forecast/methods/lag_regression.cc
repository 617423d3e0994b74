#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "forecast/growth.h"
#include "forecast/lags.h"
#include "forecast/methods/builtin.h"
#include "forecast/normal_forecast.h"

namespace berth {
namespace {

// Of what is foreseen from what was foreseen, a step: a tenth more within a hundred.
constexpr double kGrowthMax = 1.001;
constexpr double kPenaltyLeast = 4e-5;  // In average squares of a lag.
constexpr double kPenaltyFactor = 4;

// In units of its own: the average is zero, the farthest from it is one away.
class LagRegression final : public FittedForecaster {
 public:
  explicit LagRegression(const FitInput& input)
      : lags_(LagsFor(input.values.size(), input.seasons)) {
    for (const double value : input.values) {
      centre_ += value / static_cast<double>(input.values.size());
    }
    double farthest = 0;
    for (const double value : input.values)
      farthest = std::max(farthest, std::abs(value - centre_));
    if (farthest > 0) unit_ = farthest;
    for (const double value : input.values) latest_.push_back((value - centre_) / unit_);
    Solve();
    const std::size_t longest = std::ranges::max(lags_);
    latest_.erase(latest_.begin(), latest_.end() - static_cast<std::ptrdiff_t>(longest));
  }

  Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng) const override {
    std::vector<double> path = latest_;
    // What an error of one does to the points after it; errors of all steps add up.
    std::vector<double> response(latest_.size(), 0);
    std::vector<double> mean;
    std::vector<double> deviations;
    double squares = 0;
    const std::vector<double> kept = SharesKept(Recursion(coefficients_), kGrowthMax, horizon);
    for (std::size_t h = 0; h < horizon; ++h) {
      double next = constant_;
      double echo = h == 0 ? 1 : 0;
      for (std::size_t i = 0; i < lags_.size(); ++i) {
        next += coefficients_[i] * path[path.size() - lags_[i]];
        echo += coefficients_[i] * response[response.size() - lags_[i]];
      }
      path.push_back(Bounded(next));
      response.push_back(Bounded(echo));
      squares += kept[h] * kept[h] * response.back() * response.back();
      mean.push_back(centre_ + unit_ * kept[h] * path.back());
      deviations.push_back(unit_ * deviation_ * std::sqrt(squares));
    }
    return NormalForecast(std::move(mean), deviations, levels);
  }

  void Update(double value) override {
    latest_.push_back((value - centre_) / unit_);
    latest_.erase(latest_.begin());
  }

  std::string description() const override {
    return fmt::format("regression on the lags {}", fmt::join(lags_, ", "));
  }

 private:
  void Solve() {
    const std::size_t longest = std::ranges::max(lags_);
    const auto rows = static_cast<Eigen::Index>(latest_.size() - longest);
    const auto columns = static_cast<Eigen::Index>(lags_.size());
    Eigen::MatrixXd past = Eigen::MatrixXd::Ones(rows, columns + 1);  // The last is the constant.
    Eigen::VectorXd now(rows);
    for (Eigen::Index row = 0; row < rows; ++row) {
      const std::size_t at = longest + static_cast<std::size_t>(row);
      now(row) = latest_[at];
      for (Eigen::Index column = 0; column < columns; ++column) {
        past(row, column) = latest_[at - lags_[static_cast<std::size_t>(column)]];
      }
    }
    // It knows columns that say the same, as those of a constant series, and leaves them out.
    Eigen::VectorXd found = past.colPivHouseholderQr().solve(now);
    if (RunsAway(found)) found = Shrunk(past, now);
    coefficients_.assign(found.begin(), found.end() - 1);
    constant_ = found(columns);
    const double free = static_cast<double>(rows - columns - 1);
    deviation_ = std::sqrt((now - past * found).squaredNorm() / free);
  }

  bool RunsAway(const Eigen::VectorXd& found) const {
    return !GrowsSlowerThan(kGrowthMax, Recursion({found.begin(), found.end() - 1}));
  }

  // With the lags between.
  std::vector<double> Recursion(const std::vector<double>& coefficients) const {
    std::vector<double> recursion(std::ranges::max(lags_), 0);
    for (std::size_t i = 0; i < lags_.size(); ++i) recursion[lags_[i] - 1] = coefficients[i];
    return recursion;
  }

  // A level that has just shifted looks like growth to least squares, and foreseen from itself it
  // would go on growing. With the least ridge penalty, up to a factor, that keeps it from it.
  Eigen::VectorXd Shrunk(const Eigen::MatrixXd& past, const Eigen::VectorXd& now) const {
    const Eigen::Index columns = past.cols() - 1;
    const Eigen::RowVectorXd averages = past.leftCols(columns).colwise().mean();
    const Eigen::MatrixXd about = past.leftCols(columns).rowwise() - averages;
    const Eigen::MatrixXd products = about.transpose() * about;
    const Eigen::VectorXd with_now = about.transpose() * now;
    Eigen::VectorXd found(columns + 1);
    // Of values of at most one, less is rounding.
    double penalty = kPenaltyLeast * std::max(1e-12, products.diagonal().mean());
    do {
      const Eigen::MatrixXd ridged =
          products + penalty * Eigen::MatrixXd::Identity(columns, columns);
      found.head(columns) = ridged.ldlt().solve(with_now);
      found(columns) = now.mean() - averages.dot(found.head(columns));
      penalty *= kPenaltyFactor;
    } while (RunsAway(found));
    return found;
  }

  // Within a long horizon also the growth allowed adds up.
  static double Bounded(double value) { return std::clamp(value, -1e15, 1e15); }

  std::vector<std::size_t> lags_;
  double centre_ = 0;
  double unit_ = 1;
  double constant_ = 0;
  std::vector<double> coefficients_;
  double deviation_ = 0;
  std::vector<double> latest_;  // As far back as the longest lag.
};

}  // namespace

Result<std::unique_ptr<FittedForecaster>> FitLagRegression(const FitInput& input) {
  return std::unique_ptr<FittedForecaster>(std::make_unique<LagRegression>(input));
}

}  // namespace berth
