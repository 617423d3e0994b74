#include "cli/client.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

int RunFail(const Invocation& given, Console& console) {
  return CallForMachine(given, console, &v1::Berth::Stub::FailMachine);
}

}  // namespace

Command FailCommand() {
  return {.words = "fail",
          .summary = "say that a machine is down: what ran there is placed elsewhere",
          .arguments = {{"MACHINE", "the machine's name"}},
          .options = {kServerOption, kTokenOption, kCaOption, kCertOption, kJsonOption},
          .examples = {"berth fail c1-0003"},
          .run = RunFail};
}

}  // namespace berth
