// The series that say what instances use, as the engine's resources.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "berth/records.h"
#include "fleet/inventory.h"
#include "usage/samples.h"

namespace berth {

// In the units of the proto's Resources, and in their order.
inline constexpr std::array<std::string_view, kResourceCount> kUsageMetrics = {
    "cpu_milli", "memory_bytes", "disk_bytes", "network_mbit", "gpu_milli"};
std::optional<Resource> ResourceOfMetric(std::string_view metric);

// Rounded up; nothing for what is no amount.
std::int64_t WholeAmount(double value);

// What is kept of an instance's usage. Of a resource that was not sampled it is less than nothing.
struct KeptUsage {
  Resources now;   // The mean of the last five minutes in which there were samples.
  Resources peak;  // The most.
  Time at;         // When last seen.
};
// Calls f for every instance of the fleet of which samples are kept, with those since it was
// created: what is older is of another that had its name.
void ForEachUsage(const Samples& samples, const Inventory& fleet,
                  const std::function<void(const Instance&, const KeptUsage&)>& f);

}  // namespace berth
