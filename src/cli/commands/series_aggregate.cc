#include <ostream>

#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/series_output.h"
#include "forecast/aggregator.h"
#include "forecast/read_series.h"

namespace berth {
namespace {

Result<TimeSeries> AggregateFile(const Invocation& given) {
  BERTH_TRY(const AggregatorEntry* aggregator, FindAggregator(given.Text("--aggregator")));
  BERTH_TRY(const Duration every, ParseDuration(given.Text("--every")));
  BERTH_TRY(const std::uint32_t percent, given.NumberWithin("--quantile", 0, 100));
  BERTH_TRY(LineReader lines, LineReader::Open(given.Text("--input")));
  BERTH_TRY(const TimeSeries series, ReadSeries(std::move(lines)));
  return Aggregate(*aggregator, series, every, {.quantile = percent / 100.0});
}

int RunSeriesAggregate(const Invocation& given, Console& console) {
  return PrintSeries(given, console, AggregateFile(given));
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
