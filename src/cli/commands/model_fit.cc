#include <fmt/format.h>

#include <ostream>

#include "base/parallel.h"
#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/performance_options.h"
#include "perfmodel/cross_validation.h"
#include "perfmodel/isolation_forest.h"
#include "perfmodel/model_set.h"

namespace berth {
namespace {

struct ModelFitRun {
  const ModelEntry* entry = nullptr;
  ModelSettings settings{};
  DataTable table{std::vector<std::string>{}};
  std::size_t removed = 0;
  std::vector<ModelGroup> groups{};
};

Result<std::vector<ModelGroup>> ReadGroups(const Invocation& given, const DataTable& table) {
  if (given.Has("--target")) {
    BERTH_TRY(ModelGroup group, GroupOfTargets(table.names(), Split(given.Text("--target"), ',')));
    return std::vector<ModelGroup>{std::move(group)};
  }
  BERTH_TRY(const TargetGrouping grouping, ParseGrouping(given.Text("--group")));
  BERTH_TRY(const PerformanceLayout layout, LayoutOf(table.names()));
  return GroupsOf(layout, table.names(), grouping, given.Has("--others"));
}

Result<ModelFitRun> ReadFitRun(const Invocation& given) {
  ModelFitRun run;
  BERTH_TRY(run.entry, FindPerformanceModel(given.Text("--model")));
  BERTH_TRY(run.settings.degree, given.NumberWithin("--degree", 1, 3));
  const auto [penalty, error] = ParseNumber(given.Text("--penalty"));
  if (error != std::errc()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("--penalty is a number, not {}", Quoted(given.Text("--penalty"))));
  }
  run.settings.penalty = penalty;
  run.settings.seed = given.Number("--seed");
  BERTH_TRY(const std::uint32_t percent, given.NumberWithin("--remove-anomalies", 0, 50));
  BERTH_TRY(run.table, ReadDataFile(given.Text("--data")));
  BERTH_TRY(run.groups, ReadGroups(given, run.table));
  // By what was delivered: loads and limits were chosen, and are what they are.
  std::vector<std::size_t> targets;
  for (const ModelGroup& group : run.groups) {
    targets.insert(targets.end(), group.targets.begin(), group.targets.end());
  }
  const std::size_t all = run.table.rows();
  run.table = run.table.PickRows(RowsWithoutAnomalies(run.table, targets, percent / 100.0,
                                                      Rng(run.settings.seed).Fork("anomalies")));
  run.removed = all - run.table.rows();
  return run;
}

// How well rows that were not shown are predicted; of online models also how the gate did.
Result<Table> ScoreTable(const Invocation& given, const ModelFitRun& run,
                         const PerformanceModelSet& fitted) {
  BERTH_TRY(const std::uint32_t folds, given.NumberWithin("--folds", 2, kFoldsMax));
  BERTH_TRY(const GateKind gate, ParseGateKind(given.Text("--gate")));
  const bool online = run.entry->learning == ModelLearning::kOnline;
  Table table{.title = fmt::format("{}, {} rows, {} removed as anomalies", run.entry->name,
                                   FormatCount(run.table.rows()), FormatCount(run.removed)),
              .columns = {{.name = "targets"},
                          {.name = "features"},
                          {.name = "R2"},
                          {.name = "R2 variance"},
                          {.name = "learned"}}};
  if (online) {
    table.columns.push_back({.name = "scaled error"});
    table.columns.push_back({.name = "gate open", .unit = "%"});
  }
  for (std::size_t i = 0; i < run.groups.size(); ++i) {
    const ModelGroup& group = run.groups[i];
    BERTH_TRY(const FoldScores scores,
              CrossValidate(run.table, group, *run.entry, run.settings, folds, CoreCount()));
    std::vector<TableCell> row = {group.name, static_cast<double>(group.features.size()),
                                  scores.mean, scores.variance,
                                  fitted.groups[i].model->description()};
    if (online) {
      const GateScores gated = FollowRows(run.table, group, *run.entry, run.settings, gate);
      row.emplace_back(gated.scaled_error_last);
      row.emplace_back(100 * gated.open_share);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

int RunModelFit(const Invocation& given, Console& console) {
  Result<ModelFitRun> run = ReadFitRun(given);
  if (!run.ok()) return console.Fail(run.status());
  const auto fitted =
      FitModels(run.value().table, run.value().groups, *run.value().entry, run.value().settings);
  if (!fitted.ok()) return console.Fail(fitted.status());
  Result<Table> scores = ScoreTable(given, run.value(), fitted.value());
  if (!scores.ok()) return console.Fail(scores.status());
  if (given.Has("--out")) {
    const Status written = WriteModels(fitted.value(), given.Text("--out"));
    if (!written.ok()) return console.Fail(written);
  }
  return PrintTable(given, console, std::move(scores).value());
}

std::vector<std::string> KnownModels() {
  std::vector<std::string> known;
  for (const ModelEntry& entry : PerformanceModels()) known.emplace_back(entry.name);
  return known;
}

std::vector<std::string> KnownGroupings() {
  return {std::begin(kGroupingNames), std::end(kGroupingNames)};
}

std::vector<std::string> KnownGates() { return {"band", "scaled-error"}; }

}  // namespace

Command ModelFitCommand() {
  return {
      .words = "model fit",
      .summary = "learn from measurements what is delivered under which loads and limits",
      .arguments = {},
      .options =
          {{"--data", "FILE",
            "CSV: APPLICATION.load, .cpu_milli, .response_ms, .throughput_rps of each; - is "
            "standard input",
            true},
           {"--model", "NAME", "see `berth list performance-models`", false,
            kDefaultPerformanceModel, KnownModels},
           {"--group", "NAME",
            "what one model predicts: each target, those of an application, those of an sli, all",
            false, "application", KnownGroupings},
           {"--others", "", "also predict from the targets of other groups"},
           {"--target", "LIST",
            "instead of --group: these columns, from all others, whatever they are named"},
           {"--degree", "N", "of polynomials, 1 to 3", false, "2"},
           {"--penalty", "NUMBER", "on coefficients, of columns of deviation 1", false, "0.01"},
           {"--remove-anomalies", "N", "take out so many percent of the rows first", false, "0"},
           {"--folds", "N", "of cross-validation", false, "10"},
           {"--gate", "NAME", "when an online model is believed: band or scaled-error", false,
            "scaled-error", KnownGates},
           {"--out", "FILE", "where the models go"},
           {"--seed", "N", "of everything that is drawn", false, "1"},
           kJsonOption},
      .examples = {"berth model fit --data testdata/perfmodel/hard.csv --others "
                   "--remove-anomalies 11 --out berth-performance.models",
                   "berth model fit --data testdata/perfmodel/hard.csv --model network "
                   "--target nginx.response_ms"},
      .run = RunModelFit};
}

}  // namespace berth
