// Who scales a simulated application, by name.
#pragma once

#include <string>

#include "appsim/app_study.h"

namespace berth {

// "none", or a file that names an autoscaler, as docs/predictive-scaling.md says, perhaps with one
// of what it learned, as docs/training.md says. Files are read now, and refused if they do not suit
// the model.
Result<AppPolicy> ReadAppPolicy(const std::string& name, const AppModel& model);
// What it is called in tables: its files without their folders.
std::string AppPolicyLabel(const std::string& name);

}  // namespace berth
