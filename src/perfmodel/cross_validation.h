// How well a model predicts rows that it was not shown.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "perfmodel/model_gate.h"
#include "perfmodel/model_groups.h"
#include "perfmodel/performance_model.h"

namespace berth {

inline constexpr std::size_t kFoldsMax = 100;

// 1 - squared errors / squares about the mean, each summed over all targets: 1 is perfect, 0 no
// better than the mean. A target that varies more counts for more, as in scikit-learn before 0.23,
// which the thesis used. All targets constant: 1 if predicted so, otherwise 0.
double DeterminationOf(std::span<const double> predicted, std::span<const double> observed,
                       std::size_t targets);

struct FoldScores {
  std::vector<double> determinations{};  // R^2, of each fold.
  double mean = 0;
  double variance = 0;
};

// The rows are cut into as many parts in their order; each is predicted from the others. The
// answer is the same whatever the number of workers.
Result<FoldScores> CrossValidate(const DataTable& table, const ModelGroup& group,
                                 const ModelEntry& entry, ModelSettings settings, std::size_t folds,
                                 std::size_t workers);

struct GateScores {
  double scaled_error = 0;       // On average over rows and targets.
  double scaled_error_last = 0;  // Over the last tenth of the rows.
  double open_share = 0;         // Of rows and targets for which the gate was open before.
};
// An online model told the rows in their order, each predicted first.
GateScores FollowRows(const DataTable& table, const ModelGroup& group, const ModelEntry& entry,
                      ModelSettings settings, GateKind gate);

}  // namespace berth
