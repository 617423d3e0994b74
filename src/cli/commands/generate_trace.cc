#include <fmt/format.h>

#include <ostream>

#include "cli/commands/builtin.h"
#include "traces/generate_workload.h"
#include "traces/write.h"

namespace berth {
namespace {

constexpr std::uint64_t kHoursMax = std::uint64_t{24} * 366;

Result<std::unique_ptr<Trace>> Generate(const Invocation& given) {
  BERTH_TRY(const FleetFile fleet, ReadFleetFile(given.Text("--fleet")));
  const std::uint64_t hours = given.Number("--hours");
  if (hours == 0 || hours > kHoursMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("--hours must be 1 to {}, not {}", kHoursMax, hours));
  }
  const std::uint64_t fill = given.Number("--fill");
  if (fill == 0 || fill > 200) {
    return Status(Code::kInvalidArgument, fmt::format("--fill must be 1 to 200, not {}", fill));
  }
  return GenerateWorkload(fleet, {.seed = given.Number("--seed"),
                                  .length = std::chrono::hours(static_cast<std::int64_t>(hours)),
                                  .fill_percent = static_cast<std::uint32_t>(fill),
                                  .start_full = !given.Has("--start-empty")});
}

int RunGenerateTrace(const Invocation& given, Console& console) {
  const Result<std::unique_ptr<Trace>> trace = Generate(given);
  if (!trace.ok()) return console.Fail(trace.status());
  const Status written = WriteTrace(*trace.value(), [&](std::string_view text) {
    console.out << text;
    return console.out ? Status() : Status(Code::kUnavailable, "the output cannot be written");
  });
  return written.ok() ? kExitOk : console.Fail(written);
}

}  // namespace

Command GenerateTraceCommand() {
  return {
      .words = "generate trace",
      .summary = "print arrivals for a fleet, with the published statistics of a public cloud",
      .arguments = {},
      .options = {{"--fleet", "FILE", "the fleet that they are to fill", true},
                  {"--hours", "N", "how long", false, "24"},
                  {"--fill", "N", "percent of the fleet's cores in the steady state", false, "78"},
                  {"--start-empty", "", "begin with nothing running"},
                  {"--seed", "N", "of everything that is drawn", false, "1"}},
      .examples = {"berth generate trace --fleet testdata/formats/fleet.yaml --hours 1"},
      .run = RunGenerateTrace};
}

}  // namespace berth
