#include <ostream>

#include "cli/commands/builtin.h"
#include "cli/fleet_reader.h"
#include "serve/http_route.h"

namespace berth {
namespace {

int RunExplain(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<FleetReader>> fleet = OpenFleet(invocation);
  if (!fleet.ok()) return console.Fail(fleet.status());
  const Result<v1::ExplainedDecision> decision =
      fleet.value()->Explain(invocation.Text("DECISION"));
  if (!decision.ok()) return console.Fail(decision.status());
  if (invocation.Has("--json")) {
    console.out << ToJson(decision.value().decision()) << '\n';
  } else {
    console.out << decision.value().explanation();
  }
  return kExitOk;
}

}  // namespace

Command Explain() {
  return {.words = "explain",
          .summary = "say why a decision came out as it did",
          .arguments = {{"DECISION", "its id, like a0-17; 'berth get decisions' lists them"}},
          .options = {kReadStoreOption, kServerOption, kTokenOption, kCaOption, kCertOption,
                      kJsonOption},
          .examples = {"berth explain a0-7 --store berth-accepted"},
          .run = RunExplain};
}

}  // namespace berth
