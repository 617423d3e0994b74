#include "cli/client.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

int RunRemove(const Invocation& given, Console& console) {
  return CallForMachine(given, console, &v1::Berth::Stub::RemoveMachine);
}

}  // namespace

Command RemoveCommand() {
  return {.words = "remove",
          .summary = "empty a machine, then take it out of the fleet",
          .arguments = {{"MACHINE", "the machine's name"}},
          .options = {kServerOption, kTokenOption, kCaOption, kCertOption, kJsonOption},
          .examples = {"berth remove c1-0003"},
          .run = RunRemove};
}

}  // namespace berth
