// The series that say what instances use, as the engine's resources.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "berth/records.h"
#include "usage/samples.h"

namespace berth {

// In the units of the proto's Resources, and in their order.
inline constexpr std::array<std::string_view, kResourceCount> kUsageMetrics = {
    "cpu_milli", "memory_bytes", "disk_bytes", "network_mbit", "gpu_milli"};
std::optional<Resource> ResourceOfMetric(std::string_view metric);

// Rounded up; nothing for what is no amount.
std::int64_t WholeAmount(double value);

// Calls f(instance, most, when last seen) for every instance of which samples are kept.
void ForEachPeak(const Samples& samples, Time now,
                 const std::function<void(const InstanceId&, const Resources&, Time)>& f);

}  // namespace berth
