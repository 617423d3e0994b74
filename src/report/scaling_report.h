// What `berth simulate scaling` tells: the tables on the terminal and the report on disk.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/report.h"
#include "sim/scaling/rehearse_scaling.h"
#include "sim/scaling/restlessness.h"

namespace berth {

// One scaler on the load.
struct ScalingRun {
  std::string scaler;
  ScalingOutcome outcome;
  // Beside a vertical recommender: what it would have done without one.
  std::optional<Restlessness> restlessness{};
  // What went wrong with a scaler that is a program; its last advice stayed.
  std::string trouble{};
};

Report ScalingReport(const std::vector<ScalingRun>& runs, std::string command);

}  // namespace berth
