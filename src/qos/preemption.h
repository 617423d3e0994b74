// Who may take whose place (section 3.3.1). "Sigma" in the paper's relaxations is the margin.
#pragma once

#include "qos/availability.h"
#include "qos/class_terms.h"

namespace berth {

// Whether one that waits may preempt one that runs. The overhead cap is not asked here.
inline bool MayPreempt(const ClassTerms& taker, const Leeway& takers, const ClassTerms& victim,
                       const Leeway& victims) {
  if (AtLeast(victims, victim.margin)) return takers < victims;
  // Both at risk: the more important takes, and among equals who is worse off.
  if (AtLeast(takers, taker.margin)) return false;
  return taker.rank == victim.rank ? takers < victims : taker.rank < victim.rank;
}

// Of one class: what the start of one of them costs is not known, so that no overhead cap would end
// their taking turns. It yields only when it has its margin and the other has not.
inline bool MayDisturbStart(const ClassTerms& terms, const Leeway& takers, const Leeway& victims) {
  return !AtLeast(takers, terms.margin) && AtLeast(victims, terms.margin);
}

}  // namespace berth
