#include "appsim/recipe/generate_app.h"

#include <gtest/gtest.h>

#include <numeric>

#include "appsim/app_file.h"
#include "appsim/app_write.h"
#include "support/paths.h"
#include "support/temp_folder.h"

namespace berth {
namespace {

class Recipes : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_.Write("prices.yaml", R"(currency: USD
providers:
  - {name: north, types: [{name: s, cpu: 2, memory: 4Gi, price: 0.1, boot: 60s}]}
  - {name: south, types: [{name: s, cpu: 4, memory: 8Gi, price: 0.19}]}
)");
  }

  Result<AppRecipe> Read(const std::string& recipe) {
    return ReadRecipe(folder_.Write("recipe.yaml", recipe));
  }
  std::string Error(const std::string& recipe) {
    const Result<AppRecipe> read = Read(recipe);
    if (read.ok()) return "no error";
    return read.status().message().substr(read.status().message().find("recipe.yaml"));
  }

  testing::TempFolder folder_;
};

std::string Shop(const std::string& instead_of = "", const std::string& with = "") {
  std::string text = R"(duration: 3h
application: {services: {min: 3, max: 9}, topology: [A, single_center_b]}
services:
  limits: {cpu: [500m, 1], memory: 512Mi}
  idle: {cpu: {mean: [50m, 100m], deviation: 5m}, memory: 100Mi}
  boot: {mean: {min: 2s, max: 4s}, deviation: 500ms}
requests:
  processing: {mean: {min: 5ms, max: 20ms}, deviation: [1ms, 2ms]}
  need: {cpu: 200m, memory: {mean: 1Mi, deviation: 100Ki}}
  request_size: 2Ki
  timeout: 5s
load: {hourly_rates: [{min: 10, max: 20}, 5], scale: 2}
deployment:
  prices: prices.yaml
  providers: {north: 0.75, south: 0.25}
  regions: {north: {eu: 1}, south: {eu: 0.5, us: 0.5}}
  instances: {min: 1, max: 3}
)";
  if (instead_of.empty()) return text;
  const std::size_t at = text.find(instead_of);
  EXPECT_NE(at, std::string::npos) << instead_of;
  return text.replace(at, instead_of.size(), with);
}

TEST_F(Recipes, WhatIsDrawnIsWithinWhatIsLeftOpen) {
  const AppRecipe recipe = Read(Shop()).value();
  std::size_t fewest = 99;
  std::size_t most = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const AppModel model = GenerateApp(recipe, seed).value();
    fewest = std::min(fewest, model.services.size());
    most = std::max(most, model.services.size());
    for (std::size_t s = 0; s < model.services.size(); ++s) {
      const AppService& service = model.services[s];
      const std::int64_t cpu = service.need[Resource::kCpu];
      EXPECT_TRUE(cpu == 500 || cpu == 1'000);
      EXPECT_TRUE(service.idle[0].mean == 50 || service.idle[0].mean == 100);
      EXPECT_EQ(service.idle[0].deviation, 5);
      EXPECT_EQ(service.work_milli, cpu - static_cast<std::int64_t>(service.idle[0].mean));
      EXPECT_GE(service.boot.mean, 2e6);
      EXPECT_LE(service.boot.mean, 4e6);
      const AppTimes& times = model.request_types[0].times[s];
      const double whole = times.upstream.mean + times.downstream.mean;
      EXPECT_GE(whole, 5'000 - 1);
      EXPECT_LE(whole, 20'000 + 1);
      EXPECT_EQ(times.downstream.mean > 0, !service.next.empty());
    }
    ASSERT_EQ(model.regions.size(), 2U);
    const AppLoad& eu = model.regions[0].loads[0];
    const AppLoad& us = model.regions[1].loads[0];
    ASSERT_EQ(eu.rates.size(), 3U);  // The third hour is as the first.
    EXPECT_DOUBLE_EQ(eu.rates[1] + us.rates[1], 10);
    EXPECT_DOUBLE_EQ(us.rates[1], 10 * 0.125);
    EXPECT_EQ(eu.rates[2], eu.rates[0]);
    EXPECT_GE(eu.rates[0] + us.rates[0], 20 - 1e-5);
  }
  EXPECT_EQ(fewest, 3U);
  EXPECT_EQ(most, 9U);
}

TEST_F(Recipes, InstancesAreOfTheProvidersByTheirShares) {
  const AppRecipe recipe = Read(Shop("{min: 1, max: 3}\n", "8\n")).value();
  const AppModel model = GenerateApp(recipe, 3).value();
  // Of eight, seven are in eu: six in the north, one in the south; the eighth is in us.
  for (std::size_t s = 0; s < model.services.size(); ++s) {
    std::uint64_t north = 0;
    std::uint64_t south = 0;
    for (const VmGroup& group : model.regions[0].deployment) {
      const std::string& provider = model.node_types[group.type].vm.provider;
      (provider == "north" ? north : south) += group.count * group.instances[s];
    }
    EXPECT_EQ(north, 6U);
    EXPECT_EQ(south, 1U);
    std::uint64_t us = 0;
    for (const VmGroup& group : model.regions[1].deployment) {
      us += group.count * group.instances[s];
    }
    EXPECT_EQ(us, 1U);
  }
  EXPECT_EQ(model.node_types[0].vm.name, "north-s");
}

TEST_F(Recipes, TheSameSeedGivesTheSameFile) {
  const AppRecipe recipe = Read(Shop()).value();
  const std::string text = WriteAppFile(GenerateApp(recipe, 7).value());
  EXPECT_EQ(WriteAppFile(GenerateApp(recipe, 7).value()), text);
  EXPECT_NE(WriteAppFile(GenerateApp(recipe, 8).value()), text);
  const Result<AppModel> read = ParseAppFile(text, "app.yaml");
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(WriteAppFile(read.value()), text);
}

TEST_F(Recipes, TracesTellInPlaceOfTheRecipe) {
  const AppRecipe recipe =
      ReadRecipe((testing::SourceDir() / "testdata/recipes/azure.yaml").string()).value();
  EXPECT_EQ(recipe.notes.size(), 2U);
  EXPECT_EQ(recipe.hourly_rates.size(), 24U);
  EXPECT_GT(recipe.request_cpu_milli.mean.most(), recipe.request_cpu_milli.mean.least());
  const Result<AppModel> read = ParseAppFile(WriteAppFile(GenerateApp(recipe, 1).value()), "a");
  EXPECT_TRUE(read.ok()) << read.status().message();
}

TEST_F(Recipes, WhatIsWrongIsSaid) {
  EXPECT_EQ(Error(Shop("services: {min: 3, max: 9}, ", "")),
            "recipe.yaml:1:1: top level: does not say application.services; write it, or name a "
            "trace that tells it");
  EXPECT_EQ(Error(Shop("cpu: 200m, ", "")),
            "recipe.yaml:1:1: top level: does not say requests.need.cpu; write it, or name a trace "
            "that tells it");
  EXPECT_EQ(Error(Shop("south: 0.25}", "south: 0.3}")),
            "recipe.yaml:15:14: deployment.providers: has shares that are 1.05 together; make them "
            "1");
  EXPECT_EQ(Error(Shop("south: 0.25}", "west: 0.25}")),
            "recipe.yaml:15:14: deployment.providers: there is no provider 'west' in prices.yaml; "
            "name one of those there");
  EXPECT_EQ(Error(Shop(", south: {eu: 0.5, us: 0.5}", "")),
            "recipe.yaml:16:12: deployment.regions: has none of south; write south: {NAME: 1.0}");
  EXPECT_EQ(Error(Shop("topology: [A,", "topology: [Z,")).substr(0, 17), "recipe.yaml:2:54:");
  EXPECT_NE(Error(Shop("max: 9}", "max: 101}")), "no error");
  EXPECT_NE(Error(Shop("timeout: 5s", "timeout: 0s")), "no error");
}

TEST(SplitByShares, WholeNumbersByTheLargestRest) {
  EXPECT_EQ(SplitByShares(8, {0.75, 0.25}), (std::vector<std::uint32_t>{6, 2}));
  EXPECT_EQ(SplitByShares(7, {0.75, 0.25}), (std::vector<std::uint32_t>{5, 2}));  // 5.25, 1.75
  EXPECT_EQ(SplitByShares(1, {0.4, 0.6}), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(SplitByShares(10, {1.0 / 3, 1.0 / 3, 1.0 / 3}), (std::vector<std::uint32_t>{4, 3, 3}));
  Rng rng(5);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> shares(1 + rng.Below(6));
    double sum = 0;
    for (double& share : shares) sum += share = rng.Unit();
    for (double& share : shares) share /= sum;
    const auto count = static_cast<std::uint32_t>(rng.Below(50));
    const auto split = SplitByShares(count, shares);
    EXPECT_EQ(std::accumulate(split.begin(), split.end(), 0U), count);
    for (std::size_t i = 0; i < shares.size(); ++i) {
      EXPECT_LE(std::abs(split[i] - count * shares[i]), 1 + 1e-9);
    }
  }
}

}  // namespace
}  // namespace berth
