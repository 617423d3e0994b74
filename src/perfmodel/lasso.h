// Least squares with a penalty on the size of coefficients, which makes most of them zero. With one
// target it is the lasso; with several, the multi-task lasso, whose features serve all targets or
// none.
//
//   minimise  1 / (2 rows) |Y - X W|^2  +  penalty * sum over features of |W_feature|
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth {

struct LassoOptions {
  double penalty = 0.01;
  double gap = 1e-6;  // Of the objective from its least, by the targets' mean square.
  std::size_t sweeps_max = 10'000;
};

struct LassoSolution {
  std::vector<double> coefficients{};  // Of each feature, by target.
  double gap = 0;                      // The objective is at most so far above its least.
  std::size_t sweeps = 0;
};

// Features and targets row by row, their columns centred. Coordinate descent on the products of
// features with each other and with the targets, over the features that may matter only.
LassoSolution SolveLasso(std::span<const double> features, std::span<const double> targets,
                         std::size_t rows, const LassoOptions& options);

}  // namespace berth
