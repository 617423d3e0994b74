#include "qos/metrics.h"

#include <algorithm>
#include <cmath>

#include "berth/check.h"

namespace berth {

double QosDeficit(const Delivered& delivered, std::uint32_t target_ppm) {
  if (Fulfils(delivered, target_ppm)) return 0;
  return static_cast<double>(target_ppm) / kWholePpm - Availability(delivered);
}

std::uint32_t CreditPercent(const ServiceClass& klass, const Delivered& delivered) {
  std::uint32_t percent = 0;
  for (const PenaltyTier& tier : klass.penalties) {
    if (!Fulfils(delivered, tier.below_ppm)) percent = tier.credit_percent;
  }
  return percent;
}

double Penalty(const ServiceClass& klass, const Delivered& delivered, Duration duration,
               double cpus) {
  const double hours = static_cast<double>(duration.count()) / 3600e6;
  const double deficit = QosDeficit(delivered, klass.availability_ppm);
  return deficit * hours * cpus * (1 + CreditPercent(klass, delivered) / 100.0);
}

double Gini(std::vector<double> values) {
  // Most have all of their time: only the others need sorting.
  const auto others = std::partition(values.begin(), values.end(), [](double v) { return v < 1; });
  if (std::all_of(others, values.end(), [](double v) { return v == 1; })) {
    std::sort(values.begin(), others);
  } else {
    std::ranges::sort(values);
  }
  const auto n = static_cast<double>(values.size());
  double sum = 0;
  double weighted = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    sum += values[i];
    weighted += (2 * static_cast<double>(i + 1) - n - 1) * values[i];
  }
  return sum <= 0 ? 0 : weighted / (n * sum);
}

MeanInterval MeanWithInterval(std::span<const double> samples) {
  MeanInterval interval{.mean = 0, .half_width = 0, .samples = samples.size()};
  if (samples.empty()) return interval;
  const auto n = static_cast<double>(samples.size());
  for (const double sample : samples) interval.mean += sample / n;
  if (samples.size() == 1) return interval;
  double squares = 0;
  for (const double sample : samples)
    squares += (sample - interval.mean) * (sample - interval.mean);
  constexpr double kOfNormal95 = 1.959964;
  interval.half_width = kOfNormal95 * std::sqrt(squares / (n - 1) / n);
  return interval;
}

ContentionLevel LevelOf(std::span<const ClassInInterval> classes,
                        std::span<const std::uint32_t> ranks) {
  BERTH_CHECK(classes.size() == ranks.size() && !ranks.empty());
  const std::uint32_t last_rank = *std::ranges::max_element(ranks);
  ContentionLevel level = ContentionLevel::kNone;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    ContentionLevel of_class = ContentionLevel::kNone;
    if (classes[i].fulfilled < classes[i].active) {
      of_class = ranks[i] == last_rank ? ContentionLevel::kMedium : ContentionLevel::kHigh;
    } else if (classes[i].least < 1) {
      of_class = ContentionLevel::kLow;
    }
    level = std::max(level, of_class);
  }
  return level;
}

void PairedAvailabilities::Add(double priority, double qos) {
  const auto square = [](double availability) {
    return std::min(static_cast<std::size_t>(availability * kSquares), kSquares - 1);
  };
  // A hair below the target is rounding: promises are whole millionths.
  const double target = static_cast<double>(target_ppm_) / kWholePpm - 1e-7;
  ++total_;
  ++squares_[square(priority)][square(qos)];
  ++quadrants_[priority >= target ? 1 : 0][qos >= target ? 1 : 0];
}

}  // namespace berth
