#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "appsim/sweep/run_sweep.h"
#include "base/document.h"
#include "support/paths.h"
#include "support/temp_folder.h"

namespace berth {
namespace {

Sweep SmallSweep() {
  Sweep sweep =
      ReadSweepFile((testing::SourceDir() / "testdata/appsim/sweep/sweep.yaml").string()).value();
  sweep.repetitions = 2;
  return sweep;
}

std::string Results(const testing::TempFolder& folder) {
  return ReadText(folder.File("runs.jsonl")).value();
}

TEST(SweepFile, GivesTheCartesianProductWithThePolicyFastest) {
  const Sweep sweep = SmallSweep();
  EXPECT_EQ(sweep.CombinationCount(), 8U);
  const SweepCombination first = CombinationAt(sweep, 0);
  EXPECT_EQ(first.choices, (std::vector<std::size_t>{0, 0}));
  EXPECT_EQ(first.policy, 0U);
  EXPECT_EQ(CombinationAt(sweep, 1).policy, 1U);
  EXPECT_EQ(CombinationAt(sweep, 2).choices, (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(CombinationAt(sweep, 7).choices, (std::vector<std::size_t>{1, 1}));
}

TEST(SweepFile, RefusesWhatCannotBeRunWithItsPlace) {
  const testing::TempFolder dir;
  const auto message = [&dir](const std::string& text) {
    const Result<Sweep> sweep = ReadSweepFile(dir.Write("sweep.yaml", text));
    return sweep.ok() ? std::string() : sweep.status().message();
  };
  EXPECT_NE(message("application: [none_such.yaml]\n").find("sweep.yaml:1:15"), std::string::npos);
  EXPECT_NE(message("vary: {}\n").find("'application' is missing"), std::string::npos);
  EXPECT_NE(message("application: []\nvary: {load: []}\n").find("names no file"),
            std::string::npos);
  EXPECT_NE(message("application: []\nvary: {policy: [a.yaml]}\n").find("policies"),
            std::string::npos);
  EXPECT_NE(message("application: []\nrepetitions: 0\n").find("repetitions"), std::string::npos);
  EXPECT_NE(message("application: []\npolicies: [none, none]\n").find("none"), std::string::npos);
}

TEST(SweepFile, APolicyMayHaveLearned) {
  const testing::TempFolder dir;
  const std::string path = dir.Write(
      "sweep.yaml", "application: []\npolicies: [p.yaml, p.yaml@a.learned, p.yaml@b.learned]\n");
  const Sweep sweep = ReadSweepFile(path).value();
  EXPECT_EQ(sweep.policies[0], dir.File("p.yaml"));
  EXPECT_EQ(sweep.policies[1], dir.File("p.yaml@") + dir.File("a.learned"));
  const std::uint64_t before = SweepDigest(sweep);
  dir.Write("b.learned", "anything");
  EXPECT_NE(SweepDigest(sweep), before);
  EXPECT_EQ(SweepDigest(sweep), SweepDigest(ReadSweepFile(path).value()));
}

TEST(SweepFile, RefusesAKeyInTwoPartsOfOneApplication) {
  Sweep sweep = SmallSweep();
  sweep.application.push_back(sweep.axes[0].choices[0].part);
  const testing::TempFolder dir;
  const Result<std::vector<SweepCell>> cells = RunSweep(sweep, {.folder = dir.File("new")});
  ASSERT_FALSE(cells.ok());
  EXPECT_NE(cells.status().message().find("regions"), std::string::npos);
  EXPECT_NE(cells.status().message().find("keep one of them"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(dir.File("new")));
}

TEST(SweepRunThreads, BytesDoNotDependOnWorkers) {
  const Sweep sweep = SmallSweep();
  const testing::TempFolder one;
  const testing::TempFolder several;
  ASSERT_TRUE(RunSweep(sweep, {.folder = one.path(), .workers = 1}).ok());
  ASSERT_TRUE(RunSweep(sweep, {.folder = several.path(), .workers = 3}).ok());
  EXPECT_EQ(Results(one), Results(several));
}

TEST(SweepRun, GoesOnAfterAKillAtAnyByte) {
  const Sweep sweep = SmallSweep();
  const testing::TempFolder whole;
  ASSERT_TRUE(RunSweep(sweep, {.folder = whole.path()}).ok());
  const std::string wanted = Results(whole);
  for (const std::size_t cut : {wanted.size() / 3, wanted.size() / 2, wanted.size() - 2}) {
    const testing::TempFolder again;
    again.Write("runs.jsonl", wanted.substr(0, cut));
    std::uint64_t runs = 0;
    const SweepOptions options{.folder = again.path(),
                               .progress = [&runs](std::uint64_t, std::uint64_t) { ++runs; }};
    ASSERT_TRUE(RunSweep(sweep, options).ok());
    EXPECT_EQ(Results(again), wanted);
    EXPECT_LT(runs, 16U);
    EXPECT_GT(runs, 0U);
  }
}

TEST(SweepRun, AddsRepetitionsToThoseThatAreThere) {
  Sweep sweep = SmallSweep();
  const testing::TempFolder dir;
  ASSERT_TRUE(RunSweep(sweep, {.folder = dir.path()}).ok());
  sweep.repetitions = 3;
  std::uint64_t runs = 0;
  const auto cells = RunSweep(
      sweep, {.folder = dir.path(), .progress = [&runs](std::uint64_t, std::uint64_t) { ++runs; }});
  ASSERT_TRUE(cells.ok());
  EXPECT_EQ(runs, 8U);
  EXPECT_EQ(cells.value().front().runs.size(), 3U);
}

TEST(SweepRun, RefusesTheResultsOfAnotherSweepAndBrokenLines) {
  Sweep sweep = SmallSweep();
  const testing::TempFolder dir;
  ASSERT_TRUE(RunSweep(sweep, {.folder = dir.path()}).ok());
  std::string text = Results(dir);
  sweep.axes[0].choices[0].part.text += "# Another.\n";
  const auto other = RunSweep(sweep, {.folder = dir.path()});
  ASSERT_FALSE(other.ok());
  EXPECT_NE(other.status().message().find("another sweep"), std::string::npos);
  EXPECT_EQ(Results(dir), text);

  text.replace(text.find("\"sent\":"), 7, "\"sunk\":");
  dir.Write("runs.jsonl", text);
  const auto broken = RunSweep(SmallSweep(), {.folder = dir.path()});
  ASSERT_FALSE(broken.ok());
  EXPECT_NE(broken.status().message().find("runs.jsonl:2: "), std::string::npos);
}

TEST(SweepRun, ALineIsReadBackAsItWas) {
  SweepRun run{.sent = 12, .answered = 10, .good = 7, .unfinished = 1, .cost_micros = 1234.5};
  run.lost[2] = 1;
  run.nodes = {.mean = 1.0 / 3, .deviation = 0.25};
  run.nodes_by_type["own/small"] = 2.75;
  run.utilisation["web"] = {0.5, 0.25, 0, 0.125};
  run.latency[1] = {.count = 3, .whole_us = 5e6, .violated_us = 1e6};
  for (const std::int64_t micros : {40, 40, 70'000}) run.response.Add(micros);
  const std::string line = SweepRunLine({4, 1}, run);
  const auto read = ParseSweepRunLine(line);
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_EQ(read.value().first.combination, 4U);
  EXPECT_EQ(read.value().second.nodes, run.nodes);
  EXPECT_EQ(SweepRunLine(read.value().first, read.value().second), line);
}

// What a sweep tells of a combination is what the study of the same application tells.
TEST(SweepRun, AgreesWithAStudy) {
  const Sweep sweep = SmallSweep();
  const testing::TempFolder dir;
  const std::vector<SweepCell> cells = RunSweep(sweep, {.folder = dir.path()}).value();
  std::vector<AppText> parts = sweep.application;
  for (const SweepAxis& axis : sweep.axes) parts.push_back(axis.choices[0].part);
  const AppModel model = ParseAppParts(parts).value();
  const AppStudy study{.policies = {{.name = "none"}}, .repetitions = 2, .seed = sweep.seed};
  const std::vector<AppPolicyRuns> runs = RunAppStudy(model, study).value();
  ASSERT_EQ(cells.front().runs.size(), 2U);
  for (std::size_t repetition = 0; repetition < 2; ++repetition) {
    const AppTotals totals = TotalsOf(runs.front().runs[repetition]);
    EXPECT_EQ(cells.front().runs[repetition].sent, totals.all.sent);
    EXPECT_EQ(cells.front().runs[repetition].good, totals.all.good);
    EXPECT_EQ(cells.front().runs[repetition].cost_micros, totals.cost_micros);
  }
}

}  // namespace
}  // namespace berth
