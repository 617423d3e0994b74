// What `berth train` tells: how the errors fall, and whether what was learned would be believed.
#pragma once

#include <string>

#include "appsim/training.h"
#include "report/report.h"

namespace berth {

Report TrainingReport(const Training& training, const TrainingOutcome& outcome,
                      std::string command);

}  // namespace berth
