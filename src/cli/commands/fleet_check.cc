#include "fleet/fleet_file.h"

#include <fmt/format.h>

#include <ostream>

#include "base/text.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

int RunFleetCheck(const Invocation& invocation, Console& console) {
  const std::string& file = invocation.Text("FILE");
  const Result<FleetFile> fleet = ReadFleetFile(file);
  if (!fleet.ok()) return console.Fail(fleet.status());
  const auto count = [](const auto& items) {
    return FormatCount(static_cast<std::int64_t>(items.size()));
  };
  console.out << fmt::format("{}: ok, {} machines, {} types, {} tenants\n", file,
                             count(fleet.value().machines), count(fleet.value().types),
                             count(fleet.value().tenants));
  return kExitOk;
}

}  // namespace

Command FleetCheck() {
  return {.words = "fleet check",
          .summary = "check a fleet file",
          .arguments = {{"FILE", "the fleet, see docs/formats.md"}},
          .options = {},
          .examples = {"berth fleet check testdata/formats/fleet.yaml"},
          .run = RunFleetCheck};
}

}  // namespace berth
