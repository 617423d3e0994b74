#include "sim/rightsizing/generate_usage.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

int RunGenerateUsage(const Invocation& given, Console& console) {
  UsageShape shape;
  const auto services = given.NumberWithin("--services", 1, 10'000);
  if (!services.ok()) return console.Fail(services.status());
  const auto days = given.NumberWithin("--days", 1, 366);
  if (!days.ok()) return console.Fail(days.status());
  shape.services = static_cast<std::uint32_t>(services.value());
  shape.days = static_cast<std::uint32_t>(days.value());
  GenerateUsage(shape, given.Number("--seed"), console.out);
  return kExitOk;
}

}  // namespace

Command GenerateUsageCommand() {
  return {.words = "generate usage",
          .summary = "print usage of cpu and memory, with limits, for `berth simulate rightsizing`",
          .arguments = {},
          .options = {{"--services", "N", "how many", false, "20"},
                      {"--days", "N", "from a Monday on, every five minutes", false, "14"},
                      {"--seed", "N", "of everything that is drawn", false, "1"}},
          .examples = {"berth generate usage --services 3 --days 2"},
          .run = RunGenerateUsage};
}

}  // namespace berth
