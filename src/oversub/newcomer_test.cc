#include "oversub/newcomer.h"

#include <gtest/gtest.h>

#include "oversub/slow_reference_testing.h"

namespace berth {
namespace {

using testing::ModelsOf;
using testing::RandomSlowTrace;
using testing::SlowTrace;

constexpr std::uint32_t kNewcomerRepetitions = 3;

// What a tenant of this trace needs that comes at a moment.
double NeedOf(const SlowTrace& trace, DemandResource resource, Step came, Step moment) {
  return moment < came ? 0 : trace.DemandAt(static_cast<int>(resource), moment - came);
}

TEST(Newcomer, StandsForWhoeverComesWithinItsTime) {
  Rng rng(1);
  for (int round = 0; round < 300; ++round) {
    SlowTrace trace = RandomSlowTrace(rng, 12, 1);
    trace.secondary = false;
    const auto library = TraceLibrary::Build(ModelsOf({trace})).value();
    const Newcomer::Arrival arrival{.begin = 100, .end = 106};
    const Newcomer newcomer(library, {}, {}, 1, arrival, kNewcomerRepetitions);
    const DemandCurve& curve = newcomer.curve(0);
    const Step last = arrival.end + trace.lifetime;
    ASSERT_EQ(curve.end, last);
    for (const DemandResource r : kAllDemandResources) {
      for (Step moment = arrival.begin + 1; moment <= last; ++moment) {
        double most = 0;
        for (Step came = arrival.begin; came <= arrival.end; ++came) {
          most = std::max(most, NeedOf(trace, r, came, moment));
        }
        const double needs = static_cast<double>(curve.At(r, moment)) / kLoadUnit;
        ASSERT_GE(needs, most - 0.01) << "at " << moment;
        ASSERT_LE(needs, trace.DemandAt(static_cast<int>(r), trace.lifetime - 1) + 0.01);
      }
      ASSERT_EQ(newcomer.greatest(r), curve.Maximum(r));
    }
  }
}

TEST(Newcomer, OfOneMomentIsWhoComesThen) {
  Rng rng(2);
  for (int round = 0; round < 300; ++round) {
    SlowTrace trace = RandomSlowTrace(rng, 30, 1);
    trace.secondary = false;
    const auto library = TraceLibrary::Build(ModelsOf({trace})).value();
    const Newcomer newcomer(library, {}, {}, 1, Newcomer::Arrival::At(50), kNewcomerRepetitions);
    for (const DemandResource r : kAllDemandResources) {
      for (Step moment = 51; moment <= 60 + trace.lifetime; ++moment) {
        ASSERT_NEAR(static_cast<double>(newcomer.curve(1).At(r, moment)) / kLoadUnit,
                    NeedOf(trace, r, 50, moment), 0.01);
      }
    }
  }
}

}  // namespace
}  // namespace berth
