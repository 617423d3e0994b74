#include "scale/space/learned_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/checked_bytes.h"
#include "berth/rng.h"
#include "perfmodel/model_gate.h"
#include "scale/space/space_autoscaler.h"
#include "scale/space/space_testing.h"

namespace berth {
namespace {

constexpr std::string_view kNoReaction = "";
constexpr std::string_view kReaction = R"(    reactive:
      - name: spike
        calculator:
          name: learning
          model: sgd
          objective: {metric: response_time, at_most: 0.3}
          fallback: {name: ratio, metric: cpu, target: 0.5}
        metrics: [{name: cpu}]
)";

std::string LearningText(std::string_view model, std::string_view metric,
                         std::string_view reaction) {
  return fmt::format(R"(step: 1m
horizon: 2m
services:
  default:
    groups:
      - name: learned
        calculator:
          name: learning
          model: {}
          objective: {{metric: response_time, at_most: 0.2}}
          fallback: {{name: ratio, metric: {}, target: 0.5}}
        metrics: [{{name: {}}}]
{})",
                     model, metric, metric, reaction);
}

std::unique_ptr<SpaceAutoscaler> Learner(std::string_view model = "sgd",
                                         std::string_view metric = "cpu",
                                         std::string_view reaction = kNoReaction,
                                         const std::string& service = "web") {
  auto policy = ParseSpacePolicy(LearningText(model, metric, reaction), "policy.yaml");
  EXPECT_TRUE(policy.ok()) << policy.status().message();
  return SpaceAutoscaler::Make(std::move(policy).value(), {.services = {ServiceOf(service, 1, 1)}})
      .value();
}

// The response time is a tenth of a second and half the cpu of the service.
void TeachFor(int decisions, Autoscaler& learner) {
  for (int i = 1; i <= decisions; ++i) {
    const double cpu = 0.2 + 0.01 * (i % 30);
    MetricTable table;
    table.Add("cpu", 0, MinuteSeries({cpu}));
    table.Add("memory", 0, MinuteSeries({cpu}));
    table.Add("response_time", MetricKey::kApplication, MinuteSeries({0.1 + 0.5 * cpu}));
    learner.Decide(AtMinute(i), Running({4}), table);
  }
}

TEST(Lessons, AreWhatWasExpectedBeforeItWasKnown) {
  const auto learner = Learner();
  EXPECT_TRUE(learner->LastLessons().empty());
  TeachFor(1, *learner);
  const std::vector<Lesson> first = learner->LastLessons();
  ASSERT_EQ(first.size(), 1U);
  EXPECT_EQ(first[0].service, "web");
  EXPECT_EQ(first[0].group, "learned");
  EXPECT_EQ(first[0].expected, 0);  // It knows nothing yet.
  EXPECT_DOUBLE_EQ(first[0].observed, 0.1 + 0.5 * 0.21);
  EXPECT_FALSE(first[0].passed);
  TeachFor(300, *learner);
  const std::vector<Lesson> last = learner->LastLessons();
  ASSERT_EQ(last.size(), 1U);
  EXPECT_TRUE(last[0].passed);
  EXPECT_LE(ScaledError(last[0].expected, last[0].observed), 0.25);
  // Where nothing was measured there is no lesson.
  learner->Decide(AtMinute(400), Running({4}), MetricTable());
  EXPECT_TRUE(learner->LastLessons().empty());
}

TEST(LearnedFile, GoesOnWhereItWas) {
  for (const std::string_view model : {"sgd", "passive_aggressive", "network"}) {
    const auto learner = Learner(model, "cpu", kReaction);
    TeachFor(50, *learner);
    const std::string bytes = EncodeLearned(learner->SaveLearned());
    const auto other = Learner(model, "cpu", kReaction);
    ASSERT_TRUE(RestoreFromLearned(bytes, "f", *other).ok());
    EXPECT_EQ(EncodeLearned(other->SaveLearned()), bytes);
    TeachFor(20, *learner);
    TeachFor(20, *other);
    EXPECT_EQ(other->SaveLearned(), learner->SaveLearned());
    EXPECT_EQ(other->LastLessons().size(), 2U);  // What reacts learns, too.
  }
}

std::string RefusalOf(std::string_view bytes, Autoscaler& autoscaler) {
  const std::string before = autoscaler.SaveLearned();
  const Status status = RestoreFromLearned(bytes, "f", autoscaler);
  EXPECT_EQ(autoscaler.SaveLearned(), before);
  return status.message();
}

TEST(LearnedFile, IsRefusedForAnother) {
  const auto learner = Learner();
  TeachFor(5, *learner);
  const std::string bytes = EncodeLearned(learner->SaveLearned());
  constexpr std::string_view kAdvice =
      "; train this policy, or take the one that it was learned with";
  constexpr std::string_view kLearned =
      "f: was learned for group 'learned' of 'web' (sgd of response_time of the application by "
      "instances, cpu), and this policy learns ";
  EXPECT_EQ(RefusalOf(bytes, *Learner("network")),
            fmt::format("{}group 'learned' of 'web' (network of response_time of the application "
                        "by instances, cpu){}",
                        kLearned, kAdvice));
  EXPECT_EQ(RefusalOf(bytes, *Learner("sgd", "memory")),
            fmt::format("{}group 'learned' of 'web' (sgd of response_time of the application by "
                        "instances, memory){}",
                        kLearned, kAdvice));
  EXPECT_EQ(RefusalOf(bytes, *Learner("sgd", "cpu", kNoReaction, "shop")),
            fmt::format("{}group 'learned' of 'shop' (sgd of response_time of the application by "
                        "instances, cpu){}",
                        kLearned, kAdvice));
  EXPECT_EQ(RefusalOf(bytes, *Learner("sgd", "cpu", kReaction)),
            fmt::format("f: was learned for 1 metric group, and this policy learns 2 metric "
                        "groups{}",
                        kAdvice));
  // A bound that is another says what to do with what was learned, not what that is of.
  std::string text = LearningText("sgd", "cpu", kNoReaction);
  text.replace(text.find("at_most: 0.2"), 12, "at_most: 0.9");
  const auto bold = SpaceAutoscaler::Make(ParseSpacePolicy(text, "p").value(),
                                          {.services = {ServiceOf("web", 1, 1)}})
                        .value();
  EXPECT_TRUE(RestoreFromLearned(bytes, "f", *bold).ok());
}

TEST(LearnedFile, WhatIsNoneIsSaid) {
  const auto learner = Learner();
  TeachFor(5, *learner);
  const std::string good = EncodeLearned(learner->SaveLearned());
  const auto other = Learner();
  EXPECT_EQ(RefusalOf("x,y\n", *other),
            "f: is no file of what was learned; make one with berth train --out");
  for (const std::size_t size : {std::size_t{8}, std::size_t{15}, good.size() - 1}) {
    EXPECT_EQ(RefusalOf(good.substr(0, size), *other),
              "f: is damaged or cut short: its checksum is another; train again");
  }
  std::string newer = std::string(*WithoutChecksum(good));
  newer[9] = 2;  // The version, behind its tag.
  EXPECT_EQ(RefusalOf(WithChecksum(newer), *other),
            "f: is of version 2, and this program reads 1; train again");
  EXPECT_EQ(WriteLearned("", "/nowhere/f").message(),
            "'/nowhere/f' cannot be written; name a file in a folder that there is");
}

TEST(LearnedFile, WhateverItHoldsIsTakenOrRefused) {
  const auto learner = Learner("network", "cpu", kReaction);
  TeachFor(25, *learner);
  const std::string good(*WithoutChecksum(EncodeLearned(learner->SaveLearned())));
  const auto other = Learner("network", "cpu", kReaction);
  Rng rng(4);
  for (int i = 0; i < 500; ++i) {
    std::string damaged = good;
    // Most of it is a network's numbers: what is around them is where the damage tells.
    const std::size_t reach = i % 2 == 0 ? damaged.size() : 300;
    damaged[8 + rng.Below(reach - 8)] = static_cast<char>(rng.Below(256));
    if (i % 5 == 0) damaged.resize(8 + rng.Below(damaged.size() - 8));
    const std::string before = other->SaveLearned();
    const Status status = RestoreFromLearned(WithChecksum(damaged), "f", *other);
    if (status.ok()) continue;
    EXPECT_TRUE(status.message().starts_with("f: ")) << status.message();
    EXPECT_EQ(other->SaveLearned(), before);
  }
  TeachFor(25, *other);
  for (const Lesson& lesson : other->LastLessons()) EXPECT_TRUE(std::isfinite(lesson.expected));
}

}  // namespace
}  // namespace berth
