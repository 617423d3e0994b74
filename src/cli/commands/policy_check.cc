#include <fmt/format.h>

#include <ostream>

#include "base/document.h"
#include "cli/commands/builtin.h"
#include "engine/policy.h"

namespace berth {
namespace {

int RunPolicyCheck(const Invocation& invocation, Console& console) {
  const std::string& file = invocation.Text("FILE");
  const Result<std::string> text = ReadText(file);
  if (!text.ok()) return console.Fail(text.status());
  if (Status status = CheckPolicy(text.value(), file); !status.ok()) return console.Fail(status);
  console.out << fmt::format("{}: ok\n", file);
  return kExitOk;
}

}  // namespace

Command PolicyCheck() {
  return {.words = "policy check",
          .summary = "check a policy file",
          .arguments = {{"FILE", "the policy, see docs/formats.md"}},
          .options = {},
          .examples = {"berth policy check testdata/formats/policy.yaml"},
          .run = RunPolicyCheck};
}

}  // namespace berth
