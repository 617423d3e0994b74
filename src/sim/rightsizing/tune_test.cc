#include "sim/rightsizing/tune.h"

#include <gtest/gtest.h>

#include <sstream>

#include "rightsize/recommenders/ensemble.h"
#include "sim/rightsizing/generate_usage.h"

namespace berth {
namespace {

// By hand: slack (20 - 10)/20, half a percent of what was used above, three changes.
TEST(TuneEnsemble, ADaysCost) {
  const SizingDay day{.limit_mean = 20,
                      .usage_p95 = 10,
                      .used = 400,
                      .used_above = 2,
                      .samples = 100,
                      .samples_above = 4,
                      .changes = 3,
                      .instances = 2};
  const TuningPrices prices{.overrun = 10, .change = 0.01};
  EXPECT_DOUBLE_EQ(DayCost(day, Resource::kCpu, prices), 0.5 + 10 * 0.005 + 0.03);
  EXPECT_DOUBLE_EQ(DayCost(day, Resource::kMemory, prices), 0.5 + 10 * 2 + 0.03);
}

std::vector<ServiceUsage> SomeUsage() {
  std::ostringstream text;
  GenerateUsage({.services = 4, .days = 4}, 3, text);
  return ReadServiceUsage(LineReader::FromText(text.str(), "usage.csv")).value();
}

TuningOptions SomeOptions() {
  TuningOptions options;
  options.make = &NewWeighedEnsembleOf;
  options.grid = {.model_decays = {0.01F},
                  .overruns = {1, 10},
                  .limit_changes = {0, 0.1F},
                  .model_changes = {0}};
  return options;
}

// The slow way: each of the grid by itself.
TEST(TuneEnsemble, TakesWhatCostsLeast) {
  const std::vector<ServiceUsage> services = SomeUsage();
  const TuningOptions options = SomeOptions();
  double least = 1e9;
  EnsembleWeights best;
  for (const EnsembleWeights& weights : options.grid.All()) {
    double cost = 0;
    for (const ServiceUsage& usage : services) {
      const auto recommender = NewWeighedEnsembleOf({}, weights);
      const std::vector<SizingDay> days = RehearseSizing(usage, Resource::kCpu, *recommender);
      double sum = 0;
      for (const SizingDay& day : days) sum += DayCost(day, Resource::kCpu, options.prices);
      cost += sum / static_cast<double>(days.size());
    }
    cost /= static_cast<double>(services.size());
    if (cost < least) {
      least = cost;
      best = weights;
    }
  }
  const std::vector<TuningRound> rounds = TuneEnsemble(services, options);
  ASSERT_FALSE(rounds.empty());
  EXPECT_DOUBLE_EQ(rounds[0].cost, least);
  EXPECT_EQ(rounds[0].weights.overrun, best.overrun);
  EXPECT_EQ(rounds[0].weights.limit_change, best.limit_change);
}

TEST(TuneEnsemble, IsTheSameOnAnyNumberOfThreads) {
  const std::vector<ServiceUsage> services = SomeUsage();
  TuningOptions options = SomeOptions();
  const std::vector<TuningRound> one = TuneEnsemble(services, options);
  options.workers = 3;
  const std::vector<TuningRound> three = TuneEnsemble(services, options);
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_EQ(one[i].cost, three[i].cost);
    EXPECT_EQ(one[i].outliers, three[i].outliers);
  }
}

// Three are still; the fourth is at rest, too, but for one sample a day that nobody foresees.
TEST(TuneEnsemble, AnOutlierIsListedAndCountsMoreNextTime) {
  std::vector<ServiceUsage> services;
  for (int i = 0; i < 8; ++i) {
    ServiceUsage& usage = services.emplace_back();
    usage.service = "service-" + std::to_string(i);
    Time at(std::chrono::hours(24 * 365));
    for (int step = 0; step < 5 * 288; ++step) {
      const float used = i == 7 && step % 288 == 200 ? 50'000.0F : 100.0F;
      usage.windows.push_back({.begin = at, .cpu = {used}, .memory = {used}});
      at += kWindowLength;
    }
  }
  const std::vector<TuningRound> rounds = TuneEnsemble(services, SomeOptions());
  ASSERT_GE(rounds.size(), 2U);
  EXPECT_EQ(rounds[0].outliers, std::vector<std::string>{"service-7"});
  EXPECT_GT(rounds[1].cost, rounds[0].cost);
}

TEST(TuneEnsemble, OnlyTheDaysOfThePartAreScored) {
  TuningOptions options = SomeOptions();
  options.split = {.of = 1, .held_out = 0, .tuning_days = 2};
  options.part = SizingPart::kTuning;
  const std::vector<TuningRound> rounds = TuneEnsemble(SomeUsage(), options);
  ASSERT_FALSE(rounds.empty());
  EXPECT_EQ(rounds[0].totals.days, 4U);  // One of each service: the first teaches.
  options.part = SizingPart::kHeldOut;
  EXPECT_TRUE(TuneEnsemble(SomeUsage(), options).empty());
}

}  // namespace
}  // namespace berth
