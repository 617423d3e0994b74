// Declares the description of every command in commands.def; each command's .cc includes it.
#pragma once

#include "cli/command.h"

namespace berth {

#define BERTH_COMMAND(file, describe) Command describe();
#include "cli/commands/commands.def"
#undef BERTH_COMMAND

}  // namespace berth
