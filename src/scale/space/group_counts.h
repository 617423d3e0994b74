// Scale, one metric group of one service: what its metrics ask for in the steps to come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scale/space/count_calculator.h"
#include "scale/space/metric_outlook.h"
#include "scale/space/space_policy.h"

namespace berth {

// By the mean of what is foreseen, and by its bounds.
struct GroupPaths {
  CountPath mean{};
  CountPath lower{};
  CountPath upper{};
};

class GroupCounter {
 public:
  // `limits` are the service's. The policy outlives it.
  static Result<GroupCounter> Make(const MetricGroup& policy, const CountLimits& limits);

  // None, and a note, if a metric is not known.
  std::optional<GroupPaths> Count(MetricWindow& window, std::size_t service,
                                  std::uint32_t instances, std::vector<std::string>& notes);

  // Of the last Count that was not none: what is measured now asks for, and where counts come from.
  std::uint32_t CountNow() const { return Whole(now_); }
  std::string WhyNow() const { return calculator_->Why({instances_, now_}); }
  std::string Why(std::size_t step, std::uint32_t count) const;

  const MetricGroup& policy() const { return *policy_; }
  // Steps of its stabiliser.
  std::size_t WindowOf(Duration step) const;
  // Of the last Count; none if nothing was learned from it.
  std::optional<LearnedPair> LastLearned() const {
    return observed_ ? calculator_->last_learned() : std::nullopt;
  }
  CountCalculator& calculator() { return *calculator_; }
  const CountCalculator& calculator() const { return *calculator_; }

 private:
  using MetricRows = std::vector<std::vector<double>>;  // By step, the metrics of the group.

  GroupCounter(const MetricGroup& policy, std::unique_ptr<CountCalculator> calculator)
      : policy_(&policy), calculator_(std::move(calculator)) {}
  std::uint32_t Whole(std::span<const double> metrics) const;
  CountPath PathOf(const MetricRows& rows, Duration step) const;

  const MetricGroup* policy_;
  std::unique_ptr<CountCalculator> calculator_;
  bool observed_ = false;
  std::uint32_t instances_ = 0;
  std::vector<double> now_;
  MetricRows mean_;
  std::size_t window_ = 1;
};

}  // namespace berth
