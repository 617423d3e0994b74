#include <fmt/format.h>

#include <utility>

#include "base/parallel.h"
#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/sizing_options.h"
#include "rightsize/recommenders/ensemble.h"
#include "sim/rightsizing/tune.h"

namespace berth {
namespace {

Result<double> ReadPrice(const Invocation& given, std::string_view option, double otherwise) {
  if (!given.Has(option)) return otherwise;
  const auto [price, error] = ParseNumber(given.Text(option));
  if (error == std::errc() && price >= 0 && price <= 1e6) return price;
  return Status(Code::kInvalidArgument, fmt::format("{} is a number from 0 to a million, not {}",
                                                    option, Quoted(given.Text(option))));
}

Result<TuningOptions> ReadTuningOptions(const Invocation& given) {
  TuningOptions options;
  const std::string& resource = given.Text("--resource");
  if (resource != "cpu" && resource != "memory") {
    return Status(Code::kInvalidArgument,
                  fmt::format("--resource is cpu or memory, not {}", Quoted(resource)));
  }
  const std::string& ensemble = given.Text("--recommender");
  if (ensemble != "ensemble" && ensemble != "weighed_ensemble") {
    return Status(
        Code::kInvalidArgument,
        fmt::format("--recommender is ensemble or weighed_ensemble, not {}", Quoted(ensemble)));
  }
  options.make = ensemble == "ensemble" ? &NewEnsembleOf : &NewWeighedEnsembleOf;
  options.resource = resource == "cpu" ? Resource::kCpu : Resource::kMemory;
  const double usual = options.resource == Resource::kCpu ? 10 : 1;
  BERTH_TRY(options.prices.overrun, ReadPrice(given, "--overrun-price", usual));
  BERTH_TRY(options.prices.change, ReadPrice(given, "--change-price", options.prices.change));
  BERTH_TRY(options.rounds, given.NumberWithin("--rounds", 1, 20));
  BERTH_TRY(const ScoredPart scored, ReadScoredPart(given));
  options.split = scored.split;
  options.part = scored.part;
  options.workers = CoreCount();
  return options;
}

std::string FormatWeight(float weight) { return fmt::format("{:g}", weight); }

Table RoundsTable(const std::vector<TuningRound>& rounds) {
  Table table{.title = "Weights that cost least, round by round",
              .note =
                  "An underrun counts 1. Outliers cost more than three times the mean, and "
                  "count twice as much in the next round.",
              .columns = {{.name = "round"},
                          {.name = "model decay", .right_aligned = true},
                          {.name = "overrun", .right_aligned = true},
                          {.name = "limit change", .right_aligned = true},
                          {.name = "model change", .right_aligned = true},
                          {.name = "cost"},
                          {.name = "slack", .unit = "%"},
                          {.name = "used above", .unit = "%"},
                          {.name = "a task-day"},
                          {.name = "outliers"}}};
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const TuningRound& round = rounds[i];
    table.rows.push_back(
        {static_cast<double>(i + 1), FormatWeight(round.weights.model_decay),
         FormatWeight(round.weights.overrun), FormatWeight(round.weights.limit_change),
         FormatWeight(round.weights.model_change), round.cost, 100 * round.totals.slack_mean,
         100 * round.totals.share_used_above, round.totals.above_per_task_day,
         round.outliers.empty() ? "none" : fmt::format("{}", fmt::join(round.outliers, " "))});
  }
  return table;
}

int RunTuneRightsizing(const Invocation& given, Console& console) {
  const Result<TuningOptions> options = ReadTuningOptions(given);
  if (!options.ok()) return console.Fail(options.status());
  const Result<std::vector<ServiceUsage>> services = ReadUsageOption(given);
  if (!services.ok()) return console.Fail(services.status());
  const std::vector<TuningRound> rounds = TuneEnsemble(services.value(), options.value());
  if (rounds.empty()) {
    return console.Fail("no service has a day to be scored; give usage of two days at least");
  }
  return PrintTable(given, console, RoundsTable(rounds));
}

}  // namespace

Command TuneRightsizingCommand() {
  return {
      .words = "tune rightsizing",
      .summary = "sweep over the weights of the ensemble on usage, raising what outliers count",
      .arguments = {},
      .options = {kUsageOption,
                  {"--recommender", "NAME", "ensemble or weighed_ensemble", false,
                   "weighed_ensemble"},
                  {"--resource", "NAME", "cpu or memory", false, "cpu"},
                  {"--overrun-price", "X",
                   "what counts as much as a slack of 100%: of cpu, that times the share of "
                   "usage above the limit; of memory, times the samples above it on a day of "
                   "an instance; otherwise 10 and 1"},
                  {"--change-price", "X", "the same for a change of the limit; otherwise 0.002"},
                  {"--rounds", "N", "at most", false, "3"},
                  kSplitOption,
                  kPartOption,
                  kJsonOption},
      .examples = {"berth tune rightsizing --usage testdata/rightsizing/usage.csv.gz"},
      .run = RunTuneRightsizing};
}

}  // namespace berth
