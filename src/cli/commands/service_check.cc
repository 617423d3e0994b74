#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "base/text.h"
#include "cli/commands/builtin.h"
#include "fleet/fleet_file.h"
#include "fleet/predicates.h"
#include "fleet/service_file.h"

namespace berth {
namespace {

Status Wrong(const Service& service, std::string_view what) {
  return Status(Code::kInvalidArgument, fmt::format("service {}: {}", service.name, what));
}

// What can be said of a service and a fleet before anything runs on it.
Status CheckOn(const FleetFile& fleet, const Service& service) {
  if (std::ranges::find(fleet.tenants, service.tenant, &Tenant::name) == fleet.tenants.end()) {
    return Wrong(service, fmt::format("the fleet has no tenant {}", service.tenant.str()));
  }
  for (const InstanceGroup& group : service.groups) {
    const auto type = std::ranges::find(fleet.types, group.type, &InstanceType::name);
    if (type == fleet.types.end()) {
      return Wrong(service, fmt::format("the fleet has no type {}", group.type.str()));
    }
    const bool fits_somewhere = std::ranges::any_of(fleet.machines, [&](const Machine& machine) {
      return type->size.FitsIn(machine.capacity) && SupportsType(machine, *type) &&
             HasLabels(machine.labels, service.constraints.labels);
    });
    if (!fits_somewhere) {
      return Wrong(service,
                   fmt::format("no machine can take type {} ({}), not even an empty one; ask "
                               "for less, or for other labels",
                               type->name.str(), FormatResources(type->size)));
    }
  }
  return {};
}

int Run(const Invocation& invocation, Console& console) {
  const std::string& file = invocation.Text("FILE");
  const Result<std::vector<Service>> services = ReadServiceFile(file);
  if (!services.ok()) return console.Fail(services.status());
  if (invocation.Has("--fleet")) {
    const Result<FleetFile> fleet = ReadFleetFile(invocation.Text("--fleet"));
    if (!fleet.ok()) return console.Fail(fleet.status());
    for (const Service& service : services.value()) {
      const Status status = CheckOn(fleet.value(), service);
      if (!status.ok()) return console.Fail(fmt::format("{}: {}", file, status.message()));
    }
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
      .run = Run};
}

}  // namespace berth
