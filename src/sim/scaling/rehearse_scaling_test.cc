#include "sim/scaling/rehearse_scaling.h"

#include <gtest/gtest.h>

#include <sstream>

#include "sim/scaling/generate_load.h"
#include "sim/scaling/restlessness.h"

namespace berth {
namespace {

using std::chrono::minutes;

ServiceLoad LoadOf(const std::vector<std::optional<double>>& cpu_milli) {
  ServiceLoad load;
  for (std::size_t i = 0; i < cpu_milli.size(); ++i) {
    load.rows.push_back({.at = Time(minutes(5) * static_cast<std::int64_t>(i)),
                         .cpu_milli = cpu_milli[i],
                         .metrics = {}});
  }
  return load;
}

ScalingOutcome Rehearse(const ServiceLoad& load, const ScalingRehearsal& rehearsal) {
  Result<ScalingOutcome> outcome = RehearseScaling(load, rehearsal);
  EXPECT_TRUE(outcome.ok()) << outcome.status().message();
  return std::move(outcome).value();
}

// Replicas of 500m at 60% take 300m each. The load asks for 2, 4, 4 and 1 of them.
TEST(RehearseScaling, CountsWhatIsShortAndWhatIsOver) {
  const ScalingRehearsal rehearsal{
      .scaling = {.basis = {.reference_milli = 500, .horizon = minutes(5), .replicas = 2}}};
  const ScalingOutcome outcome = Rehearse(LoadOf({600, 1200, 1200, 300, 300}), rehearsal);
  std::vector<std::uint32_t> replicas;
  std::vector<std::uint32_t> answering;
  for (const ScalingStep& step : outcome.steps) {
    replicas.push_back(step.replicas);
    answering.push_back(step.answering);
  }
  // Two replicas use 1000m at most of the 1200m: as much as four take at 60%.
  EXPECT_EQ(replicas, (std::vector<std::uint32_t>{2, 4, 4, 1, 1}));
  EXPECT_EQ(answering, (std::vector<std::uint32_t>{2, 2, 4, 1, 1}));
  const ScalingTotals totals = SumUp(outcome.steps);
  EXPECT_DOUBLE_EQ(totals.replicas_mean, 11.0 / 4);
  EXPECT_DOUBLE_EQ(totals.unserved, 200.0 / 3300);
  EXPECT_DOUBLE_EQ(totals.time_short, 1.0 / 4);
  EXPECT_DOUBLE_EQ(totals.over, 0);
  // Two changes in 20 minutes.
  EXPECT_DOUBLE_EQ(totals.changes_a_day, 144);
}

TEST(RehearseScaling, WhatWasNotMeasuredChangesNothing) {
  const ScalingRehearsal rehearsal{
      .scaling = {.scaler = "hpa", .basis = {.reference_milli = 500, .replicas = 2}}};
  const ScalingOutcome outcome = Rehearse(LoadOf({900, std::nullopt, 900}), rehearsal);
  EXPECT_EQ(outcome.steps[0].replicas, 3U);
  EXPECT_EQ(outcome.steps[1].replicas, 3U);
  EXPECT_EQ(outcome.steps[1].load_milli, 900);
}

TEST(RehearseScaling, AMetricThatTheLoadLacksIsNamed) {
  const ScalingRehearsal rehearsal{
      .scaling = {.scaler = "metric", .basis = {.expression = "queue / 2"}}};
  EXPECT_EQ(RehearseScaling(LoadOf({1, 1}), rehearsal).status().message(),
            "the load has no column 'queue', which the scaler's expression names; add it, or use "
            "cpu_milli or replicas");
}

TEST(Restlessness, ASwingOfAFifthIsATurn) {
  EXPECT_EQ(Turns(std::vector<double>{}), 0U);
  EXPECT_EQ(Turns(std::vector<double>{1, 1.1, 1, 1.15, 1}), 0U);
  EXPECT_EQ(Turns(std::vector<double>{1, 2, 3, 4, 3.5, 5}), 0U);
  EXPECT_EQ(Turns(std::vector<double>{1, 2, 1, 2, 1}), 3U);
  EXPECT_EQ(Turns(std::vector<double>{4, 3, 2, 1}), 0U);
  EXPECT_EQ(Turns(std::vector<double>{4, 1, 1.1, 1.3}), 1U);
}

ServiceLoad TenfoldLoad() {
  std::ostringstream out;
  GenerateLoad({.days = 14, .tenfold = true}, 1, out);
  return ReadServiceLoad(LineReader::FromText(out.str(), "generated")).value();
}

Restlessness Beside(const std::string& scaler, const std::string& recommender,
                    UtilisationBasis utilisation_of, double target = 0.6) {
  const ServiceLoad load = TenfoldLoad();
  ScalingRehearsal rehearsal{
      .scaling = {.scaler = scaler,
                  .basis = {.target = target, .reference_milli = 500, .replicas = 20},
                  .min = 2,
                  .max = 400}};
  const ScalingOutcome alone = Rehearse(load, rehearsal);
  rehearsal.recommender = FindRecommender(recommender).value();
  rehearsal.utilisation_of = utilisation_of;
  return CompareCounts(Rehearse(load, rehearsal).steps, alone.steps);
}

// 14 days under a load that is ten times as much every second pair of days.
TEST(VerticalAndHorizontal, SettleByTheRule) {
  for (const std::string scaler : {"hpa", "utilisation"}) {
    for (const std::string recommender : {"window", "ensemble", "vpa"}) {
      // At 0.6 the limit stays at the reference; at 0.9 it is more.
      for (const double target : {0.6, 0.9}) {
        const Restlessness found =
            Beside(scaler, recommender, UtilisationBasis::kReference, target);
        EXPECT_TRUE(found.IsSettled())
            << scaler << ", " << recommender << " at " << target << ": " << found.least << " to "
            << found.most << ", turns " << found.turns;
      }
    }
  }
}

TEST(VerticalAndHorizontal, ChaseEachOtherWithoutIt) {
  for (const std::string recommender : {"window", "vpa"}) {
    const Restlessness found = Beside("hpa", recommender, UtilisationBasis::kLimit);
    EXPECT_FALSE(found.IsSettled()) << recommender;
    EXPECT_GE(found.turns, 3U) << recommender << ": " << found.least << " to " << found.most;
  }
}

}  // namespace
}  // namespace berth
