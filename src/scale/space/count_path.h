// Counts of instances over the steps of a plan, and what is done to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace berth {

using CountPath = std::vector<std::uint32_t>;  // One count a step.

struct CountLimits {
  std::uint32_t min = 1;
  std::uint32_t max = 100;
};

// The least or the most that there may be in each step: bounds need not be the same at all times.
struct CountBand {
  CountPath low{};
  CountPath high{};

  static CountBand Of(const CountLimits& limits, std::size_t steps);
};

CountPath ClampTo(const CountBand& band, CountPath counts);

// The least, or the most, of each window of so many steps, from the window's first step on. The
// last window may be shorter.
CountPath LeastOfWindows(std::span<const std::uint32_t> counts, std::size_t window);
CountPath MostOfWindows(std::span<const std::uint32_t> counts, std::size_t window);

// What must be ordered in each of the first steps, if what is ordered takes `lead` steps to come:
// the most that is needed from then until it is there. So growth is ordered ahead of its time, and
// nothing goes while it is still needed. The path is at least `steps + lead` long.
CountPath OrderedAhead(std::span<const std::uint32_t> needed, std::size_t steps, std::size_t lead);

}  // namespace berth
