#include <fmt/format.h>

#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/fleet_reader.h"
#include "cli/output.h"

namespace berth {
namespace {

std::string Length(std::int64_t millis) {
  return FormatDuration(std::chrono::milliseconds(millis));
}

std::string Percent(double share) { return fmt::format("{:.2f}%", 100 * share); }

int RunGetPending(const Invocation& invocation, Console& console) {
  const Result<std::unique_ptr<FleetReader>> fleet = OpenFleet(invocation);
  if (!fleet.ok()) return console.Fail(fleet.status());
  const auto listed = fleet.value()->Pending(invocation.Number("--limit"));
  if (!listed.ok()) return console.Fail(listed.status());
  Table table{.title = "Pending",
              .columns = {{.name = "instance"},
                          {.name = "class"},
                          {.name = "standing"},
                          {.name = "to violation"},
                          {.name = "recovers in"},
                          {.name = "ran"},
                          {.name = "waited"},
                          {.name = "availability"},
                          {.name = "target"},
                          {.name = "preemptions"}}};
  for (const v1::PendingInstance& one : listed.value().items) {
    const bool broken = one.standing() == v1::VIOLATED;
    const std::string recovers = one.recovers_in_ms() < 0 ? "never" : Length(one.recovers_in_ms());
    table.rows.push_back({one.id(), one.class_(), InWords(one.standing()),
                          broken ? "-" : Length(one.leeway_ms()), broken ? recovers : "-",
                          Length(one.ran_ms()), Length(one.waited_ms()),
                          Percent(one.availability()), Percent(one.target()),
                          static_cast<double>(one.preemptions())});
  }
  return PrintTable(invocation, console, std::move(table), listed.value().more);
}

}  // namespace

Command GetPending() {
  return {.words = "get pending",
          .summary = "list the instances that wait for room, those closest to a violation first",
          .arguments = {},
          .options = {kReadStoreOption, kServerOption, kTokenOption, kCaOption, kCertOption,
                      kLimitOption, kJsonOption},
          .examples = {"berth get pending --store berth-accepted"},
          .run = RunGetPending};
}

}  // namespace berth
