// Randomness of requests, nodes and instances that depends on who asks for what alone: request 17
// takes as long at a service under every policy, and whatever happens before it.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "appsim/app_model.h"

namespace berth {

// Standard normal: what it stays below with probability p, 0 < p < 1. Wichura's AS 241, good to 16
// digits; base/normal.h has the slow and obvious one.
double FastNormalQuantile(double p);

class Draws {
 public:
  explicit Draws(std::uint64_t seed) : seed_(seed) {}

  // Of `use`, under this number and those after it.
  UsedAmounts Amounts(const SpreadUse& use, std::uint64_t number) const {
    UsedAmounts amounts{};
    for (std::size_t r = 0; r < kUsedCount; ++r) {
      amounts[r] = std::min(Whole(use[r], number + r), kAppAmountMax[r]);
    }
    return amounts;
  }
  double Of(const Spread& spread, std::uint64_t number) const {
    if (spread.kind == Spread::Kind::kConstant) return spread.mean;
    const double unit = Unit(number);
    if (spread.kind == Spread::Kind::kExponential) return -spread.mean * std::log(unit);
    const double drawn = spread.mean + spread.deviation * FastNormalQuantile(unit);
    return drawn > 0 ? drawn : 0;
  }
  std::int64_t Whole(const Spread& spread, std::uint64_t number) const {
    // Never below zero, and lround is a call that every hop would make.
    // NOLINTNEXTLINE(bugprone-incorrect-roundings)
    return static_cast<std::int64_t>(Of(spread, number) + 0.5);
  }

 private:
  // Over (0, 1): the number's place in SplitMix64.
  double Unit(std::uint64_t number) const {
    std::uint64_t z = seed_ + (number + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    z ^= z >> 31;
    return (static_cast<double>(z >> 11) + 0.5) * 0x1.0p-53;
  }

  std::uint64_t seed_;
};

}  // namespace berth
