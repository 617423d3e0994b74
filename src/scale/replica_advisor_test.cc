#include "scale/replica_advisor.h"

#include <gtest/gtest.h>

#include "berth/rng.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

ReplicaAdvisor MakeAdvisor(const ServiceScaling& scaling) {
  Result<ReplicaAdvisor> made = ReplicaAdvisor::Make(scaling);
  EXPECT_TRUE(made.ok()) << made.status().message();
  return std::move(made).value();
}

TEST(ReplicaAdvisor, SaysWhatChangedTheCountOnItsWay) {
  ReplicaAdvisor advisor = MakeAdvisor({.basis = {.reference_milli = 500, .horizon = minutes(5)},
                                        .min = 2,
                                        .max = 20,
                                        .smoothing = {.halve_in = hours(1), .starting_max = 0.2}});
  EXPECT_EQ(advisor.advice(), std::nullopt);
  advisor.Observe({.at = Time(hours(1)), .replicas = 10, .cpu_milli = 9000});
  EXPECT_EQ(advisor.advice()->count, 12U);
  EXPECT_EQ(advisor.advice()->why,
            "30: the most of the last 5m is 9 of cpu, at 60% of 500m a replica; 12 held back: at "
            "most 20% may be starting");
  advisor.Observe({.at = Time(hours(2)), .replicas = 19, .cpu_milli = 9000});
  EXPECT_EQ(advisor.advice()->count, 20U);
  EXPECT_NE(advisor.advice()->why.find("; cut to its most, 20"), std::string::npos);
  advisor.Observe({.at = Time(hours(3)), .replicas = 2, .cpu_milli = 10});
  EXPECT_EQ(advisor.advice()->count, 2U);
  EXPECT_EQ(advisor.advice()->why,
            "1: the most of the last 5m is 10m of cpu, at 60% of 500m a replica; 2 slowed: from 2 "
            "half go in 1h");
}

TEST(ReplicaAdvisor, NeverLeavesItsBoundsWhateverComes) {
  Rng rng(11);
  for (const ScalerEntry& entry : Scalers()) {
    ReplicaAdvisor advisor =
        MakeAdvisor({.scaler = std::string(entry.name),
                     .basis = {.expression = "replicas * 2 - cpu_milli / 100", .replicas = 90},
                     .min = 3,
                     .max = 40,
                     .smoothing = {.defer_down = hours(1),
                                   .halve_in = hours(1),
                                   .ignore_below = 0.1,
                                   .starting_max = 0.3}});
    Time now(hours(10));
    std::uint32_t replicas = 0;
    for (int i = 0; i < 2000; ++i) {
      now += minutes(static_cast<std::int64_t>(rng.Below(20)));
      const auto starting = static_cast<std::uint32_t>(rng.Below(replicas + 1));
      advisor.Observe({.at = now,
                       .replicas = replicas,
                       .starting = starting,
                       .cpu_milli = starting == replicas ? 0 : 60'000 * rng.Unit()});
      if (!advisor.advice()) {
        ++replicas;
        continue;
      }
      replicas = advisor.advice()->count;
      ASSERT_GE(replicas, 3U) << entry.name;
      ASSERT_LE(replicas, 40U) << entry.name;
      if (rng.Below(50) == 0) replicas = static_cast<std::uint32_t>(rng.Below(100));
    }
  }
}

TEST(ReplicaAdvisor, TheHpaIsNotSmoothedASecondTime) {
  ReplicaAdvisor advisor = MakeAdvisor(
      {.scaler = "hpa", .basis = {.reference_milli = 500}, .smoothing = {.starting_max = 0.1}});
  advisor.Observe({.at = Time(hours(1)), .replicas = 10, .cpu_milli = 9000});
  EXPECT_EQ(advisor.advice()->count, 20U);
}

TEST(ReplicaAdvisor, IsRestoredWholeOrNotAtAll) {
  const ServiceScaling scaling{.basis = {.reference_milli = 500},
                               .smoothing = {.defer_down = hours(1), .halve_in = hours(1)}};
  ReplicaAdvisor one = MakeAdvisor(scaling);
  one.Observe({.at = Time(hours(1)), .replicas = 10, .cpu_milli = 9000});
  ReplicaAdvisor other = MakeAdvisor(scaling);
  ASSERT_TRUE(other.Restore(one.Save()).ok());
  EXPECT_EQ(other.Save(), one.Save());
  const ReplicaLoad next{.at = Time(hours(1) + minutes(5)), .replicas = 30, .cpu_milli = 100};
  one.Observe(next);
  other.Observe(next);
  EXPECT_EQ(one.advice(), other.advice());
  const std::string before = one.Save();
  EXPECT_EQ(one.Restore(MakeAdvisor({}).Save()).message(),
            "this is the state of another scaler, or of other smoothing");
  EXPECT_FALSE(one.Restore(before + "\x0a\x01!").ok());
  EXPECT_EQ(one.Save(), before);
  EXPECT_EQ(one.advice(), other.advice());
}

}  // namespace
}  // namespace berth
