#include "bench/forecast/series.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <numbers>
#include <set>
#include <string_view>

#include "base/csv.h"
#include "base/text.h"
#include "berth/check.h"
#include "berth/rng.h"

namespace berth {
namespace {

constexpr std::size_t kLength = kFitted + kForecast;

// BERTH_DATA_DIR, or ../shared/data beside the source.
std::filesystem::path DataFolder() {
  const char* given = std::getenv("BERTH_DATA_DIR");  // NOLINT(concurrency-mt-unsafe)
  if (given != nullptr) return given;
  return std::filesystem::path(BERTH_BINARY_DIR) / "../../../shared/data";
}

LineReader Lines(const std::filesystem::path& file) {
  Result<LineReader> lines = LineReader::Open(file.lexically_normal().string());
  BERTH_CHECK(lines.ok());
  return std::move(lines).value();
}

// The averages of hours: "2014-07-01 00" and what follows.
std::vector<double> HourlyMeans(const std::filesystem::path& file) {
  Result<CsvReader> csv = CsvReader::Open(Lines(file));
  BERTH_CHECK(csv.ok());
  const CsvColumn time = csv.value().Column("timestamp").value();
  const CsvColumn value = csv.value().Column("value").value();
  std::map<std::string, std::pair<double, double>> hours;
  while (csv.value().Next().value()) {
    auto& [sum, count] = hours[std::string(csv.value().Text(time).substr(0, 13))];
    sum += csv.value().Number(value).value();
    count += 1;
  }
  std::vector<double> means;
  for (const auto& [hour, total] : hours) means.push_back(total.first / total.second);
  return means;
}

// The numbers of each row, which begins with a name and ends with empty fields.
std::vector<BenchSeries> Rows(const std::filesystem::path& file) {
  std::vector<BenchSeries> rows;
  LineReader lines = Lines(file);
  std::vector<std::string> fields;
  while (const auto line = lines.Next().value()) {
    BERTH_CHECK(SplitCsv(*line, fields).ok());
    BenchSeries row{.name = fields.front(), .values = {}};
    for (std::size_t i = 1; i < fields.size(); ++i) {
      const auto [value, error] = ParseNumber(fields[i]);
      if (error == std::errc()) row.values.push_back(value);
    }
    if (!row.values.empty()) rows.push_back(std::move(row));
  }
  return rows;
}

// The last 28 days of every `step`-th hourly series of the competition, from `first` on, at most
// `limit` of them.
void AddCompetition(std::size_t first, std::size_t step, std::size_t limit,
                    std::vector<BenchSeries>& all) {
  const std::filesystem::path folder = DataFolder() / "m4_hourly";
  std::vector<BenchSeries> rows = Rows(folder / "Hourly-train.csv.gz");
  std::map<std::string, std::vector<double>> ends;
  for (BenchSeries& row : Rows(folder / "Hourly-test.csv.gz")) {
    ends[row.name] = std::move(row.values);
  }
  for (std::size_t i = first, taken = 0; i < rows.size() && taken < limit; i += step, ++taken) {
    std::vector<double> values = std::move(rows[i].values);
    values.insert(values.end(), ends[rows[i].name].begin(), ends[rows[i].name].end());
    BERTH_CHECK(values.size() >= kLength);
    all.push_back({rows[i].name, {values.end() - kLength, values.end()}});
  }
}

bool DataIsHere() {
  const std::filesystem::path folder = DataFolder();
  return std::filesystem::exists(folder / "nab") && std::filesystem::exists(folder / "m4_hourly");
}

// Each is one that the list of them says is of this kind.
void CheckKind(std::string_view kind, const std::vector<BenchSeries>& series) {
  std::set<std::string> of_kind;
  LineReader lines =
      Lines(std::filesystem::path(BERTH_BINARY_DIR) / "../../testdata/forecast/split.txt");
  const std::string mark = fmt::format("{} ", kind);
  while (const auto line = lines.Next().value()) {
    if (line->starts_with(mark)) of_kind.emplace(line->substr(mark.size()));
  }
  for (const BenchSeries& one : series) BERTH_CHECK(of_kind.contains(one.name));
}

}  // namespace

std::vector<BenchSeries> JudgedSeries() {
  std::vector<BenchSeries> all;
  if (!DataIsHere()) return all;
  const std::filesystem::path folder = DataFolder() / "nab";
  const std::vector<double> taxi = HourlyMeans(folder / "realKnownCause__nyc_taxi.csv.gz");
  for (std::size_t i = 0; i < 6; ++i) {
    const auto begin = taxi.begin() + static_cast<std::ptrdiff_t>(i * kLength);
    all.push_back({fmt::format("taxi{}", i), {begin, begin + kLength}});
  }
  for (const char* of : {"AAPL", "AMZN", "CRM", "CVS", "FB", "GOOG", "IBM", "KO", "PFE", "UPS"}) {
    const std::vector<double> volume =
        HourlyMeans(folder / fmt::format("realTweets__Twitter_volume_{}.csv.gz", of));
    all.push_back({of, {volume.begin(), volume.begin() + kLength}});
  }
  AddCompetition(0, 8, 30, all);
  CheckKind("judged", all);
  return all;
}

std::vector<BenchSeries> BlindSeries() {
  std::vector<BenchSeries> all;
  if (!DataIsHere()) return all;
  AddCompetition(1, 2, 125, all);
  CheckKind("blind", all);
  return all;
}

std::vector<BenchSeries> MadeUpSeries(std::size_t count) {
  const Rng rng(8);
  std::vector<BenchSeries> all;
  for (std::size_t k = 0; k < count; ++k) {
    Rng own = rng.Fork(k);
    const double day = 50 * own.Unit();
    const double week = 50 * own.Unit();
    const double trend = 0.1 * own.Normal();
    const double noise = 1 + 10 * own.Unit();
    double wander = 0;
    BenchSeries series{.name = fmt::format("made{}", k), .values = {}};
    for (std::size_t i = 0; i < kLength; ++i) {
      const auto hour = static_cast<double>(i);
      wander += 0.3 * noise * own.Normal();
      series.values.push_back(300 + day * std::sin(2 * std::numbers::pi * hour / 24) +
                              (i / 24 % 7 < 5 ? 0 : -week) + trend * hour + wander +
                              noise * own.Normal());
    }
    all.push_back(std::move(series));
  }
  return all;
}

}  // namespace berth
