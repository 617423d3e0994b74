#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/read_store.h"

namespace berth {
namespace {

std::string GroupsOf(const Service& service) {
  std::string text;
  for (const InstanceGroup& group : service.groups) {
    text += fmt::format("{}{} x {}{}{}", text.empty() ? "" : " + ", group.count, group.type.str(),
                        group.role.empty() ? "" : " as ", group.role.str());
  }
  return text;
}

int Run(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<StoreReader>> reader = StoreReader::Open(invocation.Text("--store"));
  if (!reader.ok()) return console.Fail(reader.status());
  std::vector<const ServiceState*> services;
  for (const ServiceState& service : reader.value()->inventory().services()) {
    if (!service.vacant()) services.push_back(&service);
  }
  std::ranges::sort(services, {}, [](const ServiceState* s) { return s->record.name; });
  Table table{.title = "Services",
              .columns = {{.name = "service"},
                          {.name = "tenant"},
                          {.name = "class"},
                          {.name = "asks for"},
                          {.name = "placed"},
                          {.name = "pending"}}};
  for (const ServiceState* service : services) {
    if (table.rows.size() == invocation.Number("--limit")) break;
    const auto count = [&](auto&& holds) {
      return static_cast<double>(std::ranges::count_if(service->instances, holds));
    };
    table.rows.push_back(
        {service->record.name, service->record.tenant.str(), service->record.klass.str(),
         GroupsOf(service->record), count([](const Instance& i) { return i.HoldsRoom(); }),
         count([](const Instance& i) { return i.state == InstanceState::kPending; })});
  }
  return PrintTable(invocation, console, std::move(table), services.size());
}

}  // namespace

Command GetServices() {
  return {.words = "get services",
          .summary = "list the services with how many instances run and wait",
          .arguments = {},
          .options = {kStoreOption, kLimitOption, kJsonOption},
          .examples = {"berth get services --store berth-accepted"},
          .run = Run};
}

}  // namespace berth
