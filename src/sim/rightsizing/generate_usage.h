// Usage of services that nobody runs: days and quiet weekends, noise, bursts, memory that grows
// until a restart, and limits as owners set them, mostly several times what is needed.
#pragma once

#include <cstdint>
#include <iosfwd>

namespace berth {

struct UsageShape {
  std::uint32_t services = 20;
  std::uint32_t days = 14;
};

// As CSV, one row every five minutes for each instance. Same seed, same bytes.
void GenerateUsage(const UsageShape& shape, std::uint64_t seed, std::ostream& out);

}  // namespace berth
