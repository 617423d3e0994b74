#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <utility>

#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/store_name.h"
#include "store/open.h"

namespace berth {
namespace {

constexpr std::size_t kTextColumns = 44;

void PrintStep(std::ostream& out, const StepOutcome& outcome) {
  out << fmt::format("{:>4}  {:<{}}  ", outcome.line, outcome.text, kTextColumns);
  // What takes several lines goes below, set in.
  if (outcome.happened.find('\n') == std::string::npos) {
    out << outcome.happened << '\n';
    return;
  }
  out << (outcome.held ? "ok\n" : "\n");
  std::size_t begin = 0;
  while (begin < outcome.happened.size()) {
    const std::size_t end = std::min(outcome.happened.find('\n', begin), outcome.happened.size());
    if (end > begin) out << "        " << outcome.happened.substr(begin, end - begin);
    out << '\n';
    begin = end + 1;
  }
}

Result<std::unique_ptr<Store>> OpenNamedStore(const Invocation& invocation) {
  if (!invocation.Has("--store")) return OpenStore("memory");
  BERTH_TRY(const std::string name, StoreName(invocation.Text("--store")));
  return OpenStore(name);
}

int RunScenarioRun(const Invocation& invocation, Console& console) {
  bool begun = false;
  const Result<Scenario> scenario = ReadScenario(invocation.Text("FILE"));
  if (!scenario.ok()) return console.Fail(scenario.status());
  const bool json = invocation.Has("--json");
  const Result<std::unique_ptr<Store>> store = OpenNamedStore(invocation);
  if (!store.ok()) return console.Fail(store.status());
  const Result<ScenarioResult> ran =
      RunScenario(scenario.value(), *store.value(), {.seed = invocation.Number("--seed")},
                  [&](const StepOutcome& outcome) {
                    if (!json && !std::exchange(begun, true)) {
                      console.out << scenario.value().about << '\n';
                    }
                    if (json) {
                      console.out << ToJson(outcome) << '\n';
                    } else {
                      PrintStep(console.out, outcome);
                    }
                  });
  if (!ran.ok()) {
    const std::string where = invocation.Has("--store") ? invocation.Text("--store") : "memory";
    return console.Fail(fmt::format("{}: {}", where, ran.status().message()));
  }
  const ScenarioResult& result = ran.value();
  if (json) {
    console.out << ToJson(result) << '\n';
  } else {
    console.out << fmt::format("seed {}  decisions {}  unseed {:08x}\n", result.seed,
                               result.decisions, result.unseed);
  }
  return result.held ? static_cast<int>(kExitOk) : console.Fail(result.failure);
}

}  // namespace

Command ScenarioRun() {
  return {.words = "scenario run",
          .summary = "run a scenario file and check what it expects",
          .arguments = {{"FILE", "the scenario, see docs/formats-scenario.md"}},
          .options = {{"--store",
                       "DIR",
                       "leave the result in this new directory, also written rocksdb:DIR, or in "
                       "etcd:HOST:PORT/PREFIX; without it in memory",
                       false,
                       {},
                       KnownStores},
                      {"--seed", "N", "of the order in which requests that start together arrive",
                       false, "1"},
                      {"--json", "", "print a JSON object a line, for programs"}},
          .examples =
              {"berth scenario run tests/scenarios/drain.scn",
               "berth scenario run tests/scenarios/explain_acceptance.scn --store berth-accepted"},
          .run = RunScenarioRun};
}

}  // namespace berth
