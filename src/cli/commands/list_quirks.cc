#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "report/multiverse_report.h"

namespace berth {
namespace {

int RunListQuirks(const Invocation& invocation, Console& console) {
  return PrintTable(invocation, console, QuirksTable());
}

}  // namespace

Command ListQuirks() {
  return {.words = "list quirks",
          .summary = "list the ways of the Multiverse simulator that `berth simulate app` can have",
          .arguments = {},
          .options = {kJsonOption},
          .examples = {"berth list quirks"},
          .run = RunListQuirks};
}

}  // namespace berth
