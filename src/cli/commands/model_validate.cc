#include <fmt/format.h>

#include "base/parallel.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/performance_options.h"

namespace berth {
namespace {

Result<Table> ValidatedTable(const Invocation& given) {
  ClosedLoopSettings settings;
  BERTH_TRY(const LimitKind kind, ReadLimitKind(given));
  BERTH_TRY(settings.method, ParseSloMethod(given.Text("--method")));
  BERTH_TRY(const std::uint32_t runs, given.NumberWithin("--runs", 1, 10'000));
  settings.runs = runs;
  const ColocatedApps apps = ThreeColocatedApps(kind);
  BERTH_TRY(const PerformanceModelSet models, ReadModels(given.Text("--models")));
  BERTH_TRY(settings.loads, ReadNumbers(given, "--load"));
  BERTH_TRY(settings.first_limits, ReadNumbers(given, "--start"));
  BERTH_TRY(settings.slo, ReadObjectives(given, apps.apps().size()));
  settings.capacity_cpu_milli = static_cast<double>(given.Number("--capacity"));
  BERTH_TRY(const ClosedLoopResult result,
            TryLimits(apps, models, settings, given.Number("--seed"), CoreCount()));
  Table table{.title = fmt::format("{} runs under the limits advised, {} limits", runs,
                                   given.Text("--limits")),
              .columns = {{.name = "application"},
                          {.name = "before", .unit = "mCPU"},
                          {.name = "advised", .unit = "mCPU"},
                          {.name = "response", .unit = "ms", .right_aligned = true},
                          {.name = "late runs"},
                          {.name = "throughput", .unit = "1/s", .right_aligned = true},
                          {.name = "short runs"}}};
  for (std::size_t a = 0; a < apps.apps().size(); ++a) {
    const SliRuns& response = result.runs[2 * a];
    const SliRuns& throughput = result.runs[2 * a + 1];
    table.rows.push_back({apps.apps()[a].name, settings.first_limits[a], result.advised.limits[a],
                          fmt::format("{:.1f} ± {:.1f}", response.mean, response.deviation),
                          static_cast<double>(response.violations),
                          fmt::format("{:.1f} ± {:.1f}", throughput.mean, throughput.deviation),
                          static_cast<double>(throughput.violations)});
  }
  return table;
}

int RunModelValidate(const Invocation& given, Console& console) {
  Result<Table> table = ValidatedTable(given);
  if (!table.ok()) return console.Fail(table.status());
  return PrintTable(given, console, std::move(table).value());
}

}  // namespace

Command ModelValidateCommand() {
  return {.words = "model validate",
          .summary =
              "try advised limits on the simulated applications of `berth generate "
              "performance`",
          .arguments = {},
          .options = {{"--models", "FILE", "what berth model fit --out wrote", true},
                      kLoadOption,
                      {"--start", "LIST", "limits before anything is known, in milli-cores", true},
                      kLimitKindOption,
                      kCapacityOption,
                      kResponseOption,
                      kThroughputOption,
                      {"--method", "NAME", "how to look, see berth model optimise", false, "hybrid",
                       KnownSloMethods},
                      {"--runs", "N", "before and after", false, "16"},
                      kSloSeedOption,
                      kJsonOption},
          .examples = {"berth model validate --models testdata/perfmodel/hard.models --load "
                       "58,63,75 --start 300,500,100"},
          .run = RunModelValidate};
}

}  // namespace berth
