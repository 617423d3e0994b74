// Who scales a simulated application, by name.
#pragma once

#include <string>

#include "appsim/app_study.h"

namespace berth {

// "none", or a file that names an autoscaler, as docs/predictive-scaling.md says. The file is read
// now, and refused if it does not suit the model.
Result<AppPolicy> ReadAppPolicy(const std::string& name, const AppModel& model);

}  // namespace berth
