#include <fmt/format.h>

#include "cli/commands/builtin.h"
#include "cli/fleet_reader.h"
#include "cli/output.h"

namespace berth {
namespace {

int RunGetMachines(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<FleetReader>> fleet = OpenFleet(invocation);
  if (!fleet.ok()) return console.Fail(fleet.status());
  const auto listed = fleet.value()->Machines(invocation.Number("--limit"));
  if (!listed.ok()) return console.Fail(listed.status());
  Table table{.title = "Machines",
              .columns = {{.name = "machine"},
                          {.name = "rack"},
                          {.name = "sku"},
                          {.name = "health"},
                          {.name = "instances"},
                          {.name = "capacity"},
                          {.name = "free"}}};
  for (const auto& item : listed.value().items) {
    const v1::Machine& machine = item.machine();
    table.rows.push_back({machine.name(),
                          fmt::format("{}/{}/{}/{}", machine.datacenter(), machine.cluster(),
                                      machine.row(), machine.rack()),
                          machine.sku(), InWords(machine.health()),
                          static_cast<double>(item.instances()), InWords(machine.capacity()),
                          InWords(item.free())});
  }
  return PrintTable(invocation, console, std::move(table), listed.value().more);
}

}  // namespace

Command GetMachines() {
  return {.words = "get machines",
          .summary = "list the machines with their health and room",
          .arguments = {},
          .options = {kReadStoreOption, kServerOption, kTokenOption, kCaOption, kCertOption,
                      kLimitOption, kJsonOption},
          .examples = {"berth get machines --store berth-accepted"},
          .run = RunGetMachines};
}

}  // namespace berth
