#include "sim/tally.h"

#include <cmath>
#include <utility>

#include "berth/check.h"

namespace berth {

void Tally::Add(std::uint64_t value, std::uint64_t times) {
  if (times == 0) return;
  counts_[value] += times;
  total_ += times;
}

std::uint64_t Tally::Quantile(double q) const {
  BERTH_CHECK(q >= 0 && q <= 1);
  // 0.07 * 100 is a little over 7 in binary; the rank meant is 7.
  constexpr double kRoundingSlack = 1 - 1e-12;
  const double rank = std::ceil(q * static_cast<double>(total_) * kRoundingSlack);
  std::uint64_t seen = 0;
  for (const auto& [value, times] : counts_) {
    seen += times;
    if (static_cast<double>(seen) >= rank) return value;
  }
  return 0;
}

void RateMeter::Begin(Time now) {
  began_ = now;
  events_ = 0;
  tally_ = Tally();
}

void RateMeter::Note(Time now) {
  Advance(now);
  ++events_;
}

Tally RateMeter::Until(Time now) {
  Advance(now);
  return tally_;
}

void RateMeter::Advance(Time now) {
  const std::int64_t passed = (now - began_) / interval_;
  if (passed <= 0) return;
  tally_.Add(std::exchange(events_, 0));
  tally_.Add(0, static_cast<std::uint64_t>(passed - 1));
  began_ += passed * interval_;
}

}  // namespace berth
