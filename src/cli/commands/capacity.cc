#include <fmt/format.h>

#include <ostream>

#include "base/document.h"
#include "base/text.h"
#include "cli/commands/builtin.h"
#include "forecast/compare.h"
#include "forecast/read_series.h"
#include "forecast/seasons.h"
#include "report/capacity_report.h"
#include "report/table.h"
#include "report/write.h"

namespace berth {
namespace {

// A measured load, foreseen by the default method.
Result<LoadForecast> ForeseeLoad(const Invocation& given, std::string text) {
  BacktestOptions options;
  BERTH_TRY(options.horizon, given.NumberWithin("--horizon", 1, kPlanStepsMax));
  options.level = 0.95;
  BERTH_TRY(const ForecasterEntry* method, FindForecaster(kDefaultForecaster));
  BERTH_TRY(const TimeSeries series,
            ReadSeries(LineReader::FromText(std::move(text), given.Text("--load"))));
  options.fit.seasons = UsualSeasons(series.step);
  BERTH_TRY(const auto compared, CompareMethods(std::span(&method, 1), series, options));
  const Forecast& foreseen = compared.front().forecast;
  const ForecastBand& band = foreseen.bands.front();
  LoadForecast load{
      .start = series.start + series.step * static_cast<std::int64_t>(series.values.size()),
      .step = series.step,
      .level = band.level};
  load.points.reserve(foreseen.mean.size());
  for (std::size_t i = 0; i < foreseen.mean.size(); ++i) {
    load.points.push_back(
        {.mean = foreseen.mean[i], .lower = band.lower[i], .upper = band.upper[i]});
  }
  return load;
}

// A forecast in JSON, or a load in CSV.
Result<LoadForecast> ReadLoad(const Invocation& given) {
  BERTH_TRY(std::string text, ReadText(given.Text("--load")));
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{') {
    return ParseLoadForecast(text, given.Text("--load"));
  }
  return ForeseeLoad(given, std::move(text));
}

Result<double> ReadQuantile(const Invocation& given, double level) {
  if (!given.Has("--quantile")) return UpperQuantile(level);
  const auto [percent, error] = ParseNumber(given.Text("--quantile"));
  if (error != std::errc() || percent < 1 || percent > 99.99) {
    return Status(Code::kInvalidArgument,
                  fmt::format("--quantile is a percentage from 1 to 99.99, not {}",
                              Quoted(given.Text("--quantile"))));
  }
  return percent / 100;
}

Result<CapacityQuestion> ReadQuestion(const Invocation& given) {
  CapacityQuestion question{.seed = given.Number("--seed")};
  BERTH_TRY(question.services, ReadModelFile(given.Text("--model")));
  BERTH_TRY(question.prices, ReadPriceFile(given.Text("--prices")));
  BERTH_TRY(question.load, ReadLoad(given));
  BERTH_TRY(question.quantile, ReadQuantile(given, question.load.level));
  if (given.Has("--provider")) question.provider = given.Text("--provider");
  return question;
}

int RunCapacity(const Invocation& given, Console& console) {
  const Result<CapacityQuestion> question = ReadQuestion(given);
  if (!question.ok()) return console.Fail(question.status());
  const Result<CapacityAnswer> answer = AnswerCapacity(question.value());
  if (!answer.ok()) return console.Fail(answer.status());
  if (given.Has("--report")) {
    const Report report =
        CapacityReport(answer.value(), question.value().load,
                       CommandLine(CapacityCommand(), given, {"--json", "--report"}));
    const Status status = WriteReport(given.Text("--report"), std::span(&report, 1));
    if (!status.ok()) return console.Fail(status);
  }
  if (given.Has("--json")) {
    console.out << ToJson(answer.value());
    return kExitOk;
  }
  bool first = true;
  for (const Table& table : CapacityTables(answer.value())) {
    console.out << (first ? "" : "\n") << FormatTable(table);
    first = false;
  }
  if (given.Has("--report")) {
    console.out << fmt::format("\nReport: {0}/report.html, {0}/report.json\n",
                               given.Text("--report"));
  }
  return kExitOk;
}

}  // namespace

Command CapacityCommand() {
  return {
      .words = "capacity",
      .summary = "plan instances and VMs for a forecast: how many, which, when, at what cost",
      .arguments = {},
      .options = {{"--load", "FILE",
                   "requests a second: what `berth forecast --json` prints, or CSV as it reads",
                   true},
                  {"--model", "FILE", "YAML: what instances of each service serve and need", true},
                  {"--prices", "FILE", "YAML: VM types of providers, and their prices", true},
                  {"--quantile", "PERCENT",
                   "of the load, to plan for; otherwise the upper bound of the forecast's band"},
                  {"--provider", "NAME", "only its VMs; otherwise those of all, mixed"},
                  {"--horizon", "N", "points to foresee, where --load is CSV", false, "24"},
                  {"--seed", "N", "of the random expander", false, "1"},
                  {"--report", "DIR", "write report.html and report.json there"},
                  kJsonOption},
      .examples = {"berth capacity --load testdata/capacity/forecast.json --model "
                   "testdata/capacity/model.yaml --prices testdata/capacity/prices.yaml",
                   "berth capacity --load testdata/forecast/load.csv --model "
                   "testdata/capacity/model.yaml --prices testdata/capacity/prices.yaml "
                   "--quantile 90 --horizon 6 --report berth-report-capacity",
                   "berth capacity --load testdata/capacity/forecast.json --model "
                   "testdata/capacity/learned.yaml --prices testdata/capacity/marked.yaml"},
      .run = RunCapacity};
}

}  // namespace berth
