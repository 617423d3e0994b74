// Who decides how many instances and nodes an application has, and when: one object an application
// and region, asked every sync period. A live service and the simulator of applications are driven
// by the same object, and neither knows what it is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/resources.h"
#include "berth/status.h"
#include "berth/time.h"
#include "forecast/series.h"
#include "scale/capacity/vm_filling.h"
#include "scale/capacity/vm_mix.h"

namespace berth {

struct ScaledService {
  std::string name{};
  Resources need{};  // Of one instance, as it is placed.
  Duration boot{};  // From ordering one on a node that is up to its first answer: what is expected.
  std::vector<std::size_t> next{};      // That it calls,
  std::vector<std::size_t> previous{};  // and that call it. By index.
};

// What does not change while an application runs.
struct ScaledApplication {
  std::vector<ScaledService> services{};
  std::vector<VmType> types{};  // Of nodes that may be rented; none: nodes are somebody else's.
};

// An application in a region now. What is ordered counts as soon as it is ordered, so that nothing
// is ordered twice; what is to go no longer counts.
struct DeploymentState {
  InstanceCounts ready{};        // That answer, by service,
  InstanceCounts starting{};     // and that do not yet.
  std::vector<VmGroup> nodes{};  // With what is on each, or will be; booting ones too.
  std::uint64_t nodes_booting = 0;
};

// One series that a policy may go by.
struct MetricKey {
  std::string_view name;  // "cpu", "memory", "waiting_time", "response_time", "load", ...
  std::size_t service = kApplication;
  std::string_view request_type{};  // Empty: of all.

  static constexpr std::size_t kApplication = SIZE_MAX;
};

class MetricSource {
 public:
  virtual ~MetricSource() = default;
  // The last points, at most `points`, up to the last whole step before now. A gap is a step in
  // which there was nothing to measure; no points at all: nothing was measured yet. A metric that
  // there is not is an error whose message names those there are.
  virtual Result<TimeSeries> Series(const MetricKey& key, std::size_t points) const = 0;
};

// One change that is to be ordered when its time comes. Whoever enforces it does not ask why: it
// starts and stops nodes and instances until there are these.
struct PlannedState {
  Time at{};                     // To be ordered then: what takes time to boot is counted in.
  InstanceCounts instances{};    // By service.
  InstanceCounts low{};          // What they would be by the lower bound of what is foreseen,
  InstanceCounts high{};         // and by the upper; both empty where nothing is foreseen.
  std::vector<VmGroup> nodes{};  // With what each is to hold; empty if nodes are not scaled.
  std::string why{};             // In one sentence.
};

// A plan is data: shown, stored, enforced, and thrown away whole when the next one is made.
struct ScalingPlan {
  Time made{};
  std::vector<PlannedState> states{};  // By time; none: leave everything as it is.
  std::vector<std::string> notes{};    // What was done for want of data, or held back by a bound.
};

// What a part that learns expected of a decision's moment before it was told what came of it.
struct Lesson {
  std::string_view service;
  std::string_view group;
  double expected = 0;
  double observed = 0;
  bool passed = false;  // The gate: what it says next is believed.
};

class Autoscaler {
 public:
  virtual ~Autoscaler() = default;
  // Between two decisions.
  virtual Duration sync_period() const = 0;
  // In order of time. What is not due before the next decision is planned again then.
  virtual ScalingPlan Decide(Time now, const DeploymentState& state,
                             const MetricSource& metrics) = 0;

  // Of the last decision, one for each part that had something to learn from. They are good as long
  // as it lives.
  virtual std::vector<Lesson> LastLessons() const { return {}; }

  // What it learned, as bytes, for one made alike to go on with; empty if it learns nothing. Bytes
  // that are no such state, or that were learned for something else, are an error, and change
  // nothing.
  virtual std::string SaveLearned() const { return {}; }
  virtual Status RestoreLearned(std::string_view bytes) {
    if (bytes.empty()) return {};
    return {Code::kInvalidArgument, "this autoscaler learns nothing, and has no state"};
  }
};

}  // namespace berth
