#include <ostream>

#include "cli/commands/builtin.h"
#include "cli/completion.h"

namespace berth {
namespace {

int RunCompletionBash(const Invocation& /*invocation*/, Console& console) {
  console.out << BashCompletion();
  return kExitOk;
}

}  // namespace

Command CompletionBash() {
  return {.words = "completion bash",
          .summary = "print the completion script for bash",
          .arguments = {},
          .options = {},
          .examples = {"berth completion bash"},
          .run = RunCompletionBash};
}

}  // namespace berth
