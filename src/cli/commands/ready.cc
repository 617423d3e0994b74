#include "cli/client.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

int RunReady(const Invocation& given, Console& console) {
  return CallForMachine(given, console, &v1::Berth::Stub::RestoreMachine);
}

}  // namespace

Command ReadyCommand() {
  return {.words = "ready",
          .summary = "say that a machine is ready again",
          .arguments = {{"MACHINE", "the machine's name"}},
          .options = {kServerOption, kTokenOption, kCaOption, kCertOption, kJsonOption},
          .examples = {"berth ready c1-0003"},
          .run = RunReady};
}

}  // namespace berth
