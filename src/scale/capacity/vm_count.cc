#include "scale/capacity/vm_count.h"

#include <algorithm>
#include <limits>
#include <tuple>

#include "berth/check.h"

namespace berth {

std::optional<std::uint64_t> VmCountBound(std::uint32_t instances, const Resources& need,
                                          const Resources& capacity) {
  std::uint64_t most = 0;
  for (const Resource r : kAllResources) {
    if (need[r] == 0 || instances == 0) continue;
    if (capacity[r] == 0) return std::nullopt;
    const ResourceTotals::Wide sum = ResourceTotals::Wide{need[r]} * instances;
    const ResourceTotals::Wide count = (sum + capacity[r] - 1) / capacity[r];
    constexpr ResourceTotals::Wide kMost = std::numeric_limits<std::int64_t>::max();
    most = std::max(most, static_cast<std::uint64_t>(std::min(count, kMost)));
  }
  return most;
}

std::uint32_t InstancesPerVm(const Resources& need, const Resources& capacity) {
  BERTH_CHECK(!need.IsZero());
  std::int64_t fewest = std::numeric_limits<std::uint32_t>::max();
  for (const Resource r : kAllResources) {
    if (need[r] > 0) fewest = std::min(fewest, capacity[r] / need[r]);
  }
  return static_cast<std::uint32_t>(fewest);
}

std::optional<std::uint64_t> VmCount(std::uint32_t instances, const Resources& need,
                                     const Resources& capacity) {
  const std::uint64_t each = InstancesPerVm(need, capacity);
  if (each == 0) return std::nullopt;
  return (instances + each - 1) / each;
}

std::optional<VmChoice> CheapestVmType(std::uint32_t instances, const Resources& need,
                                       std::span<const VmType> types) {
  std::optional<VmChoice> best;
  for (std::size_t t = 0; t < types.size(); ++t) {
    const std::optional<std::uint64_t> count = VmCount(instances, need, types[t].capacity);
    if (!count) continue;
    const std::int64_t price = static_cast<std::int64_t>(*count) * types[t].hour_micros;
    if (best && std::tie(price, *count) >= std::tie(best->hour_micros, best->count)) continue;
    best = VmChoice{.type = t,
                    .count = *count,
                    .count_bound = VmCountBound(instances, need, types[t].capacity).value_or(0),
                    .hour_micros = price};
  }
  return best;
}

}  // namespace berth
