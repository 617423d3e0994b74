// A whole policy: one YAML file, each room reading its own section of it.
#pragma once

#include <string>
#include <string_view>

#include "berth/status.h"

namespace berth {

// Reads every section, and refuses those that no room knows.
Status CheckPolicy(std::string_view text, std::string file_name);

}  // namespace berth
