// Application files: services, requests, nodes, regions and their load. The format is in
// docs/app-simulator.md.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "appsim/app_model.h"

namespace berth {

struct AppText {
  std::string file_name{};
  std::string text{};
  bool replaces = false;  // Its keys stand for those of the parts before it.
};

// Traces are looked for beside the file.
Result<AppModel> ParseAppFile(std::string_view text, const std::string& file_name);
// An application written in several files: each top-level key in one of them, but for those that
// replace others.
Result<AppModel> ParseAppParts(std::span<const AppText> parts);
Result<AppModel> ReadAppFile(const std::string& path);

}  // namespace berth
