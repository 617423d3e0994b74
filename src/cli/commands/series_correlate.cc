#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <ostream>

#include "base/progress.h"
#include "base/text.h"
#include "base/thread_executor.h"
#include "cli/commands/builtin.h"
#include "cli/series_output.h"
#include "forecast/correlator.h"
#include "forecast/read_series.h"
#include "report/table.h"

namespace berth {
namespace {

Result<LaggedCorrelations> CorrelateFiles(const Invocation& given) {
  BERTH_TRY(const CorrelatorEntry* correlator, FindCorrelator(given.Text("--correlator")));
  BERTH_TRY(const std::uint32_t lags, given.NumberWithin("--lags", 0, kLagMax));
  BERTH_TRY(LineReader lines, LineReader::Open(given.Text("--input")));
  BERTH_TRY(const TimeSeries first, ReadSeries(std::move(lines)));
  BERTH_TRY(LineReader other_lines, LineReader::Open(given.Text("--with")));
  BERTH_TRY(const TimeSeries second, ReadSeries(std::move(other_lines)));
  Progress progress("correlating, lags", 2 * std::uint64_t{lags} + 1, WallClock);
  auto found =
      Correlate(*correlator, first, second, lags, [&](std::size_t done) { progress.Update(done); });
  if (found.ok()) return found;
  return Status(found.status().code(), fmt::format("{} and {}: {}", given.Text("--input"),
                                                   given.Text("--with"), found.status().message()));
}

Table LagTable(const LaggedCorrelations& found, const std::string& correlator) {
  Table table{.title = fmt::format("Correlation by {}", correlator),
              .note = fmt::format("Greatest at a lag of {}: {:.3f}.",
                                  FormatDuration(found.best.lag * found.step), found.best.value),
              .columns = {{.name = "lag", .right_aligned = true},
                          {.name = "pairs"},
                          {.name = "correlation", .right_aligned = true}}};
  for (const LagCorrelation& one : found.lags) {
    table.rows.push_back({FormatDuration(one.lag * found.step), static_cast<double>(one.pairs),
                          fmt::format("{:.3f}", one.value)});
  }
  return table;
}

std::string CorrelationsJson(const LaggedCorrelations& found) {
  nlohmann::ordered_json lags = nlohmann::ordered_json::array();
  for (const LagCorrelation& one : found.lags) {
    lags.push_back({{"lag", one.lag}, {"pairs", one.pairs}, {"correlation", one.value}});
  }
  const nlohmann::ordered_json all = {{"step_s", static_cast<double>(found.step.count()) / 1e6},
                                      {"lag", found.best.lag},
                                      {"correlation", found.best.value},
                                      {"lags", std::move(lags)}};
  return all.dump(2) + "\n";
}

int RunSeriesCorrelate(const Invocation& given, Console& console) {
  const Result<LaggedCorrelations> found = CorrelateFiles(given);
  if (!found.ok()) return console.Fail(found.status());
  console.out << (given.Has("--json")
                      ? CorrelationsJson(found.value())
                      : FormatTable(LagTable(found.value(), given.Text("--correlator"))));
  return kExitOk;
}

std::vector<std::string> KnownCorrelators() {
  std::vector<std::string> known;
  for (const CorrelatorEntry& entry : BuiltinCorrelators()) known.emplace_back(entry.name);
  return known;
}

}  // namespace

Command SeriesCorrelateCommand() {
  return {
      .words = "series correlate",
      .summary = "tell how much one series says of another, and how much later",
      .arguments = {},
      .options = {kSeriesInputOption,
                  {"--with", "FILE", "the other series; a lag is by how much it is behind", true},
                  {"--correlator", "NAME", "see `berth list operations`", false, "pearson",
                   KnownCorrelators},
                  {"--lags", "N", "points to either side, of the longer of the two steps", false,
                   "24"},
                  kJsonOption},
      .examples = {"berth series correlate --input testdata/forecast/load.csv --with "
                   "testdata/forecast/cpu.csv --lags 4"},
      .run = RunSeriesCorrelate};
}

}  // namespace berth
