#include "scale/space/group_counts.h"

#include <fmt/format.h>

#include <algorithm>

#include "scale/scaler.h"

namespace berth {

Result<GroupCounter> GroupCounter::Make(const MetricGroup& policy, const CountLimits& limits) {
  CalculatorSettings settings = policy.settings;
  settings.search = policy.limits.value_or(limits);
  BERTH_TRY(auto calculator, policy.calculator->make(settings, policy.MetricNames()));
  return GroupCounter(policy, std::move(calculator));
}

std::size_t GroupCounter::WindowOf(Duration step) const {
  if (!policy_->stabiliser) return 1;
  return static_cast<std::size_t>(std::max<std::int64_t>(1, policy_->stabiliser->every / step));
}

std::uint32_t GroupCounter::Whole(std::span<const double> metrics) const {
  return WholeReplicas(policy_->factor * calculator_->Count({instances_, metrics}));
}

// A stabiliser takes the count of another step of its window.
std::string GroupCounter::Why(std::size_t step, std::uint32_t count) const {
  const std::size_t begin = step / window_ * window_;
  for (std::size_t i = begin; i < std::min(mean_.size(), begin + window_); ++i) {
    if (Whole(mean_[i]) == count) return calculator_->Why({instances_, mean_[i]});
  }
  return calculator_->Why({instances_, mean_[step]});
}

CountPath GroupCounter::PathOf(const MetricRows& rows, Duration step) const {
  CountPath counts;
  counts.reserve(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    // What does not change need not be worked out again: learned models take their time.
    counts.push_back(i > 0 && rows[i] == rows[i - 1] ? counts.back() : Whole(rows[i]));
  }
  if (policy_->stabiliser) {
    counts = policy_->stabiliser->stabiliser->stabilise(counts, WindowOf(step));
  }
  if (policy_->limits) counts = ClampTo(CountBand::Of(*policy_->limits, counts.size()), counts);
  return counts;
}

std::optional<GroupPaths> GroupCounter::Count(MetricWindow& window, std::size_t service,
                                              std::uint32_t instances,
                                              std::vector<std::string>& notes) {
  observed_ = false;
  const std::size_t steps = window.steps().steps;
  MetricRows mean(steps);
  MetricRows lower(steps);
  MetricRows upper(steps);
  std::vector<double> now;
  for (const GroupMetric& metric : policy_->metrics) {
    const Result<const MetricOutlook*> outlook = window.Outlook(metric, service);
    if (!outlook.ok()) {
      notes.push_back(fmt::format("group {}: {}", policy_->name, outlook.status().message()));
      return std::nullopt;
    }
    const MetricOutlook& foreseen = *outlook.value();
    notes.insert(notes.end(), foreseen.notes.begin(), foreseen.notes.end());
    now.push_back(foreseen.now);
    for (std::size_t i = 0; i < steps; ++i) {
      mean[i].push_back(foreseen.mean[i]);
      lower[i].push_back(foreseen.lower[i]);
      upper[i].push_back(foreseen.upper[i]);
    }
  }
  instances_ = instances;
  now_ = std::move(now);
  mean_ = std::move(mean);
  if (policy_->calculator->kind == CalculatorKind::kLearns) {
    const std::size_t whose =
        policy_->performance_of_application ? MetricKey::kApplication : service;
    observed_ = true;
    calculator_->Observe({instances_, now_}, window.Last(policy_->settings.performance, whose));
  }
  const Duration step = window.steps().step;
  window_ = WindowOf(step);
  return GroupPaths{
      .mean = PathOf(mean_, step), .lower = PathOf(lower, step), .upper = PathOf(upper, step)};
}

}  // namespace berth
