#include "cli/client.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

int RunDrain(const Invocation& given, Console& console) {
  return CallForMachine(given, console, &v1::Berth::Stub::DrainMachine);
}

}  // namespace

Command DrainCommand() {
  return {.words = "drain",
          .summary = "move everything off a machine as room is found",
          .arguments = {{"MACHINE", "the machine's name"}},
          .options = {kServerOption, kTokenOption, kCaOption, kCertOption, kJsonOption},
          .examples = {"berth drain c1-0003"},
          .run = RunDrain};
}

}  // namespace berth
