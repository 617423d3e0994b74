#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/read_store.h"

#include <algorithm>

namespace berth {
namespace {

int Run(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<StoreReader>> reader = StoreReader::Open(invocation.Text("--store"));
  if (!reader.ok()) return console.Fail(reader.status());
  const Inventory& fleet = reader.value()->inventory();
  std::vector<const MachineState*> machines;
  for (const MachineState& machine : fleet.machines()) {
    if (!machine.vacant()) machines.push_back(&machine);
  }
  std::ranges::sort(machines, {}, [](const MachineState* m) { return m->record.name; });
  Table table{.title = "Machines",
              .columns = {{.name = "machine"},
                          {.name = "rack"},
                          {.name = "sku"},
                          {.name = "health"},
                          {.name = "instances"},
                          {.name = "capacity"},
                          {.name = "free"}}};
  for (const MachineState* machine : machines) {
    if (table.rows.size() == invocation.Number("--limit")) break;
    const Resources free = machine->Free();
    table.rows.push_back({machine->record.name.str(), fleet[machine->rack].path,
                          machine->record.sku.str(), std::string(ToString(machine->record.health)),
                          static_cast<double>(machine->instances.size()),
                          FormatResources(machine->record.capacity),
                          free.IsZero() ? "nothing" : FormatResources(free)});
  }
  return PrintTable(invocation, console, std::move(table), machines.size());
}

}  // namespace

Command GetMachines() {
  return {.words = "get machines",
          .summary = "list the machines with their health and room",
          .arguments = {},
          .options = {kStoreOption, kLimitOption, kJsonOption},
          .examples = {"berth get machines --store berth-accepted"},
          .run = Run};
}

}  // namespace berth
