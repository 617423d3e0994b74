#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/document.h"
#include "base/text.h"
#include "cli/commands/builtin.h"
#include "fleet/fleet_file.h"
#include "fleet/predicates.h"
#include "fleet/service_file.h"

namespace berth {
namespace {

// What can be said of a service and a fleet before anything runs on it; empty: nothing is wrong.
std::string WrongOn(const FleetFile& fleet, const Service& service) {
  if (std::ranges::find(fleet.tenants, service.tenant, &Tenant::name) == fleet.tenants.end()) {
    return fmt::format("the fleet has no tenant {}; name one of its tenants", service.tenant.str());
  }
  for (const InstanceGroup& group : service.groups) {
    const auto type = std::ranges::find(fleet.types, group.type, &InstanceType::name);
    if (type == fleet.types.end()) {
      return fmt::format("the fleet has no type {}; name one of its types", group.type.str());
    }
    const bool fits_somewhere = std::ranges::any_of(fleet.machines, [&](const Machine& machine) {
      return type->size.FitsIn(machine.capacity) && SupportsType(machine, *type) &&
             HasLabels(machine.labels, service.constraints.labels);
    });
    if (!fits_somewhere) {
      return fmt::format(
          "no machine can take type {} ({}), not even an empty one; ask for less, or for other "
          "labels",
          type->name.str(), FormatResources(type->size));
    }
  }
  return {};
}

// Read again for its positions, so that the error says where.
Status CheckOn(const FleetFile& fleet, const std::vector<Service>& services,
               const std::string& file) {
  for (std::size_t i = 0; i < services.size(); ++i) {
    const std::string wrong = WrongOn(fleet, services[i]);
    if (wrong.empty()) continue;
    BERTH_TRY(const Document document, ReadDocument(file));
    BERTH_TRY(const std::vector<Node> items,
              document.root().Find("services").value_or(document.root()).Items());
    return items.at(i).Error(wrong);
  }
  return {};
}

int RunServiceCheck(const Invocation& invocation, Console& console) {
  const std::string& file = invocation.Text("FILE");
  const Result<std::vector<Service>> services = ReadServiceFile(file);
  if (!services.ok()) return console.Fail(services.status());
  if (invocation.Has("--fleet")) {
    const Result<FleetFile> fleet = ReadFleetFile(invocation.Text("--fleet"));
    if (!fleet.ok()) return console.Fail(fleet.status());
    const Status status = CheckOn(fleet.value(), services.value(), file);
    if (!status.ok()) return console.Fail(status);
  }
  std::uint64_t instances = 0;
  for (const Service& service : services.value()) instances += service.InstanceCount();
  console.out << fmt::format("{}: ok, {} services, {} instances\n", file, services.value().size(),
                             FormatCount(static_cast<std::int64_t>(instances)));
  return kExitOk;
}

}  // namespace

Command ServiceCheck() {
  return {
      .words = "service check",
      .summary = "check a service file, alone or against a fleet",
      .arguments = {{"FILE", "the services, see docs/formats.md"}},
      .options = {{"--fleet", "FILE", "also check types, tenants and sizes against this fleet"}},
      .examples = {"berth service check testdata/formats/service.yaml"},
      .run = RunServiceCheck};
}

}  // namespace berth
