#include "qos/victim_gate.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "qos/preemption.h"

namespace berth {
namespace {

using std::chrono::microseconds;

struct Pair {
  ClassTerms taker_terms;
  ClassTerms victim_terms;
  Leeway taker;
  Leeway victim;
  Time now;

  // As they stand when the one has waited and the other has run so much longer.
  Pair After(Duration later) const {
    const Time then = now + later;
    Pair pair = *this;
    pair.taker = FromWaitingKey(WaitingKey(taker, now), taker.target_ppm, then);
    pair.victim = FromRunningKey(RunningKey(victim, now), victim.target_ppm, then);
    pair.now = then;
    return pair;
  }
  bool MayPreempt() const { return berth::MayPreempt(taker_terms, taker, victim_terms, victim); }
  VictimGate Gate() const { return {taker_terms, taker, victim_terms, now}; }
};

Pair RandomPair(Rng& rng) {
  // Few microseconds, so that bounds are met exactly.
  const auto terms = [&] {
    const std::uint32_t targets[] = {1'000'000, 900'000, 500'000, 333'333};
    return ClassTerms{.target_ppm = targets[rng.Below(4)],
                      .rank = static_cast<std::uint32_t>(rng.Below(2)),
                      .margin = microseconds(rng.Below(4)),
                      .overhead_cap_ppm = 0};
  };
  Pair pair{terms(), terms(), {}, {}, TimeFromMicros(static_cast<std::int64_t>(rng.Below(100)))};
  const auto leeway = [&](const ClassTerms& of) {
    return Leeway{(Wide(rng.Below(16)) - 6) * of.target_ppm + Wide(rng.Below(3)) - 1,
                  of.target_ppm};
  };
  pair.taker = leeway(pair.taker_terms);
  pair.victim = leeway(pair.victim_terms);
  return pair;
}

TEST(VictimGate, SaysWhatMayPreemptSays) {
  Rng rng(1);
  for (int i = 0; i < 20'000; ++i) {
    const Pair pair = RandomPair(rng);
    const Wide key = RunningKey(pair.victim, pair.now);
    const VictimGate gate = pair.Gate();
    ASSERT_EQ(gate.Admits(key), pair.MayPreempt()) << i;
    if (pair.MayPreempt()) {
      ASSERT_GE(key, gate.least()) << i;
    }
  }
}

TEST(VictimGate, ForeseesWhoWillBeAdmitted) {
  Rng rng(2);
  int foreseen = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Pair pair = RandomPair(rng);
    const Wide key = RunningKey(pair.victim, pair.now);
    const bool at_risk = !AtLeast(pair.taker, pair.taker_terms.margin);
    for (std::int64_t later = 0; later < 20; ++later) {
      const Pair then = pair.After(microseconds(later));
      if (!at_risk && !AtLeast(then.taker, then.taker_terms.margin)) break;
      if (!then.MayPreempt()) continue;
      ASSERT_LE(pair.Gate().UntilAdmitted(key), microseconds(later)) << i;
      ASSERT_GE(key, pair.Gate().LeastAfter(microseconds(later))) << i;
      // Not only never too late: with equal margins on the dot.
      if (pair.taker_terms.margin == pair.victim_terms.margin) {
        ASSERT_EQ(pair.Gate().UntilAdmitted(key), microseconds(later)) << i;
      }
      foreseen += later > 0 ? 1 : 0;
      break;
    }
  }
  EXPECT_GT(foreseen, 1000);
}

}  // namespace
}  // namespace berth
