#include "forecast/performance_classes.h"

#include <fmt/format.h>

#include <algorithm>

#include "forecast/seasons.h"

namespace berth {
namespace {

constexpr std::size_t kListedMost = 20;

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

// Adds the trials of one series; says why if there are none. All methods or none: they are compared
// on the same series.
Result<std::string> TryOne(std::span<const ForecasterEntry* const> methods,
                           const TimeSeries& series, const BacktestOptions& options,
                           std::size_t index, std::vector<MethodTrial>& trials) {
  for (const ForecasterEntry* const method : methods) {
    Status status = CheckBacktest(*method, series, options);
    if (status.ok()) status = CheckFit(*method, series, options.fit);
    if (!status.ok()) return std::string(status.message());
  }
  for (const ForecasterEntry* const method : methods) {
    BERTH_TRY(const BacktestResult tried, Backtest(*method, series, options));
    if (!tried.scores.msis) return std::string("it repeats itself exactly from season to season");
    trials.push_back({.series = index,
                      .method = method->name,
                      .score = *tried.scores.msis,
                      .coverage = tried.scores.coverage,
                      .fitting = tried.fitting});
  }
  return std::string();
}

}  // namespace

std::string ListedShort(std::span<const std::string> names) {
  const std::size_t shown = std::min(names.size(), kListedMost);
  std::string text = fmt::format("{}", fmt::join(names.first(shown), "; "));
  if (names.size() > shown) text += fmt::format("; and {} more", names.size() - shown);
  return text;
}

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

Result<SeriesTrials> TryMethods(std::span<const ForecasterEntry* const> methods,
                                std::span<const NamedSeries> series, BacktestOptions options,
                                std::string_view season,
                                const std::function<void(std::size_t)>& done) {
  SeriesTrials all;
  for (std::size_t i = 0; i < series.size(); ++i) {
    BERTH_TRY(options.fit.seasons, SeasonsNamed(season, series[i].series));
    const Result<std::string> why_not = TryOne(methods, series[i].series, options, i, all.trials);
    if (!why_not.ok()) {
      return Status(why_not.status().code(),
                    fmt::format("{}: {}", series[i].name, why_not.status().message()));
    }
    if (!why_not.value().empty()) {
      all.left_out.push_back(fmt::format("{}: {}", series[i].name, why_not.value()));
    }
    done(i + 1);
  }
  if (all.trials.empty()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("no series has a score: {}", ListedShort(all.left_out)));
  }
  return all;
}

}  // namespace berth
