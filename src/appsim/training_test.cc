#include "appsim/training.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "appsim/app_policy.h"
#include "appsim/app_testing.h"
#include "base/document.h"
#include "scale/space/autoscaler_file.h"
#include "support/paths.h"

namespace berth {
namespace {

std::string TrainingPath(const std::string& name) {
  return (testing::SourceDir() / "testdata/appsim" / name).string();
}

// Counts its decisions, which is all it learns; every second expectation is half of what came.
class CountingLearner final : public Autoscaler {
 public:
  Duration sync_period() const override { return std::chrono::seconds(10); }
  ScalingPlan Decide(Time now, const DeploymentState&, const MetricSource&) override {
    ++decisions_;
    return {.made = now};
  }
  std::vector<Lesson> LastLessons() const override {
    const bool right = decisions_ % 2 == 0;
    return {{.service = "s1",
             .group = "b",
             .expected = right ? 2.0 : 1.0,
             .observed = 2,
             .passed = right},
            {.service = "s0", .group = "a", .expected = 3, .observed = 4, .passed = true}};
  }
  std::string SaveLearned() const override { return std::to_string(decisions_); }
  Status RestoreLearned(std::string_view bytes) override {
    decisions_ = std::stoi(std::string(bytes));
    return {};
  }

 private:
  int decisions_ = 0;
};

AppModel TrainingApp(double rate) {
  AppModel model = testing::TreeApp(2, 1, 1);
  model.duration = std::chrono::seconds(65);
  testing::AddLoad(model, {rate}, model.duration);
  model.regions.push_back(model.regions[0]);
  model.regions[1].name = "us";
  return model;
}

Training CountingTraining(std::size_t rounds, std::uint64_t seed) {
  return {.patterns = {{.name = "low", .model = TrainingApp(1)},
                       {.name = "high", .model = TrainingApp(5)}},
          .policy = {.name = "counting",
                     .make = []() -> Result<std::unique_ptr<Autoscaler>> {
                       return std::unique_ptr<Autoscaler>(std::make_unique<CountingLearner>());
                     }},
          .rounds = rounds,
          .seed = seed};
}

// Six decisions in each of two regions, so that every region of a round has three right ones.
TEST(Training, EachRegionOfEachRoundGoesOnWithWhatWasLearned) {
  std::vector<std::size_t> told;
  Training training = CountingTraining(5, 1);
  training.progress = [&told](std::size_t done) { told.push_back(done); };
  const TrainingOutcome outcome = Train(training).value();
  EXPECT_EQ(outcome.learned, "60");
  EXPECT_EQ(told, (std::vector<std::size_t>{1, 2, 3, 4, 5}));
  EXPECT_EQ(outcome.simulated, std::vector<Duration>(5, std::chrono::seconds(130)));
  ASSERT_EQ(outcome.parts.size(), 2U);
  EXPECT_EQ(outcome.parts[0].service, "s0");
  EXPECT_EQ(outcome.parts[0].group, "a");
  EXPECT_EQ(outcome.parts[1].service, "s1");
  for (const TrainingScore& round : outcome.parts[0].rounds) {
    EXPECT_EQ(round.lessons, 12U);
    EXPECT_DOUBLE_EQ(round.Error(), 0.25);
    EXPECT_DOUBLE_EQ(round.Passed(), 1);
  }
  ASSERT_EQ(outcome.parts[1].rounds.size(), 5U);
  for (const TrainingScore& round : outcome.parts[1].rounds) {
    EXPECT_EQ(round.lessons, 12U);
    EXPECT_DOUBLE_EQ(round.Error(), 0.25);  // Half of them 0.5, half of them 0.
    EXPECT_DOUBLE_EQ(round.Passed(), 0.5);
  }
}

TEST(Training, PatternsAreDrawnFromAll) {
  const std::vector<std::size_t> drawn = Train(CountingTraining(40, 1)).value().patterns;
  ASSERT_EQ(drawn.size(), 40U);
  const auto high = std::ranges::count(drawn, 1U);
  EXPECT_GT(high, 8);
  EXPECT_LT(high, 32);
  EXPECT_EQ(Train(CountingTraining(40, 1)).value().patterns, drawn);
  EXPECT_NE(Train(CountingTraining(40, 2)).value().patterns, drawn);
}

TEST(Training, ARoundWithoutLessonsHasNoError) {
  EXPECT_TRUE(std::isnan(TrainingScore{}.Error()));
  EXPECT_TRUE(std::isnan(TrainingScore{}.Passed()));
}

TEST(TrainingPatterns, AreTheApplicationUnderOtherLoads) {
  const std::string seven = TrainingPath("experiments/seven.yaml");
  const auto own = ReadTrainingPatterns(seven, {});
  ASSERT_TRUE(own.ok()) << own.status().message();
  ASSERT_EQ(own.value().size(), 1U);
  EXPECT_EQ(own.value()[0].name, "seven.yaml");
  const auto read = ReadTrainingPatterns(
      seven, {TrainingPath("experiments/waves.yaml"), TrainingPath("experiments/stairs.yaml")});
  ASSERT_TRUE(read.ok()) << read.status().message();
  ASSERT_EQ(read.value().size(), 2U);
  const TrainingPattern& stairs = read.value()[1];
  EXPECT_EQ(stairs.name, "stairs.yaml");
  EXPECT_EQ(stairs.model.services.size(), own.value()[0].model.services.size());
  // 2 a second, four in five of them the first request.
  EXPECT_DOUBLE_EQ(stairs.model.regions[0].loads[0].rates[0], 1.6);
  EXPECT_DOUBLE_EQ(own.value()[0].model.regions[0].loads[0].rates[0], 0);
  EXPECT_NE(ReadTrainingPatterns(seven, {"/nowhere.yaml"}).status().message().find("/nowhere.yaml"),
            std::string::npos);
  const std::string whole = TrainingPath("shop.yaml");
  EXPECT_EQ(ReadTrainingPatterns(seven, {TrainingPath("experiments/waves.yaml"), whole})
                .status()
                .message(),
            whole + ": has other services or node types than " +
                TrainingPath("experiments/waves.yaml") +
                "; train on one application, under several loads");
  EXPECT_EQ(ReadTrainingPatterns(seven, std::vector<std::string>(101, "x")).status().message(),
            "there are 101 loads to train on, 100 are the most; name fewer");
}

constexpr std::string_view kLearnsLoad = R"(
autoscaler: space
sync: 5s
step: 5s
horizon: 1m
services:
  default:
    min: 2
    max: 4
    groups:
      - name: learned
        calculator:
          name: learning
          model: sgd
          objective: {metric: response_time, at_most: 1}
          fallback: {name: ratio, metric: cpu, target: 0.6}
        metrics: [{name: load, of: application}, {name: cpu}]
)";

// With room for all there is little to learn: a response takes as long as the work does.
TEST(Training, WhatIsLearnedIsSoonBelieved) {
  AppModel model = testing::TreeApp(2, 1, 3);
  model.duration = std::chrono::minutes(3);
  testing::AddLoad(model, {20}, model.duration);
  const auto document =
      std::make_shared<const Document>(ParseDocument(kLearnsLoad, "policy.yaml").value());
  Training training{.patterns = {{.name = "even", .model = model}}, .rounds = 10};
  training.policy = {.name = "learns",
                     .make = [&] { return ReadAutoscaler(document->root(), ScaledFrom(model)); }};
  const TrainingOutcome outcome = Train(training).value();
  ASSERT_EQ(outcome.parts.size(), 2U);
  for (const TrainedPart& part : outcome.parts) {
    EXPECT_LT(part.rounds[9].Error(), part.rounds[0].Error()) << part.service;
    EXPECT_GT(part.rounds[9].Passed(), 0.9) << part.service;
  }
  EXPECT_EQ(Train(training).value().learned, outcome.learned);
  EXPECT_TRUE(training.policy.make().value()->RestoreLearned(outcome.learned).ok());
}

TEST(Training, APolicyThatLearnsNothingIsRefused) {
  Training training{.patterns = ReadTrainingPatterns(TrainingPath("shop.yaml"), {}).value()};
  training.policy = ReadAppPolicy(TrainingPath("hpa.yaml"), training.patterns[0].model).value();
  EXPECT_EQ(Train(training).status().message(),
            "'hpa.yaml' learns nothing; give a metric group of it the calculator `learning`");
}

}  // namespace
}  // namespace berth
