#include <fmt/format.h>

#include <algorithm>

#include "cli/commands/builtin.h"
#include "cli/fleet_reader.h"
#include "cli/output.h"

namespace berth {
namespace {

std::string GroupsOf(const v1::Service& service) {
  std::string text;
  for (const v1::Group& group : service.groups()) {
    text += fmt::format("{}{} x {}{}{}", text.empty() ? "" : " + ", group.count(), group.type(),
                        group.role().empty() ? "" : " as ", group.role());
  }
  return text;
}

int RunGetServices(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<FleetReader>> fleet = OpenFleet(invocation);
  if (!fleet.ok()) return console.Fail(fleet.status());
  const auto listed = fleet.value()->Services(invocation.Number("--limit"));
  if (!listed.ok()) return console.Fail(listed.status());
  Table table{.title = "Services",
              .columns = {{.name = "service"},
                          {.name = "tenant"},
                          {.name = "class"},
                          {.name = "asks for"},
                          {.name = "placed"},
                          {.name = "pending"}}};
  const bool some_held_back = std::ranges::any_of(
      listed.value().items, [](const auto& item) { return !item.held_back().empty(); });
  if (some_held_back) table.columns.push_back({.name = "held back"});
  for (const auto& item : listed.value().items) {
    const v1::Service& service = item.service();
    table.rows.push_back({service.name(), service.tenant(), service.class_(), GroupsOf(service),
                          static_cast<double>(item.placed()), static_cast<double>(item.pending())});
    if (some_held_back) table.rows.back().emplace_back(item.held_back());
  }
  return PrintTable(invocation, console, std::move(table), listed.value().more);
}

}  // namespace

Command GetServices() {
  return {.words = "get services",
          .summary = "list the services with how many instances run and wait",
          .arguments = {},
          .options = {kReadStoreOption, kServerOption, kTokenOption, kCaOption, kCertOption,
                      kLimitOption, kJsonOption},
          .examples = {"berth get services --store berth-accepted"},
          .run = RunGetServices};
}

}  // namespace berth
