#include <fmt/format.h>

#include <ostream>

#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/series_output.h"
#include "forecast/aggregator.h"
#include "forecast/read_series.h"

namespace berth {
namespace {

Status NoneIsWhole(const Invocation& given, const TimeSeries& series, Duration every) {
  return {Code::kInvalidArgument,
          fmt::format("{}: {} of {} cover no window of {}, which begins at a multiple of it since "
                      "1970; take a shorter one",
                      given.Text("--input"), Plural(series.values.size(), "point"),
                      FormatDuration(series.step), FormatDuration(every))};
}

Result<TimeSeries> AggregateFile(const Invocation& given, Console& console) {
  BERTH_TRY(const AggregatorEntry* aggregator, FindAggregator(given.Text("--aggregator")));
  BERTH_TRY(const Duration every, ParseDuration(given.Text("--every")));
  BERTH_TRY(const std::uint32_t percent, given.NumberWithin("--quantile", 0, 100));
  BERTH_TRY(LineReader lines, LineReader::Open(given.Text("--input")));
  BERTH_TRY(const TimeSeries series, ReadSeries(std::move(lines)));
  BERTH_TRY(const TimeSeries windows,
            Aggregate(*aggregator, series, every, {.quantile = percent / 100.0}));
  TimeSeries whole = WholeWindows(windows, series);
  const std::size_t left_out = windows.values.size() - whole.values.size();
  if (whole.values.empty()) return NoneIsWhole(given, series, every);
  if (left_out > 0) {
    console.err << fmt::format(
        "berth: left out at the ends, as the series does not cover them: {}\n",
        Plural(left_out, "window"));
  }
  return whole;
}

int RunSeriesAggregate(const Invocation& given, Console& console) {
  return PrintSeries(given, console, AggregateFile(given, console));
}

std::vector<std::string> KnownAggregators() {
  std::vector<std::string> known;
  for (const AggregatorEntry& entry : BuiltinAggregators()) known.emplace_back(entry.name);
  return known;
}

}  // namespace

Command SeriesAggregateCommand() {
  return {.words = "series aggregate",
          .summary = "bring a series to longer steps",
          .arguments = {},
          .options = {kSeriesInputOption,
                      {"--aggregator", "NAME", "see `berth list operations`", false, "mean",
                       KnownAggregators},
                      {"--every", "DURATION", "as 1h or 1d: a multiple of the series' step", true},
                      {"--quantile", "N", "of the aggregator so named, in percent", false, "95"},
                      kJsonOption},
          .examples = {"berth series aggregate --input testdata/forecast/load.csv --aggregator max "
                       "--every 1d"},
          .run = RunSeriesAggregate};
}

}  // namespace berth
