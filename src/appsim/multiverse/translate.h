// A Multiverse experiment for the exact simulator: what its files say, without steps and quirks.
#pragma once

#include <cstdint>
#include <string>

#include "appsim/app_model.h"
#include "appsim/app_study.h"
#include "appsim/multiverse/set.h"

namespace berth::multiverse {

// Instances are placed by their limits, or by their mean use where there are none. A load that is
// drawn is drawn with the seed.
Result<AppModel> TranslateApplication(const SimulationSet& set, const RunSpec& run,
                                      std::uint64_t seed);

// The scaling and adjustment policies as a file of docs/predictive-scaling.md. What learns or
// foresees is refused: its models are not among the files.
Result<std::string> TranslatePolicy(const SimulationSet& set);
Result<AppPolicy> MakeTranslatedPolicy(const SimulationSet& set, const AppModel& model,
                                       const std::string& name);

}  // namespace berth::multiverse
