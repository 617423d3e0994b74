#include "cli/commands/builtin.h"
#include "cli/fleet_reader.h"
#include "cli/output.h"

namespace berth {
namespace {

int RunGetInstances(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<FleetReader>> fleet = OpenFleet(invocation);
  if (!fleet.ok()) return console.Fail(fleet.status());
  const auto listed = fleet.value()->Instances(invocation.Number("--limit"));
  if (!listed.ok()) return console.Fail(listed.status());
  Table table{.title = "Instances",
              .columns = {{.name = "instance"},
                          {.name = "type"},
                          {.name = "role"},
                          {.name = "state"},
                          {.name = "machine"},
                          {.name = "limit"}}};
  for (const auto& item : listed.value().items) {
    table.rows.push_back({item.id(), item.type(), item.role(), InWords(item.phase()),
                          item.machine(), InWords(item.limit())});
  }
  return PrintTable(invocation, console, std::move(table), listed.value().more);
}

}  // namespace

Command GetInstances() {
  return {.words = "get instances",
          .summary = "list the instances with where they are",
          .arguments = {},
          .options = {kReadStoreOption, kServerOption, kTokenOption, kCaOption, kCertOption,
                      kLimitOption, kJsonOption},
          .examples = {"berth get instances --store berth-accepted"},
          .run = RunGetInstances};
}

}  // namespace berth
