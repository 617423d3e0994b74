#include "cli/client.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

int RunCordon(const Invocation& given, Console& console) {
  return CallForMachine(given, console, &v1::Berth::Stub::CordonMachine);
}

}  // namespace

Command CordonCommand() {
  return {.words = "cordon",
          .summary = "take no new instances; those that run there stay",
          .arguments = {{"MACHINE", "the machine's name"}},
          .options = {kServerOption, kTokenOption, kCaOption, kCertOption, kJsonOption},
          .examples = {"berth cordon c1-0003"},
          .run = RunCordon};
}

}  // namespace berth
