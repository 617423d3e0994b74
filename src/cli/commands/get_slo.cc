#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/fleet_reader.h"
#include "cli/output.h"

namespace berth {
namespace {

int RunGetSlo(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<FleetReader>> fleet = OpenFleet(invocation);
  if (!fleet.ok()) return console.Fail(fleet.status());
  const Result<v1::ServiceLevels> levels = fleet.value()->ServiceLevels();
  if (!levels.ok()) return console.Fail(levels.status());
  Table table{.title = "Service levels",
              .columns = {{.name = "class"},
                          {.name = "target"},
                          {.name = "instances"},
                          {.name = "fulfilled"},
                          {.name = "at risk"},
                          {.name = "violated"},
                          {.name = "pending"},
                          {.name = "preemptions"},
                          {.name = "next violation"},
                          {.name = "penalty cpu-hours"}}};
  const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
  for (const v1::ClassLevel& level : levels.value().classes()) {
    const bool none = level.next_violation_ms() < 0;
    table.rows.push_back(
        {level.class_(), fmt::format("{:.2f}%", 100 * level.target()), number(level.instances()),
         number(level.fulfilled()), number(level.at_risk()), number(level.violated()),
         number(level.pending()), number(level.preemptions()),
         none ? "-" : FormatDuration(std::chrono::milliseconds(level.next_violation_ms())),
         fmt::format("{:.4f}", level.penalty_cpu_hours())});
  }
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command GetSlo() {
  return {.words = "get slo",
          .summary = "show how the promises of each class stand",
          .arguments = {},
          .options = {kReadStoreOption, kServerOption, kTokenOption, kCaOption, kCertOption,
                      kJsonOption},
          .examples = {"berth get slo --store berth-accepted"},
          .run = RunGetSlo};
}

}  // namespace berth
