#include "perfmodel/lasso.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

#include "berth/check.h"

namespace berth {
namespace {

using LassoMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using LassoRows = Eigen::Map<const LassoMatrix>;

// Sums are over so many rows at a time: within Eigen's blocks whatever the processor's caches, so
// that they are the same everywhere.
constexpr Eigen::Index kRowsAtOnce = 256;
// Sweeps over the working set between looks at the gap.
constexpr int kSweepsAtOnce = 8;

// A^T B / rows.
Eigen::MatrixXd MeanProducts(const LassoRows& a, const Eigen::Ref<const LassoMatrix>& b) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(a.cols(), b.cols());
  for (Eigen::Index begin = 0; begin < a.rows(); begin += kRowsAtOnce) {
    const Eigen::Index count = std::min(kRowsAtOnce, a.rows() - begin);
    sum.noalias() += a.middleRows(begin, count).transpose() * b.middleRows(begin, count);
  }
  return sum / static_cast<double>(a.rows());
}

class LassoSolver {
 public:
  LassoSolver(const LassoRows& x, const LassoRows& y, const LassoOptions& options)
      : x_(x),
        options_(options),
        with_targets_(MeanProducts(x, y)),
        target_square_(y.squaredNorm() / static_cast<double>(y.rows())),
        squares_(x.colwise().squaredNorm().transpose() / static_cast<double>(x.rows())),
        weights_(Eigen::MatrixXd::Zero(x.cols(), y.cols())),
        slopes_(with_targets_),
        is_working_(static_cast<std::size_t>(x.cols()), false) {}

  LassoSolution Solve() {
    for (Eigen::Index j = 0; j < x_.cols(); ++j) {
      if (squares_[j] > 0) candidates_.push_back(j);
    }
    const double gap_wanted = options_.gap * target_square_;
    double gap_within = gap_wanted;
    for (;;) {
      const Gap gap = MeasureGap(candidates_, RowsOf(slopes_, candidates_));
      solution_.gap = gap.size;
      if (gap.size <= gap_wanted || solution_.sweeps >= options_.sweeps_max) break;
      // Nothing to add, so what is left of the gap is within the working set.
      if (!Screen(gap)) gap_within *= 0.1;
      if (gap_within < 1e-16 * target_square_) break;  // As near as numbers allow.
      SweepWorkingSet(gap_within);
      slopes_ = with_targets_ - products_ * RowsOf(weights_, working_);
    }
    for (Eigen::Index j = 0; j < weights_.rows(); ++j) {
      for (Eigen::Index t = 0; t < weights_.cols(); ++t) {
        solution_.coefficients.push_back(weights_(j, t));
      }
    }
    return std::move(solution_);
  }

 private:
  struct Gap {
    double size = 0;
    double shrink = 1;  // What makes the residual a point of the dual problem.
  };

  static Eigen::MatrixXd RowsOf(const Eigen::MatrixXd& all,
                                const std::vector<Eigen::Index>& wanted) {
    Eigen::MatrixXd rows(static_cast<Eigen::Index>(wanted.size()), all.cols());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      rows.row(static_cast<Eigen::Index>(i)) = all.row(wanted[i]);
    }
    return rows;
  }

  // Between the objective and the dual one at the residual, in the problem of these features alone.
  Gap MeasureGap(const std::vector<Eigen::Index>& features, const Eigen::MatrixXd& slopes) const {
    double penalised = 0, explained = 0, steepest = 0, fitted = 0;
    for (std::size_t i = 0; i < features.size(); ++i) {
      const Eigen::Index j = features[i];
      const auto slope = slopes.row(static_cast<Eigen::Index>(i));
      penalised += weights_.row(j).norm();
      explained += with_targets_.row(j).dot(weights_.row(j));
      fitted += (with_targets_.row(j) - slope).dot(weights_.row(j));
      steepest = std::max(steepest, slope.norm());
    }
    const double residual = std::max(0.0, target_square_ - 2 * explained + fitted);
    const double shrink = steepest > options_.penalty ? options_.penalty / steepest : 1;
    const double dual = shrink * (target_square_ - explained) - 0.5 * shrink * shrink * residual;
    const double primal = 0.5 * residual + options_.penalty * penalised;
    return {.size = std::max(0.0, primal - dual), .shrink = shrink};
  }

  // Drops the features that cannot matter (the dual's best point is within a sphere that the gap
  // gives), and adds those that would lower the objective to the working set, if there are any.
  bool Screen(const Gap& gap) {
    const double radius = std::sqrt(2 * gap.size);
    std::erase_if(candidates_, [&](Eigen::Index j) {
      const double reach = gap.shrink * slopes_.row(j).norm() + radius * std::sqrt(squares_[j]);
      return reach < options_.penalty && !is_working_[static_cast<std::size_t>(j)];
    });
    std::vector<Eigen::Index> added;
    for (const Eigen::Index j : candidates_) {
      if (is_working_[static_cast<std::size_t>(j)]) continue;
      if (slopes_.row(j).norm() > options_.penalty) added.push_back(j);
    }
    if (added.empty()) return false;
    LassoMatrix columns(x_.rows(), static_cast<Eigen::Index>(added.size()));
    for (std::size_t i = 0; i < added.size(); ++i) {
      columns.col(static_cast<Eigen::Index>(i)) = x_.col(added[i]);
      is_working_[static_cast<std::size_t>(added[i])] = true;
    }
    products_.conservativeResize(x_.cols(), products_.cols() + columns.cols());
    products_.rightCols(columns.cols()) = MeanProducts(x_, columns);
    working_.insert(working_.end(), added.begin(), added.end());
    return true;
  }

  void SweepWorkingSet(double gap_wanted) {
    const Eigen::MatrixXd among = RowsOf(products_, working_);
    Eigen::MatrixXd slopes = RowsOf(slopes_, working_);
    while (solution_.sweeps < options_.sweeps_max) {
      double moved = 0;
      for (int i = 0; i < kSweepsAtOnce; ++i) moved = Sweep(among, slopes);
      if (moved == 0 || MeasureGap(working_, slopes).size <= gap_wanted) return;
    }
  }

  // Every coefficient in turn to its best value, the others left as they are.
  double Sweep(const Eigen::MatrixXd& among, Eigen::MatrixXd& slopes) {
    ++solution_.sweeps;
    double moved = 0;
    Eigen::RowVectorXd alone(weights_.cols()), change(weights_.cols());
    for (Eigen::Index i = 0; i < among.rows(); ++i) {
      const Eigen::Index j = working_[static_cast<std::size_t>(i)];
      alone = slopes.row(i) + squares_[j] * weights_.row(j);
      const double size = alone.norm();
      const double kept = size > options_.penalty ? 1 - options_.penalty / size : 0;
      change = alone * (kept / squares_[j]) - weights_.row(j);
      const double change_square = change.squaredNorm();
      if (change_square == 0) continue;
      weights_.row(j) += change;
      for (Eigen::Index t = 0; t < change.size(); ++t) slopes.col(t) -= change[t] * among.col(i);
      moved += change_square;
    }
    return moved;
  }

  const LassoRows& x_;
  const LassoOptions& options_;
  Eigen::MatrixXd with_targets_;  // X^T Y / rows.
  double target_square_;
  Eigen::VectorXd squares_;  // Of features, on average.
  Eigen::MatrixXd weights_;
  Eigen::MatrixXd slopes_;                // X^T (Y - X W) / rows.
  std::vector<Eigen::Index> candidates_;  // Features that may matter.
  std::vector<Eigen::Index> working_;     // Those whose coefficients may be other than zero.
  std::vector<bool> is_working_;
  Eigen::MatrixXd products_;  // X^T X / rows, the columns of the working set only.
  LassoSolution solution_;
};

}  // namespace

LassoSolution SolveLasso(std::span<const double> features, std::span<const double> targets,
                         std::size_t rows, const LassoOptions& options) {
  BERTH_CHECK(rows > 0 && features.size() % rows == 0 && targets.size() % rows == 0);
  const auto count = static_cast<Eigen::Index>(rows);
  const LassoRows x(features.data(), count, static_cast<Eigen::Index>(features.size() / rows));
  const LassoRows y(targets.data(), count, static_cast<Eigen::Index>(targets.size() / rows));
  return LassoSolver(x, y, options).Solve();
}

}  // namespace berth
