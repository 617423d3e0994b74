// Rightsizing in rehearsal: what a recommender would have set, window by window, from nothing but
// the windows before, and what that would have cost. Usage is taken as it was: nobody is slowed
// down or killed, as in the paper's own experiments.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rightsize/recommender.h"
#include "usage/usage_file.h"

namespace berth {

// A service on one day. The first day only teaches and is not among them.
struct SizingDay {
  std::uint32_t number = 0;  // From the service's first, which is 0.
  double limit_mean = 0;
  double usage_p95 = 0;   // Of the windows' means over all instances.
  double used = 0;        // The sum of all samples,
  double used_above = 0;  // and of what of them was above the limit.
  std::uint64_t samples = 0;
  std::uint64_t samples_above = 0;  // Of memory: out of memory.
  std::uint32_t changes = 0;        // Of the limit.
  double instances = 0;             // On average.

  // The share of the limit that is not used.
  double slack() const { return (limit_mean - usage_p95) / limit_mean; }
};

std::vector<SizingDay> RehearseSizing(const ServiceUsage& usage, Resource resource,
                                      Recommender& advisor);

// The limit in force in each window of the usage; none before the first.
std::vector<std::optional<std::int64_t>> TraceLimits(const ServiceUsage& usage, Resource resource,
                                                     Recommender& advisor);

// Over all days of all services.
struct SizingTotals {
  std::uint64_t days = 0;
  double slack_mean = 0;
  double slack_median = 0;
  double footprint = 0;         // Limits of all instances, on the average day of each service.
  double share_used_above = 0;  // Of what was used.
  double share_samples_above = 0;
  double above_per_task_day = 0;
  double days_without = 0;    // The share of days with no sample above the limit,
  double days_unchanged = 0;  // and of those with the same limit all day.
  double changes_p99 = 0;
};
SizingTotals SumUp(const std::vector<std::vector<SizingDay>>& services);

// A day on which more than the greater of the count and the share of the instances ran out of
// memory.
struct SeriousThreshold {
  std::uint32_t count = 0;
  double share = 0;
};
inline constexpr SeriousThreshold kSeriousThresholds[] = {
    {5, 1.0 / 7}, {4, 1.0 / 5}, {4, 1.0 / 7}, {4, 1.0 / 10}, {3, 1.0 / 7}};
std::uint64_t SeriousDays(const std::vector<std::vector<SizingDay>>& services,
                          const SeriousThreshold& threshold);

}  // namespace berth
