#include <fmt/format.h>

#include <limits>

#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/performance_options.h"
#include "perfmodel/model_gate.h"
#include "perfmodel/model_set.h"

namespace berth {
namespace {

// The row that the models take, from the columns that the file has. Targets may be missing, unless
// another model predicts from them.
Result<std::vector<std::optional<std::size_t>>> ColumnsFor(const PerformanceModelSet& models,
                                                           const DataTable& table) {
  std::vector<std::optional<std::size_t>> from(models.columns.size());
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = table.FindColumn(models.columns[i]);
  for (const FittedGroup& fitted : models.groups) {
    for (const std::size_t feature : fitted.group.features) {
      if (from[feature]) continue;
      return Status(Code::kInvalidArgument,
                    fmt::format("there is no column '{}', from which the model of '{}' predicts; "
                                "add it",
                                models.columns[feature], fitted.group.name));
    }
  }
  return from;
}

Result<Table> PredictionTable(const Invocation& given) {
  BERTH_TRY(const PerformanceModelSet models, ReadModels(given.Text("--models")));
  BERTH_TRY(const DataTable data, ReadDataFile(given.Text("--data")));
  BERTH_TRY(const auto from, ColumnsFor(models, data));
  Table table{.title = fmt::format("Predictions by {}", models.model_name),
              .columns = {{.name = "row"},
                          {.name = "target"},
                          {.name = "predicted"},
                          {.name = "observed"},
                          {.name = "scaled error"}}};
  for (std::size_t i = 0; i < data.rows(); ++i) {
    std::vector<double> row(models.columns.size(), 0);
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (from[c]) row[c] = data.Row(i)[*from[c]];
    }
    const std::vector<double> observed = row;
    models.PredictInto(row);
    for (const FittedGroup& fitted : models.groups) {
      for (const std::size_t target : fitted.group.targets) {
        constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
        const bool known = from[target].has_value();
        table.rows.push_back({static_cast<double>(i + 1), models.columns[target], row[target],
                              known ? observed[target] : kNone,
                              known ? ScaledError(row[target], observed[target]) : kNone});
      }
    }
  }
  return table;
}

int RunModelPredict(const Invocation& given, Console& console) {
  Result<Table> table = PredictionTable(given);
  if (!table.ok()) return console.Fail(table.status());
  const auto limit = given.NumberWithin("--limit", 1, kDataRowsMax);
  if (!limit.ok()) return console.Fail(limit.status());
  const bool more = table.value().rows.size() > limit.value();
  if (more) table.value().rows.resize(limit.value());
  return PrintTable(given, console, std::move(table).value(), more);
}

}  // namespace

Command ModelPredictCommand() {
  return {.words = "model predict",
          .summary = "predict what is delivered, with models that `berth model fit` wrote",
          .arguments = {},
          .options = {{"--models", "FILE", "what berth model fit --out wrote", true},
                      {"--data", "FILE", "CSV with the columns that the models predict from", true},
                      kLimitOption,
                      kJsonOption},
          .examples = {"berth model predict --models testdata/perfmodel/hard.models --data "
                       "testdata/perfmodel/asked.csv"},
          .run = RunModelPredict};
}

}  // namespace berth
