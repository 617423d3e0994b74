#include <fmt/format.h>

#include <ostream>

#include "cli/commands/builtin.h"
#include "traces/generate_zone.h"

namespace berth {
namespace {

int RunGenerateZone(const Invocation& given, Console& console) {
  const std::uint64_t machines = given.Number("--machines");
  if (machines == 0 || machines > kMachinesMax) {
    return console.Fail(fmt::format("--machines must be 1 to {}, not {}", kMachinesMax, machines));
  }
  const Result<FleetFile> zone = GenerateZone(
      {.machines = static_cast<std::uint32_t>(machines), .name = given.Text("--name")});
  if (!zone.ok()) return console.Fail(zone.status());
  console.out << FormatFleetFile(zone.value());
  return kExitOk;
}

}  // namespace

Command GenerateZoneCommand() {
  return {
      .words = "generate zone",
      .summary =
          "print a fleet file like a zone of a public cloud: generations, clusters, racks, types",
      .arguments = {},
      .options = {{"--machines", "N", "how many", false, "2000"},
                  {"--name", "NAME", "the zone's", false, "zone-1"}},
      .examples = {"berth generate zone --machines 500 --name west-1"},
      .run = RunGenerateZone};
}

}  // namespace berth
