// The Training Ground of the thesis on predictive autoscaling: what a policy learns is learned in
// simulations, over and over, under load patterns drawn from a few, until it can be believed from
// the first minute on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "appsim/app_study.h"

namespace berth {

inline constexpr std::uint32_t kTrainingRoundsMax = 10'000;
inline constexpr std::size_t kTrainingPatternsMax = 100;

// The same application under a load of its own.
struct TrainingPattern {
  std::string name{};
  AppModel model{};
};

// The application as it is, or once for each of the files, whose keys stand for those of the
// application: its `regions`, as a rule. Services and node types are the same in all.
Result<std::vector<TrainingPattern>> ReadTrainingPatterns(const std::string& application,
                                                          const std::vector<std::string>& loads);

struct Training {
  std::vector<TrainingPattern> patterns{};  // At least one; of one application.
  AppPolicy policy{};
  std::size_t rounds = 1;
  std::uint64_t seed = 1;
  std::function<void(std::size_t)> progress = [](std::size_t) {};  // Rounds that are over.
};

// Of one part that learns, in one round.
struct TrainingScore {
  std::uint64_t lessons = 0;
  double error_sum = 0;      // Scaled errors, each before the lesson was learned.
  std::uint64_t passed = 0;  // Lessons before which the gate would have been right to be open.

  double Error() const;   // The mean; NaN of none.
  double Passed() const;  // The share; NaN of none.
  TrainingScore& operator+=(const TrainingScore& more);
};

struct TrainedPart {
  std::string service{};
  std::string group{};
  std::vector<TrainingScore> rounds{};
};

struct TrainingOutcome {
  std::vector<std::size_t> patterns{};  // That was drawn for each round.
  std::vector<Duration> simulated{};    // In each, all regions together.
  std::vector<TrainedPart> parts{};     // By service and group, in the order of their names.
  std::string learned{};                // As Autoscaler::SaveLearned says.
};

// Each round draws a pattern, simulates it in all regions, one after the other, and hands on what
// was learned. A policy that learns nothing is an error.
Result<TrainingOutcome> Train(const Training& training);

}  // namespace berth
