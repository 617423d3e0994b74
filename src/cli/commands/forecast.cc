#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/progress.h"
#include "base/text.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
#include "forecast/read_series.h"
#include "forecast/seasons.h"
#include "report/forecast_report.h"
#include "report/table.h"
#include "report/write.h"

namespace berth {
namespace {

constexpr std::size_t kSeriesFilesMax = 10'000;

// Names with commas between them, of which `all` stands for every method.
Result<std::vector<const ForecasterEntry*>> MethodsNamed(const std::string& names) {
  std::vector<const ForecasterEntry*> methods;
  const auto add = [&](const ForecasterEntry* method) {
    if (std::ranges::find(methods, method) == methods.end()) methods.push_back(method);
  };
  for (const std::string_view name : Split(names, ',')) {
    if (name == "all") {
      for (const ForecasterEntry& entry : BuiltinForecasters()) add(&entry);
      continue;
    }
    BERTH_TRY(const ForecasterEntry* entry, FindForecaster(name));
    add(entry);
  }
  return methods;
}

Result<BacktestOptions> OptionsOf(const Invocation& given) {
  BacktestOptions options;
  BERTH_TRY(options.horizon, given.NumberWithin("--horizon", 1, kHorizonMax));
  BERTH_TRY(const std::uint32_t percent, given.NumberWithin("--level", 1, 99));
  options.level = percent / 100.0;
  return options;
}

std::string SeasonOf(const Invocation& given) {
  return given.Has("--season") ? given.Text("--season") : "";
}

// Where the method that is shown has no score, why.
Table ScoredTable(std::span<const MethodForecast> compared) {
  Table table = MethodTable(compared);
  const MethodForecast& shown = BestOf(compared);
  if (shown.backtest) return table;
  table.note = fmt::format("There is {}.", shown.notes.back());
  if (compared.size() > 1) {
    table.note +=
        fmt::format(" Shown is {}.", shown.method == kDefaultForecaster ? "the default method"
                                                                        : "the first of these");
  }
  return table;
}

Report ReportOf(std::span<const MethodForecast> compared, const TimeSeries& series,
                std::string command) {
  Report report = ForecastReport(compared, series, std::move(command));
  if (!BestOf(compared).backtest) {
    report.tables.front() = ScoredTable(compared);
    report.facts.back() = {"Method shown", std::string(BestOf(compared).method), "not by a score"};
  }
  return report;
}

struct ForecastRun {
  TimeSeries series;
  std::vector<MethodForecast> compared;
};

Result<ForecastRun> RunMethods(const Invocation& given) {
  BERTH_TRY(BacktestOptions options, OptionsOf(given));
  BERTH_TRY(const auto methods, MethodsNamed(given.Text("--method")));
  BERTH_TRY(LineReader lines, LineReader::Open(given.Text("--input")));
  ForecastRun run;
  BERTH_TRY(run.series, ReadSeries(std::move(lines)));
  if (const Status status = CheckTimesAfter(run.series, options.horizon); !status.ok()) {
    const std::string& input = given.Text("--input");
    return Status(status.code(),
                  fmt::format("{}: {}", input == "-" ? "standard input" : input, status.message()));
  }
  BERTH_TRY(options.fit.seasons, SeasonsNamed(SeasonOf(given), run.series));
  Progress progress("fits", 2 * methods.size(), WallClock);
  BERTH_TRY(run.compared, CompareMethods(methods, run.series, options,
                                         [&](std::size_t done) { progress.Update(done); }));
  const std::string left_out = given.Has("--season") ? "" : LeftOutOfUsual(run.series.step);
  for (MethodForecast& one : run.compared) {
    if (!left_out.empty()) one.notes.insert(one.notes.begin(), left_out);
  }
  return run;
}

// The .csv files of a folder, by their names.
Result<std::vector<NamedSeries>> SeriesIn(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    if (at->path().extension() == ".csv") files.push_back(at->path());
  }
  if (error || files.empty() || files.size() > kSeriesFilesMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{}: a folder of series holds 1 to {} files that end in .csv", folder,
                              FormatCount(kSeriesFilesMax)));
  }
  std::ranges::sort(files);
  std::vector<NamedSeries> all;
  all.reserve(files.size());
  for (const std::filesystem::path& file : files) {
    BERTH_TRY(LineReader lines, LineReader::Open(file.string()));
    BERTH_TRY(TimeSeries series, ReadSeries(std::move(lines)));
    all.push_back({file.filename().string(), std::move(series)});
  }
  return all;
}

std::string StandingsJson(const SeriesTrials& tried, std::size_t count) {
  nlohmann::ordered_json all = nlohmann::ordered_json::parse(ToJson(tried.trials, count));
  all["left_out"] = tried.left_out;
  return all.dump(2) + "\n";
}

int RunFolder(const Invocation& given, Console& console) {
  std::size_t count = 0;
  const auto run = [&]() -> Result<SeriesTrials> {
    BERTH_TRY(const BacktestOptions options, OptionsOf(given));
    BERTH_TRY(const auto methods, MethodsNamed(given.Text("--method")));
    BERTH_TRY(const std::vector<NamedSeries> series, SeriesIn(given.Text("--input")));
    count = series.size();
    Progress progress("series", count, WallClock);
    auto tried = TryMethods(methods, series, options, SeasonOf(given),
                            [&](std::size_t done) { progress.Update(done); });
    if (tried.ok()) return tried;
    return Status(tried.status().code(),
                  fmt::format("{}: {}", given.Text("--input"), tried.status().message()));
  };
  const Result<SeriesTrials> tried = run();
  if (!tried.ok()) return console.Fail(tried.status());
  const auto& [trials, left_out] = tried.value();
  if (given.Has("--report")) {
    Report report = StandingsReport(trials, count,
                                    CommandLine(ForecastCommand(), given, {"--json", "--report"}));
    if (!left_out.empty()) {
      report.facts.push_back({"Left out", FormatCount(left_out.size()), ListedShort(left_out)});
    }
    const Status status = WriteReport(given.Text("--report"), std::span(&report, 1));
    if (!status.ok()) return console.Fail(status);
  }
  console.out << (given.Has("--json") ? StandingsJson(tried.value(), count)
                                      : FormatTable(StandingsTable(trials)));
  if (!given.Has("--json") && !left_out.empty()) {
    console.out << fmt::format("Left out, {} of {}: {}.\n", left_out.size(), count,
                               ListedShort(left_out));
  }
  return kExitOk;
}

int RunForecast(const Invocation& given, Console& console) {
  std::error_code error;
  if (std::filesystem::is_directory(given.Text("--input"), error)) return RunFolder(given, console);
  const Result<ForecastRun> run = RunMethods(given);
  if (!run.ok()) return console.Fail(run.status());
  const auto& [series, compared] = run.value();
  if (given.Has("--report")) {
    const Report report =
        ReportOf(compared, series, CommandLine(ForecastCommand(), given, {"--json", "--report"}));
    const Status status = WriteReport(given.Text("--report"), std::span(&report, 1));
    if (!status.ok()) return console.Fail(status);
  }
  if (given.Has("--json")) {
    console.out << ToJson(compared, series);
    return kExitOk;
  }
  console.out << FormatTable(ScoredTable(compared)) << '\n'
              << FormatTable(ForecastTable(BestOf(compared), series));
  if (given.Has("--report")) {
    console.out << fmt::format("\nReport: {0}/report.html, {0}/report.json\n",
                               given.Text("--report"));
  }
  return kExitOk;
}

std::vector<std::string> KnownForecasters() {
  std::vector<std::string> known = {"all"};
  for (const ForecasterEntry& entry : BuiltinForecasters()) known.emplace_back(entry.name);
  return known;
}

}  // namespace

Command ForecastCommand() {
  return {
      .words = "forecast",
      .summary = "foresee a series with bands, and tell how well the methods did on its end",
      .arguments = {},
      .options =
          {{"--input", "FILE", "CSV: at_s, at_ms or timestamp, and value; - is standard input",
            true},
           {"--method", "LIST",
            "see `berth list forecasters`; of several, with commas, or all: each, and the forecast "
            "of the one with the lowest interval score; NAME+outliers is fitted without outliers, "
            "NAME+garch has bands that follow the variance, NAME+outliers+garch is both",
            false, kDefaultForecaster, KnownForecasters},
           {"--horizon", "N", "how many points; as many are held out for the scores", false, "24"},
           {"--season", "LIST",
            "in points, as 24,168; auto: found in the series; none; otherwise a day and a week"},
           {"--level", "N", "of the band, in percent", false, "95"},
           {"--report", "DIR", "write report.html and report.json there"},
           kJsonOption},
      .examples = {"berth forecast --input testdata/forecast/load.csv --horizon 6",
                   "berth forecast --input testdata/forecast/load.csv --method all --report "
                   "berth-report-forecast",
                   "berth forecast --input testdata/forecast/load.csv --method "
                   "arima,arima+outliers+garch"},
      .run = RunForecast};
}

}  // namespace berth
