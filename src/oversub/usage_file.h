// What instances take, as a table: CSV with the columns instance, cpu, memory and disk, and if it
// has them peak_cpu, peak_memory and peak_disk. Amounts are written as everywhere: 1.5, 4Gi.
#pragma once

#include <cstddef>
#include <string>

#include "berth/status.h"
#include "oversub/fleet_balance.h"

namespace berth {

inline constexpr std::size_t kUsageRowsMax = 4'000'000;

// Without the peaks an instance never took more than now. Errors read FILE:LINE: what; what to do.
Result<UsageByInstance> ReadUsageFile(const std::string& path);

}  // namespace berth
