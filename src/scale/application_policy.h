// The `applications` section of a policy: services that are scaled together, ahead of time, by one
// autoscaler.
//
//   applications:
//     - name: shop
//       mode: dry_run                       # off, dry_run or auto
//       services:
//         - {name: web, boot: 30s, calls: [search]}
//         - {name: search, boot: 1m, role: leaf}
//       scaling: {autoscaler: space, ...}   # docs/predictive-scaling.md
//
// A service is of one application at most. Where a metric is asked of the application itself, it is
// its first service's: that is where requests come in.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/document.h"
#include "scale/scaling_mode.h"
#include "scale/space/autoscaler.h"

namespace berth {

inline constexpr std::size_t kApplicationsMax = 100;

struct PlannedService {
  std::string name{};
  std::string role{};  // Whose count it is, if it has instances of several.
  Duration boot{};     // From being placed to its first answer.
  std::vector<std::string> calls{};
};

// Valid while the document of the policy is.
struct PlannedApplication {
  std::string name{};
  ScalingMode mode = ScalingMode::kDryRun;
  std::vector<PlannedService> services{};
  Node scaling;

  // What scales it, where an instance of each service needs so much.
  Result<std::unique_ptr<Autoscaler>> NewAutoscaler(std::span<const Resources> needs) const;
  ScaledApplication Scaled(std::span<const Resources> needs) const;
};

Result<std::vector<PlannedApplication>> ParseApplications(const Node& policy);

}  // namespace berth
