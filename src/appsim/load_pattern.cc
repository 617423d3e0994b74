#include "appsim/load_pattern.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string_view>

#include "appsim/app_model.h"
#include "base/text.h"
#include "berth/rng.h"

namespace berth {
namespace {

constexpr std::size_t kSampledWorkMax = 100'000'000;
constexpr std::int64_t kDayMicros = std::int64_t{86'400} * 1'000'000;

// How many steps cover the run; the last may be cut by its end.
Result<std::size_t> StepsWithin(Duration step, Duration duration) {
  if (step.count() <= 0) return Status(Code::kInvalidArgument, "a step of no time is none");
  const std::int64_t count = (duration.count() + step.count() - 1) / step.count();
  if (count > static_cast<std::int64_t>(kAppStepsMax)) {
    return Status(
        Code::kInvalidArgument,
        fmt::format("steps of {} are too short for a run of {}: there are at most {}",
                    FormatDuration(step), FormatDuration(duration), FormatCount(kAppStepsMax)));
  }
  return static_cast<std::size_t>(count);
}

}  // namespace

Result<RateSteps> LevelRates(std::span<const LoadLevel> levels, Duration duration) {
  RateSteps steps;
  std::int64_t common = 0;
  for (const LoadLevel& level : levels) common = std::gcd(common, level.length.count());
  steps.step = Duration(common);
  BERTH_TRY(const std::size_t count, StepsWithin(steps.step, duration));
  steps.rates.reserve(count);
  while (steps.rates.size() < count) {
    for (const LoadLevel& level : levels) {
      const auto more = static_cast<std::size_t>(level.length / steps.step);
      steps.rates.insert(steps.rates.end(), std::min(more, count - steps.rates.size()), level.rate);
    }
  }
  return steps;
}

Result<RateSteps> SineRates(const LoadSine& sine, Duration duration) {
  constexpr int kStepsAPeriod = 60;
  RateSteps steps{.step = std::max(Duration(1), sine.period / kStepsAPeriod)};
  BERTH_TRY(const std::size_t count, StepsWithin(steps.step, duration));
  const double turn = 2 * std::numbers::pi * static_cast<double>(steps.step.count()) /
                      static_cast<double>(sine.period.count());
  steps.rates.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double middle = static_cast<double>(i) + 0.5;  // Of the step.
    steps.rates.push_back(sine.low + (sine.high - sine.low) * (1 - std::cos(turn * middle)) / 2);
  }
  return steps;
}

Result<RateSteps> SeasonRates(std::span<const LoadDay> days, std::int64_t start_s,
                              Duration duration) {
  // Days may be cut differently; steps are a part of all of them.
  std::int64_t common = kDayMicros;
  for (const LoadDay& day : days) {
    const auto parts = static_cast<std::int64_t>(day.values.size());
    if (kDayMicros % parts != 0) {
      return Status(
          Code::kInvalidArgument,
          fmt::format("a day cannot be cut into {} equal parts of whole microseconds", parts));
    }
    common = std::gcd(common, kDayMicros / parts);
  }
  // A run may begin within a part.
  const std::int64_t into_day = (start_s % 86'400) * 1'000'000;
  if (into_day != 0) common = std::gcd(common, into_day);
  RateSteps steps{.step = Duration(common)};
  BERTH_TRY(const std::size_t count, StepsWithin(steps.step, duration));
  steps.rates.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::int64_t at = start_s * 1'000'000 + static_cast<std::int64_t>(i) * common;
    const std::chrono::sys_days date{std::chrono::days(at / kDayMicros)};
    const std::size_t month = static_cast<unsigned>(std::chrono::year_month_day(date).month()) - 1;
    const std::size_t weekday = std::chrono::weekday(date).c_encoding();
    const auto day = std::ranges::find_if(
        days, [&](const LoadDay& d) { return d.months[month] && d.weekdays[weekday]; });
    if (day == days.end()) {
      steps.rates.push_back(0);
      continue;
    }
    const auto part =
        static_cast<std::int64_t>(day->values.size()) * (at % kDayMicros) / kDayMicros;
    steps.rates.push_back(day->values[static_cast<std::size_t>(part)]);
  }
  return steps;
}

Result<RateSteps> SeriesRates(const TimeSeries& series, double scale, Duration duration) {
  RateSteps steps{.step = series.step, .rates = WithoutGaps(series.values)};
  BERTH_TRY(const std::size_t count, StepsWithin(steps.step, duration));
  if (steps.rates.size() > count) steps.rates.resize(count);
  for (double& rate : steps.rates) rate = std::max(0.0, rate * scale);
  return steps;
}

Result<RateSteps> SampledRates(const SampledLoad& sampled, Duration duration) {
  RateSteps steps{.step = sampled.step};
  BERTH_TRY(const std::size_t count, StepsWithin(steps.step, duration));
  const SarimaOrder& order = sampled.model.order;
  const ArmaProcess process = Multiplied(sampled.model.coefficients, order.period);
  const std::vector<double> difference = DifferencePolynomial(order);
  const std::size_t reach = process.ar.size() + process.ma.size() + difference.size();
  if (count * reach > kSampledWorkMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} steps of a process that looks {} steps back are too many; take "
                              "longer steps or a shorter period",
                              FormatCount(count), FormatCount(reach)));
  }
  Rng rng(sampled.seed);
  std::vector<double> errors(count), moves(count);  // Moves: the differences, about their mean.
  steps.rates.resize(count);
  const double deviation = std::sqrt(sampled.model.variance);
  for (std::size_t t = 0; t < count; ++t) {
    errors[t] = deviation * rng.Normal();
    moves[t] = errors[t];
    for (std::size_t i = 0; i < std::min(t, process.ar.size()); ++i) {
      moves[t] += process.ar[i] * moves[t - 1 - i];
    }
    for (std::size_t j = 0; j < std::min(t, process.ma.size()); ++j) {
      moves[t] += process.ma[j] * errors[t - 1 - j];
    }
    steps.rates[t] = moves[t] + sampled.model.mean;
    for (std::size_t k = 1; k <= std::min(t, difference.size() - 1); ++k) {
      steps.rates[t] -= difference[k] * steps.rates[t - k];
    }
  }
  const double lowest = steps.rates.empty() ? 0 : std::ranges::min(steps.rates);
  for (double& rate : steps.rates) {
    rate = (rate - std::min(0.0, lowest)) * sampled.scale;
    if (!(rate <= kAppRateMax)) {
      return Status(Code::kInvalidArgument,
                    "the sampled load grows beyond all bounds; take coefficients of a stationary "
                    "process, or a smaller scale");
    }
  }
  return steps;
}

}  // namespace berth
