#include "scale/scaling_policy.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

Result<ScalingPolicy> ReadPolicy(std::string_view text, const ProgramNames& programs = {}) {
  BERTH_TRY(const Document document, ParseDocument(text, "p.yaml"));
  return ParseScalingPolicy(document.root(), programs);
}

TEST(ScalingPolicy, WithoutTheSectionEverybodyIsCountedAndNobodyScaled) {
  const Result<ScalingPolicy> read = ReadPolicy("name: other\n");
  ASSERT_TRUE(read.ok()) << read.status().message();
  const LiveScaling& web = read.value().Of("web");
  EXPECT_EQ(web.mode, ScalingMode::kDryRun);
  EXPECT_EQ(web.scaling.scaler, "utilisation");
  EXPECT_EQ(web.scaling.max, kGangMax);
  EXPECT_EQ(web.For(250).basis.reference_milli, 250);
}

TEST(ScalingPolicy, AServiceIsAsAllButForWhatItSays) {
  const Result<ScalingPolicy> read = ReadPolicy(
      "scaling:\n"
      "  mode: auto\n"
      "  max: 50\n"
      "  target: 0.7\n"
      "  smoothing: {defer_down: 2h, halve_in: 1h}\n"
      "  services:\n"
      "    - {name: web, max: 9, reference: 500m, smoothing: {defer_down: 30m}}\n"
      "    - {name: db, mode: dry_run, role: secondary}\n");
  ASSERT_TRUE(read.ok()) << read.status().message();
  const LiveScaling& web = read.value().Of("web");
  EXPECT_EQ(web.mode, ScalingMode::kAuto);
  EXPECT_EQ(web.scaling.max, 9U);
  EXPECT_EQ(web.scaling.basis.target, 0.7);
  EXPECT_EQ(web.For(250).basis.reference_milli, 500);
  EXPECT_EQ(web.scaling.smoothing.defer_down, std::chrono::minutes(30));
  EXPECT_EQ(web.scaling.smoothing.halve_in, std::chrono::hours(1));
  EXPECT_EQ(read.value().Of("db").mode, ScalingMode::kDryRun);
  EXPECT_EQ(read.value().Of("db").role, "secondary");
  EXPECT_EQ(read.value().Of("any").scaling.max, 50U);
}

TEST(ScalingPolicy, WhatIsWrongIsNamedWithItsPlace) {
  const auto error = [](std::string_view text) { return ReadPolicy(text).status().message(); };
  EXPECT_EQ(error("scaling: {mode: auto}"),
            "p.yaml:1:10: scaling: the mode auto needs max: how many replicas there may be at "
            "most");
  EXPECT_NE(error("scaling: {mode: initial}").find("there are off, dry_run, auto"),
            std::string::npos);
  EXPECT_NE(error("scaling: {min: 0}").find("min must be 1 or more"), std::string::npos);
  EXPECT_NE(error("scaling: {max: 2001}").find("max may be 2,000 at most"), std::string::npos);
  EXPECT_NE(error("scaling: {scaler: fixed}").find("needs replicas"), std::string::npos);
  EXPECT_NE(error("scaling: {services: [{name: a}, {name: a}]}").find("'a' is there twice"),
            std::string::npos);
  EXPECT_NE(error("scaling: {tarket: 1}").find("unknown field 'tarket'"), std::string::npos);
}

TEST(ScalingPolicy, AProgramIsOneThatTheServerHas) {
  const ProgramNames programs({"median"});
  const auto error = [&](std::string_view text) {
    return ReadPolicy(text, programs).status().message();
  };
  EXPECT_EQ(
      ReadPolicy("scaling: {scaler: 'external:median'}", programs).value().Of("web").scaling.scaler,
      "external:median");
  EXPECT_EQ(error("scaling: {services: [{name: web, scaler: 'external:mean'}]}"),
            "p.yaml:1:42: scaling.services[0].scaler: there is no program 'mean' here; start the "
            "server with --program mean=PATH");
  EXPECT_NE(error("scaling: {scaler: 'external:./mean.py'}").find("is no name of a program"),
            std::string::npos);
}

TEST(ScalingPolicy, WhatIsKnownHoldsUnderAnotherTargetAndNotUnderAnotherWindow) {
  ServiceScaling scaling;
  const std::string key = StateKeyOf(scaling);
  scaling.basis.target = 0.9;
  scaling.max = 7;
  EXPECT_EQ(StateKeyOf(scaling), key);
  scaling.basis.window = std::chrono::minutes(1);
  EXPECT_NE(StateKeyOf(scaling), key);
}

}  // namespace
}  // namespace berth
