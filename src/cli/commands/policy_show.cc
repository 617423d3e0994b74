#include <ostream>

#include "allocate/policy.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

int Run(const Invocation& /*invocation*/, Console& console) {
  console.out << ShippedPolicy();
  return kExitOk;
}

}  // namespace

Command PolicyShow() {
  return {.words = "policy show",
          .summary = "print the shipped policy, a start for your own",
          .arguments = {},
          .options = {},
          .examples = {"berth policy show"},
          .run = Run};
}

}  // namespace berth
