#include "perfmodel/model_set.h"

#include <algorithm>

namespace berth {

void PerformanceModelSet::PredictInto(std::span<double> row) const {
  // Every group predicts from the row as given, not from what another put there.
  const std::vector<double> given(row.begin(), row.end());
  std::vector<double> features, targets;
  for (const FittedGroup& fitted : groups) {
    features.clear();
    for (const std::size_t column : fitted.group.features) features.push_back(given[column]);
    targets.resize(fitted.group.targets.size());
    fitted.model->Predict(features, targets);
    for (std::size_t t = 0; t < targets.size(); ++t) row[fitted.group.targets[t]] = targets[t];
  }
}

Result<PerformanceModelSet> FitModels(const DataTable& table, std::vector<ModelGroup> groups,
                                      const ModelEntry& entry, const ModelSettings& settings) {
  PerformanceModelSet set{.model_name = std::string(entry.name),
                          .settings = settings,
                          .columns = table.names(),
                          .ranges = {}};
  const std::vector<std::size_t> all = FirstNumbers(table.rows());
  set.ranges.reserve(table.columns());
  for (std::size_t i = 0; i < table.columns(); ++i) {
    const std::vector<double> column = table.Pick(all, std::vector<std::size_t>{i});
    set.ranges.push_back({std::ranges::min(column), std::ranges::max(column)});
  }
  set.groups.reserve(groups.size());
  for (ModelGroup& group : groups) {
    ModelSettings sized = settings;
    sized.features = group.features.size();
    sized.targets = group.targets.size();
    BERTH_RETURN_IF_ERROR(CheckSettings(sized));
    std::unique_ptr<PerformanceModel> model = entry.make(sized);
    const std::vector<double> features = table.Pick(all, group.features);
    const std::vector<double> targets = table.Pick(all, group.targets);
    BERTH_RETURN_IF_ERROR(
        model->Learn({.rows = table.rows(), .features = features, .targets = targets}));
    set.groups.push_back({std::move(group), std::move(model)});
  }
  return set;
}

}  // namespace berth
