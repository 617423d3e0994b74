#include "appsim/multiverse/simulate.h"

#include <gtest/gtest.h>

#include "support/paths.h"

namespace berth::multiverse {
namespace {

ExperimentFolder Shop() {
  return ReadExperimentFolder((testing::SourceDir() / "testdata" / "multiverse" / "shop").string(),
                              "")
      .value();
}

void ExpectSame(const RunResult& a, const RunResult& b) {
  EXPECT_EQ(a.generated, b.generated);
  EXPECT_EQ(a.fulfilled, b.fulfilled);
  EXPECT_EQ(a.cost, b.cost);
  EXPECT_EQ(a.nodes, b.nodes);
  EXPECT_EQ(a.response_times, b.response_times);
}

// One service without any variance on a node that is up at once.
SimulationSet OneService() {
  SimulationSet set = Shop().cells[0].set;
  ApplicationSpec& app = set.application;
  app.services.resize(1);
  app.services[0].next.clear();
  app.services[0].boot.clear();
  app.services[0].idle = {};
  app.requests[0].times = {{.upstream = {.mean = 30'000}}};
  set.deployment.resize(1);
  set.policy.services.assign(1, {});
  for (NodeTypeSpec& type : set.node_types) type.boot = {};
  return set;
}

TEST(MultiverseSimulation, ARequestIsChargedAStepForTheLinkAndItsOwnTimeForTheWork) {
  const SimulationSet set = OneService();
  RunSpec run{.step = std::chrono::milliseconds(50), .length = std::chrono::minutes(2)};
  const RunResult result = SimulateSet(set, run, QuirksOf("none").value(), 1).value();
  EXPECT_GT(result.generated, 200U);
  // What came in the last step is still under way; what came in the first found nothing up.
  EXPECT_GE(result.fulfilled + 6, result.generated);
  for (const std::int64_t time : result.response_times) EXPECT_EQ(time, 80'000);
  run.step = std::chrono::milliseconds(10);
  EXPECT_EQ(SimulateSet(set, run, QuirksOf("none").value(), 1).value().response_times.front(),
            40'000);
}

TEST(MultiverseSimulation, CostIsNodesTimesTimeTimesPrice) {
  const SimulationSet set = OneService();
  const RunSpec run{.step = std::chrono::milliseconds(50), .length = std::chrono::hours(1)};
  const RunResult result = SimulateSet(set, run, QuirksOf("none").value(), 1).value();
  EXPECT_NEAR(result.cost, 0.01, 1e-5);
  EXPECT_NEAR(result.nodes[0], 1, 1e-4);
}

TEST(MultiverseSimulation, WithTheQuirkLateAnswersCount) {
  SimulationSet set = OneService();
  set.application.requests[0].times[0].upstream.mean = 6e6;
  const RunSpec run{.step = std::chrono::milliseconds(50), .length = std::chrono::minutes(1)};
  Quirks quirks = QuirksOf("none").value();
  EXPECT_EQ(SimulateSet(set, run, quirks, 1).value().fulfilled, 0U);
  quirks.Set(Quirk::kLateAnswersCount, true);
  EXPECT_GT(SimulateSet(set, run, quirks, 1).value().fulfilled, 0U);
}

TEST(MultiverseSimulation, TheSameSeedGivesTheSameResultAndAnotherOneAnother) {
  const ExperimentFolder folder = Shop();
  for (const std::string& version : QuirkVersions()) {
    const Quirks quirks = QuirksOf(version).value();
    const SimulationSet& set = folder.cells[0].set;
    const RunResult first = SimulateSet(set, folder.run, quirks, 1).value();
    ExpectSame(first, SimulateSet(set, folder.run, quirks, 1).value());
    EXPECT_NE(first.response_times, SimulateSet(set, folder.run, quirks, 2).value().response_times);
    EXPECT_LE(first.fulfilled, first.generated);
    EXPECT_GT(first.fulfilled, first.generated / 2);
  }
}

TEST(MultiverseSimulationThreads, ResultsDoNotDependOnTheNumberOfWorkers) {
  const ExperimentFolder folder = Shop();
  const Quirks quirks = QuirksOf("head").value();
  const auto quiet = [](std::size_t) {};
  const auto one = SimulateCells(folder, "shop", quirks, 1, 1, quiet).value();
  const auto three = SimulateCells(folder, "shop", quirks, 1, 3, quiet).value();
  ASSERT_EQ(one.size(), 2U);
  for (std::size_t c = 0; c < one.size(); ++c) {
    ASSERT_EQ(one[c].runs.size(), 3U);
    for (std::size_t r = 0; r < one[c].runs.size(); ++r) {
      ExpectSame(one[c].runs[r], three[c].runs[r]);
    }
  }
}

TEST(MultiverseSimulation, AnEagerPolicyOrdersMoreNodesThanAThriftyOne) {
  const ExperimentFolder folder = Shop();
  for (const std::string& version : QuirkVersions()) {
    const Quirks quirks = QuirksOf(version).value();
    const double eager = SimulateSet(folder.cells[0].set, folder.run, quirks, 1).value().cost;
    const double thrifty = SimulateSet(folder.cells[1].set, folder.run, quirks, 1).value().cost;
    EXPECT_GT(eager, thrifty) << version;
  }
}

// Nodes take longer to go than decisions take to come.
TEST(MultiverseSimulation, NodesThatAreToGoAreGivenUpOnce) {
  const ExperimentFolder folder = Shop();
  for (const std::string& version : QuirkVersions()) {
    const Quirks quirks = QuirksOf(version).value();
    for (const Cell& cell : folder.cells) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const RunResult result = SimulateSet(cell.set, folder.run, quirks, seed).value();
        for (const double ordered : result.ordered_nodes) EXPECT_GE(ordered, 0) << version;
      }
    }
  }
}

TEST(MultiverseSimulation, WhatCannotBeSimulatedIsRefused) {
  const ExperimentFolder folder = Shop();
  const Quirks head = QuirksOf("head").value();
  const auto refusal = [&](auto change) {
    SimulationSet set = folder.cells[0].set;
    change(set);
    return SimulateSet(set, folder.run, head, 1).status().message();
  };
  EXPECT_NE(refusal([](SimulationSet& set) {
              set.application.services[1].limits.reset();
            }).find("'basket' has no limits"),
            std::string::npos);
  EXPECT_NE(refusal([](SimulationSet& set) {
              set.policy.services[0].groups[0].category = "learning";
            }).find("trained model"),
            std::string::npos);
  EXPECT_NE(refusal([](SimulationSet& set) {
              set.policy.services[0].groups[0].metrics[0].forecaster = "arima";
            }).find("'arima' is not simulated"),
            std::string::npos);
}

TEST(MultiverseQuirks, AreSwitchedByName) {
  Quirks quirks = QuirksOf("head").value();
  EXPECT_TRUE(quirks.Has(Quirk::kLinksPileUp));
  ASSERT_TRUE(SetQuirks("links_pile_up=off,first_blocks=on", quirks).ok());
  EXPECT_FALSE(quirks.Has(Quirk::kLinksPileUp));
  EXPECT_TRUE(quirks.Has(Quirk::kFirstBlocks));
  EXPECT_FALSE(SetQuirks("links_pile_up", quirks).ok());
  EXPECT_FALSE(SetQuirks("nonsense=on", quirks).ok());
  EXPECT_FALSE(QuirksOf("tail").ok());
  for (std::size_t i = 0; i < kQuirkCount; ++i) {
    EXPECT_EQ(static_cast<std::size_t>(AllQuirks()[i].quirk), i);
  }
}

}  // namespace
}  // namespace berth::multiverse
