#include "scale/space/count_path.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {
namespace {

template <typename Pick>
CountPath PickOfWindows(std::span<const std::uint32_t> counts, std::size_t window, Pick pick) {
  BERTH_CHECK(window > 0);
  CountPath picked(counts.size());
  for (std::size_t begin = 0; begin < counts.size(); begin += window) {
    const std::size_t end = std::min(counts.size(), begin + window);
    const std::uint32_t value = *pick(counts.begin() + static_cast<std::ptrdiff_t>(begin),
                                      counts.begin() + static_cast<std::ptrdiff_t>(end));
    for (std::size_t i = begin; i < end; ++i) picked[i] = value;
  }
  return picked;
}

}  // namespace

CountBand CountBand::Of(const CountLimits& limits, std::size_t steps) {
  return {.low = CountPath(steps, limits.min), .high = CountPath(steps, limits.max)};
}

CountPath ClampTo(const CountBand& band, CountPath counts) {
  for (std::size_t i = 0; i < counts.size(); ++i) {
    counts[i] = std::clamp(counts[i], band.low[i], band.high[i]);
  }
  return counts;
}

CountPath LeastOfWindows(std::span<const std::uint32_t> counts, std::size_t window) {
  return PickOfWindows(counts, window,
                       [](auto begin, auto end) { return std::min_element(begin, end); });
}

CountPath MostOfWindows(std::span<const std::uint32_t> counts, std::size_t window) {
  return PickOfWindows(counts, window,
                       [](auto begin, auto end) { return std::max_element(begin, end); });
}

CountPath OrderedAhead(std::span<const std::uint32_t> needed, std::size_t steps, std::size_t lead) {
  BERTH_CHECK(needed.size() >= steps + lead);
  CountPath ordered(steps);
  for (std::size_t i = 0; i < steps; ++i) {
    const auto until = needed.subspan(i, lead + 1);
    ordered[i] = *std::max_element(until.begin(), until.end());
  }
  return ordered;
}

}  // namespace berth
