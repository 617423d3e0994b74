// The command tree: parses arguments, prints help, finds the command and runs it.
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"

namespace berth {

// `arguments` are without the program's name. Answers the exit code.
int RunApp(const std::vector<std::string>& arguments, Console& console);

}  // namespace berth
