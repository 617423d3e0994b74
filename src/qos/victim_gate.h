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
  VictimGate(const ClassTerms& taker, const Leeway& takers, const ClassTerms& victim, Time now)
      : safe_falls_(kWholePpm - victim.target_ppm) {
    const Wide margin = Wide{victim.margin.count()} * victim.target_ppm;
    safe_ = RunningKey({margin, victim.target_ppm}, now);
    above_ = RunningKey({SmallestAbove(takers, victim.target_ppm), victim.target_ppm}, now);
    const bool at_risk = !AtLeast(takers, taker.margin);
    from_least_ = !(at_risk && taker.rank < victim.rank);
    safe_only_ = !(at_risk && taker.rank == victim.rank);
  }

  bool Admits(Wide key) const {
    // Of the less important all but the safe ones that have no more leeway than the taker.
    return from_least_ ? key >= least() : key < safe_ || key >= above_;
  }
  // No key below it is admitted.
  Wide least() const { return LeastAfter(Duration()); }

  // The taker waits and the victim runs on: no key below it will be admitted by then. A taker that
  // becomes at risk meanwhile needs another gate.
  Wide LeastAfter(Duration later) const {
    if (!from_least_) return -(Wide{1} << 126);
    const Wide above = above_ - Wide{later.count()} * kWholePpm;
    if (!safe_only_) return above;
    return std::max(above, safe_ - Wide{later.count()} * safe_falls_);
  }
  // How long until it might be admitted, then.
  Duration UntilAdmitted(Wide key) const {
    Duration until = UntilFallen(above_ - key, kWholePpm);
    if (!from_least_) return key < safe_ ? Duration() : until;
    if (safe_only_) until = std::max(until, UntilFallen(safe_ - key, safe_falls_));
    return until;
  }

 private:
  static Duration UntilFallen(Wide height, std::int64_t falls_a_micro) {
    if (height <= 0) return {};
    if (falls_a_micro == 0) return Duration::max();
    const Wide micros = (height + falls_a_micro - 1) / falls_a_micro;
    return Duration(static_cast<std::int64_t>(std::min<Wide>(micros, Duration::max().count())));
  }

  // The smallest scaled leeway of this target that is more than `leeway`.
  static Wide SmallestAbove(const Leeway& leeway, std::uint32_t target_ppm) {
    if (leeway.target_ppm == target_ppm) return leeway.scaled + 1;
    const Wide product = leeway.scaled * target_ppm;
    const Wide quotient = product / leeway.target_ppm;
    const bool rounded_up = product % leeway.target_ppm < 0;
    return quotient + (rounded_up ? 0 : 1);
  }

  // Keys of one that is just safe, and of one that has just more leeway than the taker. Both fall.
  Wide safe_ = 0;
  Wide above_ = 0;
  std::int64_t safe_falls_;  // A microsecond; `above_` falls by kWholePpm.
  bool from_least_ = true;   // Otherwise everybody is admitted, but see Admits.
  bool safe_only_ = true;
};

}  // namespace berth
