// Horizontal scaling in rehearsal: how many replicas a service would have had under a load, from
// nothing but the load before, and what that would have cost. Replicas take a while to start, and
// use no more cpu than their limit. With a vertical recommender, which sets that limit from what
// the replicas use, both work at once.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rightsize/recommender.h"
#include "scale/external_scaler.h"
#include "scale/load_file.h"
#include "scale/scaling_settings.h"

namespace berth {

// What utilisation is measured against: see scale/shared_cpu.h.
enum class UtilisationBasis : std::uint8_t {
  kReference,  // The rule.
  kLimit,      // Without it, to see what comes of that.
};

struct ScalingRehearsal {
  ServiceScaling scaling{};
  // In place of the scaler that the settings name: a program of the user's.
  std::shared_ptr<ExternalProgram> program{};
  Duration start_up = std::chrono::minutes(2);
  // Sizes the cpu of its replicas, if anybody does.
  std::optional<RecommenderEntry> recommender{};
  UtilisationBasis utilisation_of = UtilisationBasis::kReference;
};

// What holds from a row of the load to the next.
struct ScalingStep {
  Time at;
  double load_milli = 0;
  std::uint32_t replicas = 0;   // That it is to have,
  std::uint32_t answering = 0;  // and that do their work.
  std::uint32_t needed = 0;     // At the target, for the load of now.
  std::int64_t limit_milli = 0;
};

struct ScalingTotals {
  double replicas_mean = 0;
  double unserved = 0;    // The share of the load above the limits of those that answer.
  double time_short = 0;  // The share of time with fewer answering than needed.
  double over = 0;        // The share of replicas, over time, that were not needed.
  double changes_a_day = 0;
};

struct ScalingOutcome {
  std::vector<ScalingStep> steps;
  std::string why;  // The last count.
};

// An error is a scaler that cannot be made, or a metric that the load does not have.
Result<ScalingOutcome> RehearseScaling(const ServiceLoad& load, const ScalingRehearsal& rehearsal);
ScalingTotals SumUp(const std::vector<ScalingStep>& steps);

}  // namespace berth
