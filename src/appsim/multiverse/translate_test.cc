#include "appsim/multiverse/translate.h"

#include <gtest/gtest.h>

#include "appsim/multiverse/read_set.h"
#include "support/paths.h"

namespace berth::multiverse {
namespace {

ExperimentFolder ShopFolder() {
  return ReadExperimentFolder((testing::SourceDir() / "testdata" / "multiverse" / "shop").string(),
                              "eager")
      .value();
}

TEST(MultiverseTranslation, KeepsWhatTheFilesSayInTheUnitsOfTheExactSimulator) {
  const ExperimentFolder folder = ShopFolder();
  const Result<AppModel> model = TranslateApplication(folder.cells[0].set, folder.run, 1);
  ASSERT_TRUE(model.ok()) << model.status().message();
  const AppService& stock = model.value().services[2];
  EXPECT_EQ(stock.need[Resource::kCpu], 360);
  EXPECT_EQ(stock.need[Resource::kMemory], 288LL << 20);
  EXPECT_EQ(stock.idle[0].mean, 300);
  EXPECT_EQ(stock.boot.mean, 250'000);
  EXPECT_EQ(model.value().request_types[0].times[1].upstream.mean, 120'000);
  EXPECT_EQ(model.value().node_types[0].vm.hour_micros, 10'000);
  EXPECT_EQ(model.value().node_types[0].vm.capacity[Resource::kMemory], 1LL << 30);
  const AppLoad& load = model.value().regions[0].loads[0];
  ASSERT_GE(load.rates.size(), 240U);
  EXPECT_EQ(load.rates[119], 2);
  EXPECT_EQ(load.rates[120], 6);
}

TEST(MultiverseTranslation, InstancesAreSpreadOverTheNodesOfAGroup) {
  ExperimentFolder folder = ShopFolder();
  folder.cells[0].set.deployment[0].nodes = 2;
  folder.cells[0].set.deployment[0].instances = 5;
  const AppModel model = TranslateApplication(folder.cells[0].set, folder.run, 1).value();
  EXPECT_EQ(model.regions[0].deployment[0].instances[0], 3U);
  EXPECT_EQ(model.regions[0].deployment[1].instances[0], 2U);
}

TEST(MultiverseTranslation, ThePolicyScalesTheExactSimulation) {
  const ExperimentFolder folder = ShopFolder();
  const SimulationSet& set = folder.cells[0].set;
  const AppModel model = TranslateApplication(set, folder.run, 1).value();
  const Result<AppPolicy> policy = MakeTranslatedPolicy(set, model, "eager");
  ASSERT_TRUE(policy.ok()) << policy.status().message();
  const auto runs = RunAppStudy(model, {.policies = {{.name = "none"}, policy.value()}});
  ASSERT_TRUE(runs.ok()) << runs.status().message();
  const AppTotals none = TotalsOf(runs.value()[0]);
  const AppTotals eager = TotalsOf(runs.value()[1]);
  EXPECT_EQ(none.all.sent, eager.all.sent);
  EXPECT_GT(eager.nodes_mean, none.nodes_mean);
}

TEST(MultiverseTranslation, AQuantileIsAShareThatPoliciesTake) {
  SimulationSet set = ShopFolder().cells[0].set;
  const AppModel model = TranslateApplication(set, ShopFolder().run, 1).value();
  for (ServicePolicySpec& service : set.policy.services) {
    for (MetricGroupSpec& group : service.groups) {
      for (MetricSpec& metric : group.metrics) {
        metric.aggregator = AggregatorKind::kQuantile;
        metric.quantile = 0.9;
      }
    }
  }
  const Result<AppPolicy> policy = MakeTranslatedPolicy(set, model, "eager");
  EXPECT_TRUE(policy.ok()) << policy.status().message();
}

TEST(MultiverseTranslation, WhatNeedsTrainedModelsIsRefused) {
  SimulationSet set = ShopFolder().cells[0].set;
  set.policy.services[0].groups[0].category = "learning";
  EXPECT_FALSE(TranslatePolicy(set).ok());
}

}  // namespace
}  // namespace berth::multiverse
