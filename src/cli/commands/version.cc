#include <ostream>

#include "cli/commands/builtin.h"

namespace berth {
namespace {

int RunVersion(const Invocation& /*invocation*/, Console& console) {
  console.out << "berth " << BERTH_VERSION << '\n';
  return kExitOk;
}

}  // namespace

Command Version() {
  return {.words = "version",
          .summary = "print the version",
          .arguments = {},
          .options = {},
          .examples = {"berth version"},
          .run = RunVersion};
}

}  // namespace berth
