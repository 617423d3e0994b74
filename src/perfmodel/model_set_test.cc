#include "perfmodel/model_set.h"

#include <gtest/gtest.h>

#include "base/checked_bytes.h"
#include "berth/rng.h"
#include "perfmodel/cross_validation.h"
#include "perfmodel/generate_performance.h"

namespace berth {
namespace {

DataTable Measured(std::size_t rows) {
  return MeasurePerformance(ThreeColocatedApps(LimitKind::kHard), rows, 3);
}

std::vector<ModelGroup> Grouped(const DataTable& table, TargetGrouping grouping, bool others) {
  return GroupsOf(LayoutOf(table.names()).value(), table.names(), grouping, others);
}

const ModelEntry& Entry(std::string_view name) { return *FindPerformanceModel(name).value(); }

TEST(ModelGroups, FourGroupings) {
  const DataTable table = Measured(1);
  // Of nginx: load 0, limit 1, response 2, throughput 3; liberty from 4, guestbook from 8 on.
  const auto each = Grouped(table, TargetGrouping::kTarget, true);
  ASSERT_EQ(each.size(), 6U);
  EXPECT_EQ(each[1].name, "nginx.throughput_rps");
  EXPECT_EQ(each[1].features, (std::vector<std::size_t>{0, 1, 4, 5, 8, 9, 2, 6, 7, 10, 11}));
  const auto apps = Grouped(table, TargetGrouping::kApplication, true);
  ASSERT_EQ(apps.size(), 3U);
  EXPECT_EQ(apps[1].name, "liberty");
  EXPECT_EQ(apps[1].targets, (std::vector<std::size_t>{6, 7}));
  EXPECT_EQ(apps[1].features, (std::vector<std::size_t>{0, 1, 4, 5, 8, 9, 2, 3, 10, 11}));
  const auto slis = Grouped(table, TargetGrouping::kSli, false);
  ASSERT_EQ(slis.size(), 2U);
  EXPECT_EQ(slis[0].name, "response_ms");
  EXPECT_EQ(slis[1].targets, (std::vector<std::size_t>{3, 7, 11}));
  EXPECT_EQ(slis[0].features, (std::vector<std::size_t>{0, 1, 4, 5, 8, 9}));
  EXPECT_EQ(Grouped(table, TargetGrouping::kAll, true)[0].features.size(), 6U);
}

TEST(ModelGroups, TargetsByName) {
  const std::vector<std::string> names = {"a", "b", "c"};
  const ModelGroup group = GroupOfTargets(names, std::vector<std::string_view>{"c", "a"}).value();
  EXPECT_EQ(group.targets, (std::vector<std::size_t>{2, 0}));
  EXPECT_EQ(group.features, (std::vector<std::size_t>{1}));
  EXPECT_EQ(GroupOfTargets(names, std::vector<std::string_view>{"d"}).status().message(),
            "there is no column 'd'; the columns are 'a,b,c'");
  EXPECT_FALSE(GroupOfTargets(names, std::vector<std::string_view>{"a", "a"}).ok());
  EXPECT_FALSE(GroupOfTargets(names, std::vector<std::string_view>{"a", "b", "c"}).ok());
  EXPECT_EQ(ParseGrouping("sli").value(), TargetGrouping::kSli);
  EXPECT_FALSE(ParseGrouping("none").ok());
}

TEST(CrossValidation, DeterminationByHand) {
  // Errors 1 and 0, squares about 2 are 1 and 1.
  EXPECT_DOUBLE_EQ(DeterminationOf(std::vector<double>{2, 3}, std::vector<double>{1, 3}, 1), 0.5);
  // A second target of squares 50 + 50, all missed by 5: 1 - (1 + 50) / (2 + 50).
  EXPECT_DOUBLE_EQ(
      DeterminationOf(std::vector<double>{2, 5, 3, 5}, std::vector<double>{1, 0, 3, 10}, 2),
      1 - 51.0 / 52);
  EXPECT_EQ(DeterminationOf(std::vector<double>{1}, std::vector<double>{1}, 1), 1);
  EXPECT_EQ(DeterminationOf(std::vector<double>{2}, std::vector<double>{1}, 1), 0);
}

TEST(CrossValidationThreads, FoldsAreTheSameWhoeverWorks) {
  const DataTable table = Measured(200);
  const ModelGroup group = Grouped(table, TargetGrouping::kApplication, true)[0];
  const auto once = CrossValidate(table, group, Entry("lasso"), {}, 10, 1).value();
  const auto again = CrossValidate(table, group, Entry("lasso"), {}, 10, 4).value();
  EXPECT_EQ(once.determinations, again.determinations);
  EXPECT_GT(once.mean, 0.5);
}

TEST(CrossValidation, AFoldIsNotShown) {
  // What a model cannot know of the row it is asked for: a target without any pattern.
  DataTable table({"x", "y"});
  Rng rng(2);
  for (int i = 0; i < 40; ++i) table.AddRow(std::vector<double>{rng.Unit(), rng.Normal()});
  const ModelGroup group =
      GroupOfTargets(table.names(), std::vector<std::string_view>{"y"}).value();
  EXPECT_LT(CrossValidate(table, group, Entry("lasso"), {.degree = 3}, 20, 1).value().mean, 0.05);
  EXPECT_FALSE(CrossValidate(table, group, Entry("lasso"), {}, 1, 1).ok());
  EXPECT_FALSE(CrossValidate(table, group, Entry("lasso"), {}, 21, 1).ok());
  EXPECT_FALSE(CrossValidate(table, group, Entry("lasso"), {.degree = 9}, 5, 1).ok());
}

TEST(CrossValidation, AGateOpensAsAModelLearns) {
  const DataTable table = Measured(3'000);
  const ModelGroup group =
      GroupOfTargets(table.names(), std::vector<std::string_view>{"nginx.throughput_rps"}).value();
  const GateScores scores = FollowRows(table, group, Entry("sgd"), {}, GateKind::kScaledError);
  EXPECT_LT(scores.scaled_error_last, scores.scaled_error);
  EXPECT_GT(scores.open_share, 0.5);
  EXPECT_LT(scores.open_share, 1);
}

TEST(ModelSet, IsSavedAndRestored) {
  const DataTable table = Measured(150);
  for (const ModelEntry& entry : PerformanceModels()) {
    const PerformanceModelSet set =
        FitModels(table, Grouped(table, TargetGrouping::kSli, true), entry, {.degree = 1}).value();
    const PerformanceModelSet read = DecodeModels(EncodeModels(set), "m").value();
    EXPECT_EQ(EncodeModels(read), EncodeModels(set));
    std::vector<double> once(table.Row(5).begin(), table.Row(5).end()), again = once;
    set.PredictInto(once);
    read.PredictInto(again);
    EXPECT_EQ(once, again);
    EXPECT_NE(once[2], table.Row(5)[2]);
    EXPECT_EQ(once[0], table.Row(5)[0]);
  }
}

TEST(ModelSet, BadFilesAreNamed) {
  const DataTable table = Measured(50);
  const PerformanceModelSet set =
      FitModels(table, Grouped(table, TargetGrouping::kAll, false), Entry("lasso"), {}).value();
  const std::string good = EncodeModels(set);
  const auto error = [](std::string bytes) { return DecodeModels(bytes, "m").status().message(); };
  EXPECT_EQ(error("x,y\n1,2\n"),
            "m: is no file of performance models; make one with berth model fit --out");
  for (const std::size_t size : {std::size_t{10}, good.size() - 1}) {
    EXPECT_EQ(error(good.substr(0, size)),
              "m: is damaged or cut short: its checksum is another; make it again");
  }
  Rng rng(1);
  for (int i = 0; i < 200; ++i) {
    std::string damaged = good;
    damaged[rng.Below(damaged.size())] ^= 1;
    EXPECT_FALSE(DecodeModels(damaged, "m").ok());
  }
  EXPECT_EQ(ReadModels("/nowhere").status().message(), "/nowhere: No such file or directory");
}

TEST(ModelSet, WhateverTheFileHoldsIsReadOrRefused) {
  const DataTable table = Measured(50);
  Rng rng(6);
  for (const ModelEntry& entry : PerformanceModels()) {
    const std::string bytes = EncodeModels(
        FitModels(table, Grouped(table, TargetGrouping::kApplication, true), entry, {.degree = 1})
            .value());
    const std::string good = bytes.substr(0, bytes.size() - 8);
    ASSERT_TRUE(DecodeModels(WithChecksum(good), "m").ok());
    for (int i = 0; i < 300; ++i) {
      std::string damaged = good;
      // Most of a network is numbers: what is around them is where the damage tells.
      const std::size_t reach = i % 2 == 0 ? damaged.size() : 600;
      damaged[8 + rng.Below(reach - 8)] = static_cast<char>(rng.Below(256));
      if (i % 5 == 0) damaged.resize(8 + rng.Below(damaged.size() - 8));
      const Result<PerformanceModelSet> read = DecodeModels(WithChecksum(damaged), "m");
      if (!read.ok()) {
        EXPECT_TRUE(read.status().message().starts_with("m: ")) << read.status().message();
        continue;
      }
      std::vector<double> row(read.value().columns.size(), 1);
      read.value().PredictInto(row);
    }
  }
}

}  // namespace
}  // namespace berth
