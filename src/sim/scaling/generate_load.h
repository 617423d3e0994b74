// The load of a service that nobody runs: days and quiet weekends, noise and bursts, and a queue
// that follows. Or, for services that are scaled both ways, two days of a load and two of ten times
// as much, over and over.
#pragma once

#include <cstdint>
#include <iosfwd>

namespace berth {

struct LoadShape {
  std::uint32_t days = 14;
  bool tenfold = false;
};

// As CSV, a row a minute, or every five of a tenfold load. Same seed, same bytes.
void GenerateLoad(const LoadShape& shape, std::uint64_t seed, std::ostream& out);

}  // namespace berth
