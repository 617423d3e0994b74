// How often each value was seen: exact quantiles of many small numbers in little room.
#pragma once

#include <cstdint>
#include <map>

#include "berth/time.h"

namespace berth {

class Tally {
 public:
  void Add(std::uint64_t value, std::uint64_t times = 1);
  // The smallest value that at least q of what was seen does not exceed; 0 if nothing was seen.
  std::uint64_t Quantile(double q) const;
  std::uint64_t Most() const { return counts_.empty() ? 0 : counts_.rbegin()->first; }
  std::uint64_t total() const { return total_; }
  const std::map<std::uint64_t, std::uint64_t>& counts() const { return counts_; }

 private:
  std::map<std::uint64_t, std::uint64_t> counts_;
  std::uint64_t total_ = 0;
};

// How many events came in each interval, those without any included.
class RateMeter {
 public:
  explicit RateMeter(Duration interval) : interval_(interval) {}

  // Counting begins; what came before is forgotten.
  void Begin(Time now);
  void Note(Time now);
  // The intervals that are over by now.
  Tally Until(Time now);

 private:
  void Advance(Time now);

  Duration interval_;
  Time began_;                // The interval at hand,
  std::uint64_t events_ = 0;  // and what came in it.
  Tally tally_;
};

}  // namespace berth
