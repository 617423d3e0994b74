// What instances take now, and took at most, from a file of usage as `berth demand fit` reads it.
//
// CSV with the columns instance, cpu_milli, memory_bytes and disk_bytes; others are passed over. Of
// several rows of an instance the last says what it takes, and the greatest of each what it took.
#pragma once

#include <cstddef>

#include "base/lines.h"
#include "berth/status.h"
#include "oversub/fleet_balance.h"

namespace berth {

inline constexpr std::size_t kUsageInstancesMax = 4'000'000;

// Errors read FILE:LINE: column 'x': what is wrong; what to do.
Result<UsageByInstance> ReadLatestUsage(LineReader lines);

}  // namespace berth
