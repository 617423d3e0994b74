// Whether a count moves on its own: beside a vertical recommender it must be what it would have
// been without one, or near. What is looked at is the one divided by the other, day by day: if it
// turns back and forth, the two recommenders chase each other; if it wanders off, one of them runs
// away from the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/scaling/rehearse_scaling.h"

namespace berth {

struct Restlessness {
  double least = 1;  // Of the day means of the one count over those of the other,
  double most = 1;   // from the second day on.
  std::uint32_t turns = 0;

  // Within a fifth of where it should be, and turning at most once.
  bool IsSettled() const { return least > 1 / 1.2 && most < 1.2 && turns <= 1; }
};

// How often values change direction; a way back by less than a fifth is none.
std::uint32_t Turns(std::span<const double> values);

// Both of the same load.
Restlessness CompareCounts(const std::vector<ScalingStep>& both,
                           const std::vector<ScalingStep>& alone);

}  // namespace berth
