#include "scale/scaling_settings.h"

#include <gtest/gtest.h>

#include "scale/shared_cpu.h"

namespace berth {
namespace {

Result<ServiceScaling> Read(std::string_view text) {
  BERTH_TRY(const Document document, ParseDocument(text, "s.yaml"));
  return ReadServiceScaling(document.root());
}

TEST(ScalingSettings, ReadsWhatIsThereAndLeavesTheRest) {
  const Result<ServiceScaling> read = Read(
      "scaler: metric\nmin: 2\nmax: 9\nreplicas: 4\ntarget: 0.7\nreference: 250m\nwindow: 1m\n"
      "horizon: 1h\nstatistic: p95\nexpression: queue / 2\n"
      "smoothing: {defer_down: 2h, halve_in: 30m, ignore_below: 0.2, starting_max: 0.5}\n");
  ASSERT_TRUE(read.ok()) << read.status().message();
  const ServiceScaling& scaling = read.value();
  EXPECT_EQ(scaling.scaler, "metric");
  EXPECT_EQ(scaling.min, 2U);
  EXPECT_EQ(scaling.max, 9U);
  EXPECT_EQ(scaling.basis.replicas, 4U);
  EXPECT_EQ(scaling.basis.target, 0.7);
  EXPECT_EQ(scaling.basis.reference_milli, 250);
  EXPECT_EQ(scaling.basis.window, std::chrono::minutes(1));
  EXPECT_EQ(scaling.basis.horizon, std::chrono::hours(1));
  EXPECT_EQ(scaling.basis.statistic, LoadStatistic::kP95);
  EXPECT_EQ(scaling.basis.expression, "queue / 2");
  EXPECT_EQ(scaling.smoothing.defer_down, std::chrono::hours(2));
  EXPECT_EQ(scaling.smoothing.halve_in, std::chrono::minutes(30));
  EXPECT_EQ(scaling.smoothing.ignore_below, 0.2);
  EXPECT_EQ(scaling.smoothing.starting_max, 0.5);
  const Result<ServiceScaling> none = Read("{}");
  ASSERT_TRUE(none.ok()) << none.status().message();
  EXPECT_EQ(none.value().scaler, "utilisation");
  EXPECT_EQ(none.value().basis.horizon, std::chrono::hours(72));
}

TEST(ScalingSettings, WhatIsWrongIsNamedWithItsPlace) {
  const auto error = [](std::string_view text) { return Read(text).status().message(); };
  EXPECT_EQ(error("min: 5\nmax: 2\n"), "s.yaml:1:1: top level: min is more than max");
  EXPECT_NE(error("statistic: p90").find("s.yaml:1:12: statistic: is max or p95, not 'p90'"),
            std::string::npos)
      << error("statistic: p90");
  EXPECT_NE(error("scaler: metric").find("needs an expression"), std::string::npos);
  EXPECT_NE(error("scaler: hpq").find("there is none of that name"), std::string::npos);
  EXPECT_NE(error("target: 0").find("target"), std::string::npos);
  EXPECT_NE(error("smooth: 1").find("unknown field 'smooth'"), std::string::npos);
}

TEST(SharedCpu, TheLimitDoesNotFallBelowWhatReplicasAreCountedBy) {
  ServiceScaling scaling{.basis = {.reference_milli = 500}};
  const SizeAdvice small{.target = 300, .lower = 200, .upper = 400};
  const BoundedAdvice kept =
      ApplyBounds(Resource::kCpu, small, 500, BoundsBesideScaler({}, scaling));
  EXPECT_EQ(kept.advice, (SizeAdvice{.target = 500, .lower = 500, .upper = 500}));
  ASSERT_EQ(kept.notes.size(), 1U);
  EXPECT_EQ(kept.notes[0], "raised from 300m to 500m, by which its replicas are counted");
  const SizeAdvice large{.target = 900, .lower = 800, .upper = 1000};
  EXPECT_EQ(ApplyBounds(Resource::kCpu, large, 500, BoundsBesideScaler({}, scaling)).advice, large);
  scaling.scaler = "fixed";
  EXPECT_EQ(ApplyBounds(Resource::kCpu, small, 500, BoundsBesideScaler({}, scaling)).advice, small);
}

}  // namespace
}  // namespace berth
