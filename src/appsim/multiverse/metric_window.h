// The latest samples of a metric, and what a policy makes of them.
#pragma once

#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "appsim/multiverse/quirks.h"
#include "appsim/multiverse/set.h"

namespace berth::multiverse {

// Keeps what aggregation looks at and no more.
class MetricWindow {
 public:
  // Samples are averaged over `averaging`; those longer than `keep` ago are forgotten.
  MetricWindow(Duration averaging, Duration keep) : averaging_(averaging), keep_(keep) {}

  void Add(Time at, double value);
  // Of requests that end together: each counts, unaveraged.
  void AddPlain(Time at, double value);
  const std::deque<std::pair<Time, double>>& samples() const { return samples_; }

 private:
  Duration averaging_;
  Duration keep_;
  std::deque<std::pair<Time, double>> recent_;  // Unaveraged.
  std::deque<std::pair<Time, double>> samples_;
};

// `grid`: samples are first averaged over a grid of this width, between whose points there may be
// gaps. None without samples.
std::optional<double> Aggregate(const MetricSpec& metric, const MetricWindow& window,
                                std::optional<Duration> grid, const Quirks& quirks);

// How many instances the rule wants, within the limits.
std::uint32_t DesiredCount(const MetricGroupSpec& group, std::uint32_t current, double value,
                           const Quirks& quirks);

// When a decision made now is to take effect.
Time EffectTime(const MetricSpec& metric, const MetricGroupSpec& group, Time now,
                const Quirks& quirks);

}  // namespace berth::multiverse
