// Application files, written.
#pragma once

#include <string>

#include "appsim/app_model.h"

namespace berth {

// Reads back as the same application, with loads in levels and fractions of units rounded.
std::string WriteAppFile(const AppModel& model);

}  // namespace berth
