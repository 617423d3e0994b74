#include "cli/commands/builtin.h"
#include "cli/fleet_reader.h"
#include "cli/output.h"

namespace berth {
namespace {

int RunGetTypes(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<FleetReader>> fleet = OpenFleet(invocation);
  if (!fleet.ok()) return console.Fail(fleet.status());
  const auto listed = fleet.value()->Types(invocation.Number("--limit"));
  if (!listed.ok()) return console.Fail(listed.status());
  Table table{.title = "Types", .columns = {{.name = "type"}, {.name = "size"}, {.name = "skus"}}};
  for (const auto& item : listed.value().items) {
    std::string skus;
    for (const std::string& sku : item.skus()) skus += (skus.empty() ? "" : ", ") + sku;
    table.rows.push_back({item.name(), InWords(item.size()), skus.empty() ? "any" : skus});
  }
  return PrintTable(invocation, console, std::move(table), listed.value().more);
}

}  // namespace

Command GetTypes() {
  return {.words = "get types",
          .summary = "list the types that instances can be of",
          .arguments = {},
          .options = {kReadStoreOption, kServerOption, kTokenOption, kCaOption, kCertOption,
                      kLimitOption, kJsonOption},
          .examples = {"berth get types --store berth-accepted"},
          .run = RunGetTypes};
}

}  // namespace berth
