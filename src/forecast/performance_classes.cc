#include "forecast/performance_classes.h"

#include <fmt/format.h>

#include <algorithm>

#include "forecast/seasons.h"

namespace berth {
namespace {

// Of an even number the lower one, so that it is one of them.
template <typename T>
T MedianValue(std::vector<T> values) {
  std::ranges::sort(values);
  return values[(values.size() - 1) / 2];
}

template <typename T>
std::vector<T> Each(std::span<const MethodTrial> trials, T MethodTrial::*member) {
  std::vector<T> values;
  values.reserve(trials.size());
  for (const MethodTrial& trial : trials) values.push_back(trial.*member);
  return values;
}

double AverageOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

PerformanceClass ClassBorders::ClassOf(const MethodTrial& trial) const {
  using enum PerformanceClass;
  const bool fast = trial.fitting <= fitting;
  if (trial.score <= score) return fast ? kGoodAndFast : kGoodAndSlow;
  return fast ? kPoorAndFast : kPoorAndSlow;
}

ClassBorders BordersOf(std::span<const MethodTrial> trials) {
  return {.score = MedianValue(Each(trials, &MethodTrial::score)),
          .fitting = MedianValue(Each(trials, &MethodTrial::fitting))};
}

std::vector<MethodStanding> StandingsOf(std::span<const MethodTrial> trials) {
  const ClassBorders borders = BordersOf(trials);
  std::vector<MethodStanding> standings;
  for (const MethodTrial& trial : trials) {
    if (std::ranges::find(standings, trial.method, &MethodStanding::method) == standings.end()) {
      standings.push_back({.method = trial.method});
    }
  }
  for (MethodStanding& standing : standings) {
    std::vector<MethodTrial> own;
    for (const MethodTrial& trial : trials) {
      if (trial.method != standing.method) continue;
      own.push_back(trial);
      ++standing.in_class[static_cast<std::size_t>(borders.ClassOf(trial))];
    }
    standing.score_median = MedianValue(Each<double>(own, &MethodTrial::score));
    standing.score_mean = AverageOf(Each<double>(own, &MethodTrial::score));
    standing.coverage_mean = AverageOf(Each<double>(own, &MethodTrial::coverage));
    standing.fitting_median = MedianValue(Each<Duration>(own, &MethodTrial::fitting));
  }
  return standings;
}

Result<std::vector<MethodTrial>> TryMethods(std::span<const ForecasterEntry* const> methods,
                                            std::span<const NamedSeries> series,
                                            BacktestOptions options, std::string_view season,
                                            const std::function<void(std::size_t)>& done) {
  std::vector<MethodTrial> trials;
  for (std::size_t i = 0; i < series.size(); ++i) {
    BERTH_TRY(options.fit.seasons, SeasonsNamed(season, series[i].series));
    for (const ForecasterEntry* const method : methods) {
      const Result<BacktestResult> tried = Backtest(*method, series[i].series, options);
      if (!tried.ok()) {
        return Status(tried.status().code(),
                      fmt::format("{}: {}", series[i].name, tried.status().message()));
      }
      if (!tried.value().scores.msis) continue;
      trials.push_back({.series = i,
                        .method = method->name,
                        .score = *tried.value().scores.msis,
                        .coverage = tried.value().scores.coverage,
                        .fitting = tried.value().fitting});
    }
    done(i + 1);
  }
  if (trials.empty()) {
    return Status(Code::kInvalidArgument,
                  "no series has a score: each repeats itself exactly from season to season");
  }
  return trials;
}

}  // namespace berth
