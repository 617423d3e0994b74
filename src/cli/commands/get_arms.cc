#include <fmt/format.h>

#include "cli/client.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"

namespace berth {
namespace {

std::string Share(std::uint64_t part, std::uint64_t rest) {
  const std::uint64_t all = part + rest;
  if (all == 0) return "-";
  return fmt::format("{:.2f} %", 100.0 * static_cast<double>(part) / static_cast<double>(all));
}

int RunGetArms(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<Client>> client = Client::Connect(invocation);
  if (!client.ok()) return console.Fail(client.status());
  const Result<v1::ExperimentState> listed =
      client.value()->Call(&v1::Berth::Stub::GetExperiment, v1::GetExperimentRequest());
  if (!listed.ok()) return console.Fail(listed.status());
  Table table{.title = "Arms",
              .columns = {{.name = "arm"},
                          {.name = "percent"},
                          {.name = "services"},
                          {.name = "placed"},
                          {.name = "pending"},
                          {.name = "accepted"},
                          {.name = "refused"},
                          {.name = "refused share"},
                          {.name = "conflicts"},
                          {.name = "hit share"}}};
  const auto number = [](auto value) { return static_cast<double>(value); };
  for (const v1::Arm& arm : listed.value().arms()) {
    table.rows.push_back({arm.name(), number(arm.percent()), number(arm.services()),
                          number(arm.placed()), number(arm.pending()), number(arm.accepted()),
                          number(arm.refused()), Share(arm.refused(), arm.accepted()),
                          number(arm.conflicts()), Share(arm.hits(), arm.misses())});
  }
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command GetArms() {
  return {.words = "get arms",
          .summary = "compare the arms of the policy's experiment; empty when none is running",
          .arguments = {},
          .options = {kServerOption, kTokenOption, kCaOption, kCertOption, kJsonOption},
          .examples = {"berth get arms"},
          .run = RunGetArms};
}

}  // namespace berth
