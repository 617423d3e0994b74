// Which of a class one that waits may preempt, as bounds on running keys: asking about a victim is
// then a comparison or two. Says the same as MayPreempt, for one taker at one time.
#pragma once

#include <algorithm>
#include <cstdint>

#include "qos/availability.h"
#include "qos/class_terms.h"

namespace berth {

class VictimGate {
 public:
  VictimGate(const ClassTerms& taker, const Leeway& takers, const ClassTerms& victim, Time now) {
    const Wide safe = RunningKey({Wide{victim.margin.count()} * victim.target_ppm,  //
                                  victim.target_ppm},
                                 now);
    const Wide above =
        RunningKey({SmallestAbove(takers, victim.target_ppm), victim.target_ppm}, now);
    const bool at_risk = !AtLeast(takers, taker.margin);
    if (at_risk && taker.rank < victim.rank) {
      // All but the safe ones that have no more leeway than the taker.
      refused_begin_ = safe;
      refused_end_ = std::max(safe, above);
    } else {
      least_ = at_risk && taker.rank == victim.rank ? above : std::max(safe, above);
    }
  }

  bool Admits(Wide key) const {
    return key >= least_ && (key < refused_begin_ || key >= refused_end_);
  }
  // No key below it is admitted.
  Wide least() const { return least_; }

 private:
  // The smallest scaled leeway of this target that is more than `leeway`.
  static Wide SmallestAbove(const Leeway& leeway, std::uint32_t target_ppm) {
    if (leeway.target_ppm == target_ppm) return leeway.scaled + 1;
    const Wide product = leeway.scaled * target_ppm;
    const Wide quotient = product / leeway.target_ppm;
    const bool rounded_up = product % leeway.target_ppm < 0;
    return quotient + (rounded_up ? 0 : 1);
  }

  Wide least_ = -(Wide{1} << 126);
  Wide refused_begin_ = 0;
  Wide refused_end_ = 0;
};

}  // namespace berth
