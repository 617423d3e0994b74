// Application files: services, requests, nodes, regions and their load. The format is in
// docs/app-simulator.md.
#pragma once

#include <string>
#include <string_view>

#include "appsim/app_model.h"

namespace berth {

// Traces are looked for beside the file.
Result<AppModel> ParseAppFile(std::string_view text, const std::string& file_name);
Result<AppModel> ReadAppFile(const std::string& path);

}  // namespace berth
