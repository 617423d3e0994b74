// An experiment: a share of the services placed by other rules than the rest, so that the two can
// be compared before the rules are changed for all.
//
//   experiment:
//     name: three-buckets
//     percent: 10
//     allocate: {rules: [...]}
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "allocate/policy.h"

namespace berth {

// What the services outside of an experiment are called.
inline constexpr std::string_view kControlArm = "control";

struct Experiment {
  ArmId name;
  std::uint32_t percent = 0;
  AllocatePolicy policy;

  // The same in every process and for as long as the experiment keeps its name. A greater share
  // holds all those of a smaller one.
  bool Includes(std::string_view service) const;
};

// Reads the `experiment` section, if there is one.
Result<std::optional<Experiment>> ParseExperiment(const Node& policy);

}  // namespace berth
