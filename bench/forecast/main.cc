// bench_forecast: how fast and how good forecasts are, of three weeks of hours the next one, and
// R's beside them. CPU seconds of one thread.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <functional>
#include <limits>
#include <map>
#include <string>
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
  double worst_msis() const { return std::ranges::max(each_msis); }
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

using FiguresByMethod = std::map<std::string, BenchFigures, std::less<>>;

// On these series the last value alone scores up to 625; bands that run away score more.
constexpr double kBoundedMsis = 100;

void JudgeMethods(const FiguresByMethod& ours) {
  const BenchFigures& smoothing = ours.find("exponential_smoothing")->second;
  PrintBar("forecast_default_cpu_s", ours.find(kDefaultForecaster)->second.cpu_s, "<=", 0.02);
  PrintBar("forecast_ssa_cpu_s_most", ours.find("singular_spectrum")->second.cpu_s_most,
           "<=", 0.05);
  PrintBar("forecast_sarima_cpu_s_most", ours.find("sarima")->second.cpu_s_most, "<=", 0.5);
  PrintBar("forecast_smoothing_cpu_s_most", smoothing.cpu_s_most, "<=", 0.1);
  PrintBar("forecast_smoothing_msis_most", smoothing.worst_msis(), "<=", kBoundedMsis);
}

FiguresByMethod MeasurePeers(const std::vector<BenchSeries>& series, std::size_t slow_count) {
  FiguresByMethod peers;
  for (const auto& [name, forecasts] : RunPeers(series, slow_count)) {
    for (const PeerForecast& one : forecasts) {
      // As ours are: what was never negative is not forecast to be.
      Forecast kept = one.forecast;
      KeepWithinReason(kept, SeenRange::Of(std::span(series[one.series].values).first(kFitted)));
      peers[name].Add(one.cpu_s, kept, series[one.series]);
    }
    peers[name].Print(name);
  }
  return peers;
}

// Ours on those series that the slow peer was given.
BenchFigures OnSameSeries(std::string_view method, std::span<const BenchSeries> series) {
  fmt::print("the next bar rests on {} series{}\n", series.size(),
             series.size() < 46 ? "; FULL=1 for all" : "");
  BenchFigures same = Measure(*FindForecaster(method).value(), series);
  same.Print(fmt::format("{}, same", method));
  return same;
}

void JudgeBesideR(const FiguresByMethod& ours, const FiguresByMethod& peers,
                  std::span<const BenchSeries> of_the_slow) {
  const auto mstl = peers.find("r_mstl");
  if (mstl == peers.end()) {
    fmt::print(
        "not judged without R: forecast_default_mase_of_r, forecast_default_msis_of_r, "
        "forecast_smoothing_times_r, forecast_sarima_median_msis_of_r\n");
    return;
  }
  const BenchFigures& standard = ours.find(kDefaultForecaster)->second;
  PrintBar("forecast_default_mase_of_r", standard.mase / mstl->second.mase, "<=", 1);
  PrintBar("forecast_default_msis_of_r", standard.msis / mstl->second.msis, "<=", 1);
  const BenchFigures smoothing = OnSameSeries("exponential_smoothing", of_the_slow);
  PrintBar("forecast_smoothing_times_r", peers.find("r_ets")->second.cpu_s / smoothing.cpu_s,
           ">=", 20);
  const BenchFigures sarima = OnSameSeries("sarima", of_the_slow);
  PrintBar("forecast_sarima_median_msis_of_r",
           sarima.median_msis() / peers.find("r_auto_arima")->second.median_msis(), "<=", 1.05);
}

FiguresByMethod MeasureAll(std::span<const BenchSeries> series) {
  FiguresByMethod ours;
  for (const ForecasterEntry& method : BuiltinForecasters()) {
    BenchFigures figures = Measure(method, series);
    figures.Print(method.name);
    ours.emplace(method.name, std::move(figures));
  }
  return ours;
}

void RunComparison(bool full) {
  std::vector<BenchSeries> series = JudgedSeries();
  const bool real = !series.empty();
  if (!real) {
    fmt::print(
        "not judged: the real series are not here (BERTH_DATA_DIR); figures of made-up "
        "ones, and no bars of them\n");
    series = MadeUpSeries(46);
  }
  const FiguresByMethod ours = MeasureAll(series);
  const std::size_t slow_count = full ? series.size() : 3;
  const FiguresByMethod peers = MeasurePeers(series, slow_count);
  if (!real) return;
  JudgeMethods(ours);
  JudgeBesideR(ours, peers, std::span(series).first(slow_count));
}

// On series of which nothing is known but what it is given.
void JudgeChooser(const FiguresByMethod& ours) {
  const BenchFigures& chooser = ours.find(kChoosingForecaster)->second;
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

void RunChooser() {
  const std::vector<BenchSeries> series = BlindSeries();
  if (series.empty()) return;  // As said above.
  fmt::print("series that nobody had looked at\n");
  JudgeChooser(MeasureAll(series));
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
  berth::RunChooser();
  berth::RunRefresh();
  return 0;
}
