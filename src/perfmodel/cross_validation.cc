#include "perfmodel/cross_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "base/quantiles.h"
#include "base/text.h"
#include "berth/check.h"

namespace berth {
namespace {

ModelSettings SizedFor(ModelSettings settings, const ModelGroup& group) {
  settings.features = group.features.size();
  settings.targets = group.targets.size();
  return settings;
}

Result<double> ScoreFold(const DataTable& table, const ModelGroup& group, const ModelEntry& entry,
                         const ModelSettings& settings, std::size_t begin, std::size_t end) {
  std::vector<std::size_t> shown, held_out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    (row >= begin && row < end ? held_out : shown).push_back(row);
  }
  const std::unique_ptr<PerformanceModel> model = entry.make(settings);
  const std::vector<double> features = table.Pick(shown, group.features);
  const std::vector<double> targets = table.Pick(shown, group.targets);
  BERTH_RETURN_IF_ERROR(
      model->Learn({.rows = shown.size(), .features = features, .targets = targets}));
  const std::vector<double> asked = table.Pick(held_out, group.features);
  const std::vector<double> observed = table.Pick(held_out, group.targets);
  std::vector<double> predicted(observed.size());
  for (std::size_t i = 0; i < held_out.size(); ++i) {
    model->Predict(std::span(asked).subspan(i * settings.features, settings.features),
                   std::span(predicted).subspan(i * settings.targets, settings.targets));
  }
  return DeterminationOf(predicted, observed, settings.targets);
}

}  // namespace

double DeterminationOf(std::span<const double> predicted, std::span<const double> observed,
                       std::size_t targets) {
  const std::size_t count = observed.size() / targets;
  const auto rows = static_cast<double>(count);
  std::vector<double> means(targets, 0);
  for (std::size_t i = 0; i < observed.size(); ++i) means[i % targets] += observed[i] / rows;
  double errors = 0, squares = 0;
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const double error = predicted[i] - observed[i], off = observed[i] - means[i % targets];
    errors += error * error;
    squares += off * off;
  }
  if (squares == 0) return errors == 0 ? 1 : 0;
  return 1 - errors / squares;
}

Result<FoldScores> CrossValidate(const DataTable& table, const ModelGroup& group,
                                 const ModelEntry& entry, ModelSettings settings, std::size_t folds,
                                 std::size_t workers) {
  settings = SizedFor(settings, group);
  BERTH_RETURN_IF_ERROR(CheckSettings(settings));
  if (folds < 2 || folds > kFoldsMax || table.rows() < 2 * folds) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} of {} are not possible; there are 2 to {}, of at least two rows",
                              Plural(folds, "fold"), Plural(table.rows(), "row"), kFoldsMax));
  }
  std::vector<Result<double>> scores(folds, Result<double>(0.0));
  ForEachInParallel(folds, workers, [&](std::size_t fold) {
    // As even as can be, the longer ones first.
    const auto begin_of = [&](std::size_t i) {
      return i * (table.rows() / folds) + std::min(i, table.rows() % folds);
    };
    scores[fold] = ScoreFold(table, group, entry, settings, begin_of(fold), begin_of(fold + 1));
  });
  FoldScores found;
  found.determinations.reserve(folds);
  for (const Result<double>& score : scores) {
    if (!score.ok()) return score.status();
    found.determinations.push_back(score.value());
  }
  found.mean = Mean(found.determinations);
  for (const double one : found.determinations) {
    found.variance += (one - found.mean) * (one - found.mean) / static_cast<double>(folds);
  }
  return found;
}

GateScores FollowRows(const DataTable& table, const ModelGroup& group, const ModelEntry& entry,
                      ModelSettings settings, GateKind gate) {
  BERTH_CHECK(entry.learning == ModelLearning::kOnline && table.rows() > 0);
  settings = SizedFor(settings, group);
  GatedModel model(entry.make(settings), settings.targets, gate);
  const std::size_t last = table.rows() - std::max<std::size_t>(1, table.rows() / 10);
  GateScores scores;
  std::size_t open = 0;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const std::vector<std::size_t> one = {row};
    const std::vector<double> targets = table.Pick(one, group.targets);
    for (std::size_t t = 0; t < targets.size(); ++t) open += model.open(t) ? 1U : 0U;
    const std::vector<double> predicted = model.Observe(table.Pick(one, group.features), targets);
    for (std::size_t t = 0; t < targets.size(); ++t) {
      const double error = ScaledError(predicted[t], targets[t]);
      scores.scaled_error += error;
      if (row >= last) scores.scaled_error_last += error;
    }
  }
  const auto all = static_cast<double>(table.rows() * settings.targets);
  scores.scaled_error /= all;
  scores.scaled_error_last /= static_cast<double>((table.rows() - last) * settings.targets);
  scores.open_share = static_cast<double>(open) / all;
  return scores;
}

}  // namespace berth
