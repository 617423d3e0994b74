#include <ostream>

#include "cli/commands/builtin.h"
#include "cli/series_output.h"
#include "forecast/filter.h"
#include "forecast/read_series.h"

namespace berth {
namespace {

Result<TimeSeries> FilterFile(const Invocation& given) {
  BERTH_TRY(const FilterEntry* filter, FindFilter(given.Text("--filter")));
  FilterSettings settings;
  BERTH_TRY(settings.value, DecimalOption(given, "--value"));
  BERTH_TRY(settings.period, DecimalOption(given, "--period"));
  settings.season = given.Number("--season");
  BERTH_TRY(LineReader lines, LineReader::Open(given.Text("--input")));
  BERTH_TRY(const TimeSeries series, ReadSeries(std::move(lines)));
  return ApplyFilter(*filter, series, settings);
}

int RunSeriesFilter(const Invocation& given, Console& console) {
  return PrintSeries(given, console, FilterFile(given));
}

std::vector<std::string> KnownFilters() {
  std::vector<std::string> known;
  for (const FilterEntry& entry : BuiltinFilters()) known.emplace_back(entry.name);
  return known;
}

}  // namespace

Command SeriesFilterCommand() {
  return {.words = "series filter",
          .summary = "make a series smoother, or rid it of what disturbs",
          .arguments = {},
          .options = {kSeriesInputOption,
                      {"--filter", "NAME", "see `berth list operations`", true, {}, KnownFilters},
                      {"--value", "X", "in place of a gap", false, "0"},
                      {"--season", "N", "in points", false, "24"},
                      {"--period", "X", "in points; cycles that are shorter are taken out", false,
                       "12"},
                      kJsonOption},
          .examples = {"berth series filter --input testdata/forecast/load.csv --filter "
                       "hodrick_prescott --period 24"},
          .run = RunSeriesFilter};
}

}  // namespace berth
