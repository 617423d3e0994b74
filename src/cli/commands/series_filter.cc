#include <fmt/format.h>

#include <optional>
#include <ostream>

#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/series_output.h"
#include "forecast/filter.h"
#include "forecast/read_series.h"

namespace berth {
namespace {

Result<std::optional<std::size_t>> SeasonOption(const Invocation& given) {
  const std::string& text = given.Text("--season");
  if (text == "none") return std::optional<std::size_t>();
  const auto [points, error] = ParseInteger(text);
  if (error == std::errc() && points >= 0) return std::optional(static_cast<std::size_t>(points));
  return Status(Code::kInvalidArgument,
                fmt::format("a season is a number of points or none, not {}", Quoted(text)));
}

Result<TimeSeries> FilterFile(const Invocation& given) {
  BERTH_TRY(const FilterEntry* filter, FindFilter(given.Text("--filter")));
  FilterSettings settings;
  BERTH_TRY(settings.value, DecimalOption(given, "--value"));
  BERTH_TRY(settings.period, DecimalOption(given, "--period"));
  BERTH_TRY(settings.season, SeasonOption(given));
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
                      {"--season", "POINTS", "one season, or none", false, "24"},
                      {"--period", "X", "in points; cycles that are shorter are taken out", false,
                       "12"},
                      kJsonOption},
          .examples = {"berth series filter --input testdata/forecast/load.csv --filter "
                       "hodrick_prescott --period 24"},
          .run = RunSeriesFilter};
}

}  // namespace berth
