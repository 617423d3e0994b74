#include "perfmodel/generate_performance.h"

#include "cli/commands/builtin.h"
#include "cli/performance_options.h"

namespace berth {
namespace {

int RunGeneratePerformance(const Invocation& given, Console& console) {
  const auto rows = given.NumberWithin("--rows", 1, kDataRowsMax);
  if (!rows.ok()) return console.Fail(rows.status());
  const auto kind = ReadLimitKind(given);
  if (!kind.ok()) return console.Fail(kind.status());
  WriteDataTable(
      MeasurePerformance(ThreeColocatedApps(kind.value()), rows.value(), given.Number("--seed")),
      console.out);
  return kExitOk;
}

}  // namespace

Command GeneratePerformanceCommand() {
  return {.words = "generate performance",
          .summary = "print measurements of three applications on one machine, for `berth model`",
          .arguments = {},
          .options = {{"--rows", "N", "how many", false, "8864"},
                      kLimitKindOption,
                      {"--seed", "N", "of everything that is drawn", false, "1"}},
          .examples = {"berth generate performance --rows 5"},
          .run = RunGeneratePerformance};
}

}  // namespace berth
