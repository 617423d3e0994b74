// The `scaling` section of a policy: whose replicas are counted, by whom, and whether there are to
// be as many.
//
//   scaling:
//     mode: dry_run                      # off, dry_run or auto; for who is not named
//     target: 0.6                        # and the rest of scaling_settings.h
//     services:
//       - {name: web, mode: auto, min: 2, max: 40, smoothing: {defer_down: 1h}}
//       - {name: jobs, mode: auto, max: 20, scaler: metric, expression: ceil(queue / 20) + 1}
//       - {name: db, role: secondary, max: 8}
//
// Without the section everybody is in dry_run. Services of an application (application_policy.h)
// are counted by its plan, and not named here.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/document.h"
#include "berth/change.h"
#include "scale/scaling_mode.h"
#include "scale/scaling_settings.h"

namespace berth {

// What is told as the scaler of a service that a plan counts.
inline constexpr std::string_view kPlanScaler = "plan";

struct LiveScaling {
  ScalingMode mode = ScalingMode::kDryRun;
  ServiceScaling scaling{.max = kGangMax};
  std::optional<std::int64_t> reference{};  // None: what its type says.
  bool bounded = false;                     // Its owner said how many there may be at most.
  bool counted = false;                     // And how many there are to be.
  std::string role{};                       // Whose count it is, if it has instances of several.
  std::string application{};                // Whose plan counts it; empty: nobody's.

  // Of instances whose type says so much cpu.
  ServiceScaling For(std::int64_t type_milli) const;
};

struct ScalingPolicy {
  static constexpr std::size_t kScaledServicesMax = 10'000;

  LiveScaling others;  // Who is not among them.
  std::map<std::string, LiveScaling, std::less<>> services;

  const LiveScaling& Of(std::string_view service) const;
};

// The programs that it may name are these.
Result<ScalingPolicy> ParseScalingPolicy(const Node& policy, const ProgramNames& programs = {});

}  // namespace berth
