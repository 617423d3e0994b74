#include "cli/commands/builtin.h"
#include "cli/fleet_reader.h"
#include "cli/output.h"

namespace berth {
namespace {

int RunGetTenants(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<FleetReader>> fleet = OpenFleet(invocation);
  if (!fleet.ok()) return console.Fail(fleet.status());
  const auto listed = fleet.value()->Tenants(invocation.Number("--limit"));
  if (!listed.ok()) return console.Fail(listed.status());
  Table table{
      .title = "Tenants",
      .columns = {{.name = "tenant"}, {.name = "services"}, {.name = "uses"}, {.name = "quota"}}};
  for (const auto& item : listed.value().items) {
    const v1::Tenant& tenant = item.tenant();
    table.rows.push_back({tenant.name(), static_cast<double>(item.services()), InWords(item.used()),
                          tenant.has_quota() ? InWords(tenant.quota()) : "unlimited"});
  }
  return PrintTable(invocation, console, std::move(table), listed.value().more);
}

}  // namespace

Command GetTenants() {
  return {.words = "get tenants",
          .summary = "list the tenants with what they use and may",
          .arguments = {},
          .options = {kReadStoreOption, kServerOption, kTokenOption, kCaOption, kCertOption,
                      kLimitOption, kJsonOption},
          .examples = {"berth get tenants --store berth-accepted"},
          .run = RunGetTenants};
}

}  // namespace berth
