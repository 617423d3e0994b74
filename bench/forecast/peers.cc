#include "bench/forecast/peers.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/csv.h"
#include "berth/check.h"

namespace berth {
namespace {

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
  if (!Run("Rscript -e 'library(forecast)' > /dev/null 2>&1")) {
    fmt::print("R's forecast package is not here (Debian: r-cran-forecast): no comparison\n");
    return {};
  }
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("berth-bench-forecast-{}", getpid());
  std::filesystem::create_directories(folder);
  WriteSeries(series, folder / "series.csv");
  const std::filesystem::path script =
      std::filesystem::path(BERTH_BINARY_DIR) / "../../bench/forecast/peers.R";
  std::map<std::string, std::vector<PeerForecast>> found;
  if (Run(fmt::format("Rscript '{}' '{}' {} > /dev/null", script.lexically_normal().string(),
                      folder.string(), slow_count))) {
    found = ReadForecasts(folder / "forecasts.csv");
  } else {
    fmt::print("R failed: no comparison\n");
  }
  std::filesystem::remove_all(folder);
  return found;
}

}  // namespace berth
