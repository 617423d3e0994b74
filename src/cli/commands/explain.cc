#include "allocate/explain.h"

#include <fmt/format.h>

#include <ostream>

#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/read_store.h"

namespace berth {
namespace {

int Run(const Invocation& invocation, Console& console) {
  const std::string& text = invocation.Text("DECISION");
  const std::optional<DecisionId> id = ParseDecisionId(text);
  if (!id) {
    return console.Fail(
        fmt::format("{} is no decision; give an agent and a number, like a0-17", Quoted(text)));
  }
  const Result<std::unique_ptr<StoreReader>> reader = StoreReader::Open(invocation.Text("--store"));
  if (!reader.ok()) return console.Fail(reader.status());
  const Result<Decision> decision = reader.value()->ReadDecision(*id);
  if (!decision.ok()) return console.Fail(decision.status());
  if (invocation.Has("--json")) {
    console.out << ToJson(decision.value()) << '\n';
  } else {
    console.out << ExplainDecision(decision.value());
  }
  return kExitOk;
}

}  // namespace

Command Explain() {
  return {.words = "explain",
          .summary = "say why a decision came out as it did",
          .arguments = {{"DECISION", "its id, like a0-17; 'berth get decisions' lists them"}},
          .options = {kStoreOption, kJsonOption},
          .examples = {"berth explain a0-7 --store berth-accepted"},
          .run = Run};
}

}  // namespace berth
