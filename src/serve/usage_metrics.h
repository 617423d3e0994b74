// The series that say what instances use, as the engine's resources.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "berth/resources.h"

namespace berth {

// In the units of the proto's Resources, and in their order.
inline constexpr std::array<std::string_view, kResourceCount> kUsageMetrics = {
    "cpu_milli", "memory_bytes", "disk_bytes", "network_mbit", "gpu_milli"};
std::optional<Resource> ResourceOfMetric(std::string_view metric);

// Rounded up; nothing for what is no amount.
std::int64_t WholeAmount(double value);

}  // namespace berth
