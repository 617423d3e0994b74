#include "appsim/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "appsim/app_file.h"
#include "base/document.h"
#include "base/text.h"
#include "berth/check.h"
#include "berth/rng.h"
#include "perfmodel/model_gate.h"

namespace berth {
namespace {

using PartName = std::pair<std::string, std::string>;  // Service, group.

// Scales as the one it watches does, and keeps count of how well that one expected things.
class WatchedLearner final : public Autoscaler {
 public:
  explicit WatchedLearner(Autoscaler& learner) : learner_(learner) {}

  Duration sync_period() const override { return learner_.sync_period(); }
  ScalingPlan Decide(Time now, const DeploymentState& state, const MetricSource& metrics) override {
    ScalingPlan plan = learner_.Decide(now, state, metrics);
    for (const Lesson& lesson : learner_.LastLessons()) {
      scores_[{std::string(lesson.service), std::string(lesson.group)}] +=
          TrainingScore{.lessons = 1,
                        .error_sum = ScaledError(lesson.expected, lesson.observed),
                        .passed = lesson.passed ? 1U : 0U};
    }
    return plan;
  }
  const std::map<PartName, TrainingScore>& scores() const { return scores_; }

 private:
  Autoscaler& learner_;
  std::map<PartName, TrainingScore> scores_;
};

double ShareOf(double part, std::uint64_t whole) {
  if (whole == 0) return std::numeric_limits<double>::quiet_NaN();
  return part / static_cast<double>(whole);
}

// What a policy is made for must be the same in every round.
bool IsSameApplication(const AppModel& a, const AppModel& b) {
  return std::ranges::equal(a.services, b.services, {}, &AppService::name, &AppService::name) &&
         std::ranges::equal(
             a.node_types, b.node_types, {},
             [](const AppNodeType& type) { return type.vm.FullName(); },
             [](const AppNodeType& type) { return type.vm.FullName(); });
}

class TrainingGround {
 public:
  explicit TrainingGround(const Training& training) : training_(training) {}

  Result<TrainingOutcome> Run() {
    BERTH_TRY(const auto untrained, training_.policy.make());
    outcome_.learned = untrained->SaveLearned();
    if (outcome_.learned.empty()) return LearnsNothing();
    for (std::size_t round = 0; round < training_.rounds; ++round) {
      BERTH_RETURN_IF_ERROR(RunRound(round));
      training_.progress(round + 1);
    }
    outcome_.parts.reserve(rounds_of_.size());
    for (auto& [name, rounds] : rounds_of_) {
      rounds.resize(training_.rounds);
      outcome_.parts.push_back(
          {.service = name.first, .group = name.second, .rounds = std::move(rounds)});
    }
    return std::move(outcome_);
  }

 private:
  Status LearnsNothing() const {
    return {Code::kInvalidArgument,
            fmt::format("{} learns nothing; give a metric group of it the calculator `learning`",
                        Quoted(training_.policy.name))};
  }

  Status RunRound(std::size_t round) {
    const Rng rng = Rng(training_.seed).Fork(round);
    const std::size_t drawn = rng.Fork("pattern").Below(training_.patterns.size());
    const AppModel& model = training_.patterns[drawn].model;
    const std::uint64_t seed = rng.Fork("requests").Next();
    outcome_.patterns.push_back(drawn);
    outcome_.simulated.push_back(model.duration * static_cast<std::int64_t>(model.regions.size()));
    for (std::size_t region = 0; region < model.regions.size(); ++region) {
      // A fresh one: its time begins anew, and only what it learned goes on.
      BERTH_TRY(const auto learner, training_.policy.make());
      BERTH_RETURN_IF_ERROR(learner->RestoreLearned(outcome_.learned));
      WatchedLearner watched(*learner);
      BERTH_RETURN_IF_ERROR(
          SimulateApp(model, {.region = region, .seed = seed, .autoscaler = &watched}).status());
      outcome_.learned = learner->SaveLearned();
      for (const auto& [name, score] : watched.scores()) {
        std::vector<TrainingScore>& rounds = rounds_of_[name];
        rounds.resize(round + 1);
        rounds[round] += score;
      }
    }
    return {};
  }

  const Training& training_;
  TrainingOutcome outcome_;
  std::map<PartName, std::vector<TrainingScore>> rounds_of_;
};

}  // namespace

double TrainingScore::Error() const { return ShareOf(error_sum, lessons); }
double TrainingScore::Passed() const { return ShareOf(static_cast<double>(passed), lessons); }

TrainingScore& TrainingScore::operator+=(const TrainingScore& more) {
  lessons += more.lessons;
  error_sum += more.error_sum;
  passed += more.passed;
  return *this;
}

Result<std::vector<TrainingPattern>> ReadTrainingPatterns(const std::string& application,
                                                          const std::vector<std::string>& loads) {
  if (loads.size() > kTrainingPatternsMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("there are {} loads to train on, {} are the most; name fewer",
                              loads.size(), kTrainingPatternsMax));
  }
  const auto stem = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  BERTH_TRY(std::string text, ReadText(application));
  std::vector<AppText> parts = {{.file_name = application, .text = std::move(text)}};
  std::vector<TrainingPattern> patterns;
  if (loads.empty()) {
    BERTH_TRY(AppModel model, ParseAppParts(parts));
    patterns.push_back({.name = stem(application), .model = std::move(model)});
    return patterns;
  }
  parts.resize(2);
  patterns.reserve(loads.size());
  for (const std::string& load : loads) {
    BERTH_TRY(std::string load_text, ReadText(load));
    parts[1] = {.file_name = load, .text = std::move(load_text), .replaces = true};
    BERTH_TRY(AppModel model, ParseAppParts(parts));
    if (!patterns.empty() && !IsSameApplication(patterns.front().model, model)) {
      return Status(Code::kInvalidArgument,
                    fmt::format("{}: has other services or node types than {}; train on one "
                                "application, under several loads",
                                load, loads.front()));
    }
    patterns.push_back({.name = stem(load), .model = std::move(model)});
  }
  return patterns;
}

Result<TrainingOutcome> Train(const Training& training) {
  BERTH_CHECK(!training.patterns.empty());
  return TrainingGround(training).Run();
}

}  // namespace berth
