#include "bench/forecast/peers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/csv.h"
#include "berth/check.h"

namespace berth {
namespace {

struct Peer {
  std::string_view name;
  std::string_view package;
  std::string_view probe;
  std::string_view program;
  std::string_view script;
};
constexpr Peer kPeers[] = {
    {"R's forecast package", "r-cran-forecast", "Rscript -e 'library(forecast)'", "Rscript",
     "peers.R"},
    // Debian's Python, which has Debian's packages; another may be first on the path.
    {"statsmodels", "python3-statsmodels", "/usr/bin/python3 -c 'import statsmodels'",
     "/usr/bin/python3", "peers.py"}};

bool Run(const std::string& command) {
  return std::system(command.c_str()) == 0;  // NOLINT(concurrency-mt-unsafe)
}

void WriteSeries(const std::vector<BenchSeries>& series, const std::filesystem::path& file) {
  std::ofstream out(file);
  for (const BenchSeries& one : series) {
    for (std::size_t i = 0; i < kFitted; ++i) {
      out << fmt::format("{}{}", i == 0 ? "" : ",", one.values[i]);
    }
    out << '\n';
  }
}

std::map<std::string, std::vector<PeerForecast>> ReadForecasts(const std::filesystem::path& file) {
  std::map<std::string, std::vector<PeerForecast>> found;
  Result<LineReader> lines = LineReader::Open(file.string());
  BERTH_CHECK(lines.ok());
  Result<CsvReader> opened = CsvReader::Open(std::move(lines).value());
  BERTH_CHECK(opened.ok());
  CsvReader& csv = opened.value();
  const auto number = [&](std::string_view column) {
    return csv.Number(csv.Column(column).value()).value();
  };
  while (csv.Next().value()) {
    auto& of = found[std::string(csv.Text(csv.Column("method").value()))];
    const auto series = static_cast<std::size_t>(number("series"));
    if (of.empty() || of.back().series != series) {
      of.push_back({series, number("cpu_s"), {.mean = {}, .bands = {{.level = 0.95}}}});
    }
    Forecast& forecast = of.back().forecast;
    forecast.mean.push_back(number("mean"));
    forecast.bands.front().lower.push_back(number("lower"));
    forecast.bands.front().upper.push_back(number("upper"));
  }
  return found;
}

}  // namespace

std::map<std::string, std::vector<PeerForecast>> RunPeers(const std::vector<BenchSeries>& series,
                                                          std::size_t slow_count) {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("berth-bench-forecast-{}", getpid());
  std::filesystem::create_directories(folder);
  WriteSeries(series, folder / "series.csv");
  std::map<std::string, std::vector<PeerForecast>> found;
  for (const Peer& peer : kPeers) {
    if (!Run(fmt::format("{} > /dev/null 2>&1", peer.probe))) {
      fmt::print("{} is not here (Debian: {}): no comparison\n", peer.name, peer.package);
      continue;
    }
    const std::filesystem::path script =
        std::filesystem::path(BERTH_BINARY_DIR) / "../../bench/forecast" / peer.script;
    if (Run(fmt::format("{} '{}' '{}' {} > /dev/null", peer.program,
                        script.lexically_normal().string(), folder.string(), slow_count))) {
      found.merge(ReadForecasts(folder / "forecasts.csv"));
    } else {
      fmt::print("{} failed: no comparison\n", peer.name);
    }
  }
  std::filesystem::remove_all(folder);
  return found;
}

}  // namespace berth
