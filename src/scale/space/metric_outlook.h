// One metric, from what was measured to what is foreseen: filtered, led by a related service,
// aggregated, and carried on into the steps of a plan.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/time.h"
#include "scale/space/autoscaler.h"
#include "scale/space/space_policy.h"

namespace berth {

struct MetricOutlook {
  double now = 0;              // The last value, aggregated.
  std::vector<double> mean{};  // One a step, from now on.
  std::vector<double> lower{};
  std::vector<double> upper{};
  std::vector<std::string> notes{};  // What was done for want of data.
};

struct OutlookSteps {
  Time now{};
  Duration step{};
  std::size_t steps = 0;
};

// All metrics at one decision. Each is foreseen once, however many services go by it.
class MetricWindow {
 public:
  // All outlive it.
  MetricWindow(const ScaledApplication& application, const MetricSource& source, OutlookSteps steps)
      : application_(application), source_(source), steps_(steps) {}

  // `service` is whose it is, unless the metric says otherwise. An error if there is no such
  // metric, or nothing was measured yet.
  Result<const MetricOutlook*> Outlook(const GroupMetric& metric, std::size_t service);

  // The last value; none if it is not known.
  std::optional<double> Last(std::string_view metric, std::size_t service) const;

  const OutlookSteps& steps() const { return steps_; }

 private:
  const ScaledApplication& application_;
  const MetricSource& source_;
  OutlookSteps steps_;
  std::map<std::pair<const GroupMetric*, std::size_t>, Result<MetricOutlook>> kept_;
};

}  // namespace berth
