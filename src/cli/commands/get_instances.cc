#include <algorithm>

#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/read_store.h"

namespace berth {
namespace {

int Run(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<StoreReader>> reader = StoreReader::Open(invocation.Text("--store"));
  if (!reader.ok()) return console.Fail(reader.status());
  std::vector<const Instance*> instances;
  for (const ServiceState& service : reader.value()->inventory().services()) {
    for (const Instance& instance : service.instances) instances.push_back(&instance);
  }
  std::ranges::sort(instances, {}, [](const Instance* i) { return i->id; });
  Table table{.title = "Instances",
              .columns = {{.name = "instance"},
                          {.name = "type"},
                          {.name = "role"},
                          {.name = "state"},
                          {.name = "machine"},
                          {.name = "limit"}}};
  for (const Instance* instance : instances) {
    if (table.rows.size() == invocation.Number("--limit")) break;
    table.rows.push_back({ToString(instance->id), instance->type.str(), instance->role.str(),
                          std::string(ToString(instance->state)), instance->machine.str(),
                          FormatResources(instance->limit)});
  }
  return PrintTable(invocation, console, std::move(table), instances.size());
}

}  // namespace

Command GetInstances() {
  return {.words = "get instances",
          .summary = "list the instances with where they are",
          .arguments = {},
          .options = {kStoreOption, kLimitOption, kJsonOption},
          .examples = {"berth get instances --store berth-accepted"},
          .run = Run};
}

}  // namespace berth
