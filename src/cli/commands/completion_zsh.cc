#include <ostream>

#include "cli/commands/builtin.h"
#include "cli/completion.h"

namespace berth {
namespace {

int RunCompletionZsh(const Invocation& /*invocation*/, Console& console) {
  console.out << ZshCompletion();
  return kExitOk;
}

}  // namespace

Command CompletionZsh() {
  return {.words = "completion zsh",
          .summary = "print the completion script for zsh",
          .arguments = {},
          .options = {},
          .examples = {"berth completion zsh"},
          .run = RunCompletionZsh};
}

}  // namespace berth
