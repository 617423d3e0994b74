// Three weeks of a service's load: what comes next, what changes as it comes, and by how much its
// cpu is behind.
#include <berth/forecast.h>
#include <berth/series.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <vector>

namespace {

// More by day than by night, about a level that comes and goes.
double LoadAt(int hour) {
  const int of_day = hour % 24;
  const int daylight = of_day < 12 ? of_day : 24 - of_day;
  return 100 + 10 * daylight + 30 * std::sin(hour / 40.0) + 7 * hour % 5;
}

berth::TimeSeries Hourly(int hours, int behind) {
  berth::TimeSeries series{.start = {}, .step = std::chrono::hours(1), .values = {}};
  for (int hour = 0; hour < hours; ++hour) series.values.push_back(LoadAt(hour + 24 - behind));
  return series;
}

void Print(const char* when, const berth::Forecaster& fitted) {
  const std::vector<double> levels = {0.95};
  const berth::Forecast next = fitted.Predict(3, levels).value();
  for (std::size_t h = 0; h < next.mean.size(); ++h) {
    std::printf("%s, hour %zu: %.0f (%.0f to %.0f)\n", when, h + 1, next.mean[h],
                next.bands[0].lower[h], next.bands[0].upper[h]);
  }
}

}  // namespace

int main() {
  const berth::TimeSeries load = Hourly(504, 0);
  const std::vector<std::size_t> seasons = berth::DetectSeasons(load).value();
  auto fitted = berth::Forecaster::Fit("seasonal_decomposition", load, {.seasons = seasons});
  if (!fitted.ok()) {
    std::printf("%s\n", fitted.status().message().c_str());
    return 1;
  }
  Print("foreseen", fitted.value());

  // More than foreseen, for two hours.
  const std::vector<double> came = {150, 165};
  if (!fitted.value().Update(came).ok()) return 1;
  Print("two hours later", fitted.value());

  const auto tried =
      berth::Backtest("seasonal_decomposition", load, {.horizon = 48, .fit = {.seasons = seasons}});
  std::printf("two days held out: MASE %.2f, %.0f%% within the band\n", *tried.value().scores.mase,
              100 * tried.value().scores.coverage);

  const auto most = berth::Aggregate("max", load, std::chrono::hours(24));
  std::printf("the most of the first day: %.0f\n", most.value().values.front());

  const auto behind = berth::Correlate("pearson", load, Hourly(504, 2), 6);
  std::printf("its cpu is %lld hours behind\n", static_cast<long long>(behind.value().best.lag));
  return 0;
}
