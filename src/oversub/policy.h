// The `oversub` section of a policy: how the probability of a violation is estimated.
#pragma once

#include <chrono>
#include <cstdint>

#include "allocate/machine_load.h"
#include "base/document.h"
#include "berth/time.h"
#include "oversub/demand_trace.h"

namespace berth {

struct OversubPolicy {
  std::uint32_t repetitions = 100;
  // Of the capacity: from here on a machine is violated.
  PerResource<std::uint32_t> threshold_thousandths{950, 950, 950};
  // An instance that was not observed yet is taken to use this percentile of what past ones of its
  // type and role grew to.
  std::uint32_t initial_percentile = 50;
  Duration epoch = std::chrono::hours(1);  // For so long newcomers alike draw the same.
  // So many of a cluster's machines, the least loaded, are held out.
  std::uint32_t held_out_per_cluster = 3;
  Weighting held_out_by = Weighting::kMax;
  // Instances are moved off machines that are violated by what was observed.
  bool resolves = false;
  // Instances are moved so that one that waits finds room on one machine.
  bool defragments = false;

  friend bool operator==(const OversubPolicy&, const OversubPolicy&) = default;
};

// The defaults if there is no such section.
Result<OversubPolicy> ParseOversubPolicy(const Node& policy);

}  // namespace berth
