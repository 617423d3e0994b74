// Calculators: how many instances metrics with these values ask for.
//
// To add one, write calculators/NAME.cc with the function that makes it, and name both in
// calculators.def. One object a service and metric group: it may learn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "perfmodel/model_gate.h"
#include "scale/space/count_path.h"

namespace berth {

struct CountMoment {
  std::uint32_t instances = 0;        // That answer now: whose metrics these are.
  std::span<const double> metrics{};  // Measured or foreseen, in the order of the group.
};

// What was expected of a moment, and what was then observed.
struct LearnedPair {
  double expected = 0;
  double observed = 0;
  bool passed = false;  // The gate.
};

class CountCalculator {
 public:
  virtual ~CountCalculator() = default;
  // Once a decision, before it is asked anything: what is measured, and what comes of it; none if
  // that is not known.
  virtual void Observe(const CountMoment& /*measured*/, std::optional<double> /*performance*/) {}
  // Not below zero; neither rounded nor within limits.
  virtual double Count(const CountMoment& moment) const = 0;
  // Where that count comes from, in a few words.
  virtual std::string Why(const CountMoment& moment) const = 0;
  // Of the last Observe; none if nothing was learned from it.
  virtual std::optional<LearnedPair> last_learned() const { return std::nullopt; }
  // What was learned, as bytes, for one made alike to go on with; empty if it learns nothing. Bytes
  // that are no such state are an error, and change nothing.
  virtual std::string Save() const { return {}; }
  virtual Status Restore(std::string_view bytes);
};

struct CalculatorSettings {
  std::string metric{};  // Of the group: held against
  double target = 0;     // this, above 0.
  // Of those that learn. They go by metric and target while what they learned is not to be
  // believed.
  std::string fallback{};  // The calculator that does.
  std::string model{};     // An online one of perfmodel/performance_model.h.
  GateKind gate = GateKind::kScaledError;
  std::string performance{};  // The metric that is to be
  double at_most = 0;         // at most this, above 0.
  CountLimits search{};       // The counts that are tried.
  std::uint64_t seed = 1;
};

enum class CalculatorKind : std::uint8_t { kRule, kLearns };

struct CalculatorEntry {
  std::string_view name;
  CalculatorKind kind;
  std::string_view summary;
  // `metrics` are the names of the group's. What is wrong with the settings is an error.
  Result<std::unique_ptr<CountCalculator>> (*make)(const CalculatorSettings& settings,
                                                   std::span<const std::string> metrics);
};

// In the order of calculators.def.
std::span<const CalculatorEntry> CountCalculators();
// The message names those there are.
Result<const CalculatorEntry*> FindCountCalculator(std::string_view name);

// Where a group has the metric; the message names those that it has.
Result<std::size_t> IndexOfMetric(std::string_view metric, std::span<const std::string> metrics);

}  // namespace berth
