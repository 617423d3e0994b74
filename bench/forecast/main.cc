// bench_forecast: how fast and how good forecasts are, of three weeks of hours the next one, and
// R's beside them. CPU seconds of one thread.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <limits>
#include <string_view>

#include "base/parallel.h"
#include "bench/bar.h"
#include "bench/forecast/peers.h"
#include "berth/check.h"
#include "forecast/scoring.h"
#include "forecast/series_forecaster.h"
#include "forecast/within_reason.h"

namespace berth {
namespace {

constexpr double kLevel = 0.95;

struct BenchFigures {
  double series = 0;
  double cpu_s = 0;  // This and what follows are averages over the series.
  double mase = 0;
  double msis = 0;
  double coverage = 0;
  double cpu_s_most = 0;
  std::vector<double> each_msis{};
  std::vector<double> each_coverage{};

  // The share of series of which the band holds 85% and more.
  double series_within() const {
    const auto held = [](double of) { return of >= 0.85; };
    return static_cast<double>(std::ranges::count_if(each_coverage, held)) / series;
  }
  double median_msis() const {
    std::vector<double> sorted = each_msis;
    std::ranges::sort(sorted);
    return (sorted[(sorted.size() - 1) / 2] + sorted[sorted.size() / 2]) / 2;
  }
  void Add(double cpu, const Forecast& forecast, const BenchSeries& of) {
    const std::span<const double> values(of.values);
    const auto scores =
        ScoreForecast(forecast, 0, values.subspan(kFitted), values.first(kFitted), 24);
    BERTH_CHECK(scores && scores->mase);
    series += 1;
    cpu_s += (cpu - cpu_s) / series;
    mase += (*scores->mase - mase) / series;
    msis += (*scores->msis - msis) / series;
    coverage += (scores->coverage - coverage) / series;
    cpu_s_most = std::max(cpu_s_most, cpu);
    each_msis.push_back(*scores->msis);
    each_coverage.push_back(scores->coverage);
  }
  void Print(std::string_view name) const {
    fmt::print("{:24} {:4} series  {:.5f} CPU s  MASE {:.4f}  MSIS {:.4f}  coverage {:.3f}\n", name,
               series, cpu_s, mase, msis, coverage);
  }
};

double CpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

Forecast FitAndPredict(const ForecasterEntry& method, const BenchSeries& series) {
  const TimeSeries fitted{.values = {series.values.begin(), series.values.begin() + kFitted}};
  const auto forecaster = SeriesForecaster::Fit(method, fitted, {.seasons = {24, 168}});
  BERTH_CHECK(forecaster.ok());
  return forecaster.value().Predict(kForecast, std::span(&kLevel, 1)).value();
}

BenchFigures Measure(const ForecasterEntry& method, std::span<const BenchSeries> series) {
  BenchFigures figures;
  for (const BenchSeries& one : series) {
    const double begin = CpuSeconds();
    const Forecast forecast = FitAndPredict(method, one);
    figures.Add(CpuSeconds() - begin, forecast, one);
  }
  return figures;
}

// None of the series was used to develop the chooser, which testdata/forecast/split.txt tells.
void JudgeChooser(const std::map<std::string_view, BenchFigures>& ours) {
  const BenchFigures& chooser = ours.at(kChoosingForecaster);
  double best = std::numeric_limits<double>::infinity();
  std::string_view best_method;
  for (const auto& [method, figures] : ours) {
    if (method == kChoosingForecaster || figures.msis >= best) continue;
    best = figures.msis;
    best_method = method;
  }
  fmt::print("the best single method is {}\n", best_method);
  PrintBar("chooser_seconds", chooser.cpu_s_most, "<=", 1);
  PrintBar("chooser_msis_ratio", chooser.msis / best, "<=", 1.02);
  PrintBar("chooser_coverage_low", chooser.coverage, ">=", 0.93);
  PrintBar("chooser_coverage_high", chooser.coverage, "<=", 0.97);
  PrintBar("chooser_series_within", chooser.series_within(), ">=", 0.8);
}

void RunComparison(bool full) {
  std::vector<BenchSeries> series = RealSeries();
  CheckJudged(series);
  if (series.empty()) {
    fmt::print("the real series are not here: made-up ones instead\n");
    series = MadeUpSeries(46);
  }
  std::map<std::string_view, BenchFigures> ours;
  for (const ForecasterEntry& method : BuiltinForecasters()) {
    ours[method.name] = Measure(method, series);
    ours[method.name].Print(method.name);
  }
  JudgeChooser(ours);
  const std::size_t slow_count = full ? series.size() : 3;
  std::map<std::string, BenchFigures> peers;
  for (const auto& [name, forecasts] : RunPeers(series, slow_count)) {
    for (const PeerForecast& one : forecasts) {
      // As ours are: what was never negative is not forecast to be.
      Forecast kept = one.forecast;
      KeepWithinReason(kept, SeenRange::Of(std::span(series[one.series].values).first(kFitted)));
      peers[name].Add(one.cpu_s, kept, series[one.series]);
    }
    peers[name].Print(name);
  }
  const BenchFigures& standard = ours.at(kDefaultForecaster);
  PrintBar("forecast_default_cpu_s", standard.cpu_s, "<=", 0.02);
  if (peers.contains("r_mstl")) {
    PrintBar("forecast_default_mase_of_r", standard.mase / peers["r_mstl"].mase, "<=", 1);
    PrintBar("forecast_default_msis_of_r", standard.msis / peers["r_mstl"].msis, "<=", 1);
  }
  if (peers.contains("r_ets")) {
    const BenchFigures same = Measure(*FindForecaster("exponential_smoothing").value(),
                                      std::span(series).first(slow_count));
    same.Print("smoothing, same series");
    PrintBar("forecast_smoothing_times_r", peers["r_ets"].cpu_s / same.cpu_s, ">=", 20);
  }
  PrintBar("forecast_ssa_cpu_s", ours.at("singular_spectrum").cpu_s, "<=", 0.05);
  PrintBar("forecast_sarima_cpu_s_most", ours.at("sarima").cpu_s_most, "<=", 0.5);
  if (peers.contains("r_auto_arima")) {
    const BenchFigures same =
        Measure(*FindForecaster("sarima").value(), std::span(series).first(slow_count));
    same.Print("sarima, same series");
    PrintBar("forecast_sarima_median_msis_of_r",
             same.median_msis() / peers["r_auto_arima"].median_msis(), "<=", 1.05);
  }
}

// As many series as a fleet has, on all cores.
void RunRefresh() {
  constexpr std::size_t kSeries = 10'000;
  const std::vector<BenchSeries> series = MadeUpSeries(100);
  const ForecasterEntry& method = *FindForecaster(kDefaultForecaster).value();
  const auto begin = std::chrono::steady_clock::now();
  ForEachInParallel(kSeries, 2, [&](std::size_t i) {
    BERTH_CHECK(FitAndPredict(method, series[i % series.size()]).mean.size() == kForecast);
  });
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  PrintBar("forecast_refresh_10000_minutes", took.count() / 60, "<=", 3);
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  berth::RunComparison(argc > 1 && std::string_view(argv[1]) == "--full");
  berth::RunRefresh();
  return 0;
}
