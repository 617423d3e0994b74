#include <fmt/format.h>

#include <cmath>
#include <ostream>

#include "base/parallel.h"
#include "base/text.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "cli/performance_options.h"

namespace berth {
namespace {

// "414,266.9,466,254.3": response time and throughput of each application.
Result<std::vector<DeliveredSlis>> ReadDelivered(const Invocation& given, std::size_t count) {
  std::vector<DeliveredSlis> delivered;
  if (!given.Has("--delivered")) return delivered;
  BERTH_TRY(const std::vector<double> numbers, ReadNumbers(given, "--delivered"));
  if (numbers.size() != 2 * count) {
    return Status(Code::kInvalidArgument,
                  fmt::format("--delivered has {} numbers; give a response time and a throughput "
                              "for each of {} applications",
                              numbers.size(), count));
  }
  delivered.reserve(count);
  for (std::size_t i = 0; i < count; ++i) delivered.push_back({numbers[2 * i], numbers[2 * i + 1]});
  return delivered;
}

Table LimitsTable(const SloProblem& problem, const SloSettings& settings, const SloLimits& found,
                  std::string_view method) {
  Table table{.title = fmt::format("Limits by {}", method),
              .note = fmt::format("{} The product of all ratios to objectives is {:.4f}.",
                                  found.value.complies()
                                      ? "Every objective is kept, as far as the models know."
                                      : "No limits keep every objective; these miss them by least.",
                                  std::exp(found.value.log_product)),
              .columns = {{.name = "application"},
                          {.name = "load"},
                          {.name = "limit", .unit = "mCPU"},
                          {.name = "response", .unit = "ms"},
                          {.name = "throughput", .unit = "1/s"},
                          {.name = "objectives"}}};
  for (std::size_t a = 0; a < problem.applications(); ++a) {
    table.rows.push_back({problem.layout().applications[a].name, settings.loads[a], found.limits[a],
                          std::round(found.predicted[2 * a]),
                          std::round(found.predicted[2 * a + 1]),
                          problem.Value(found.predicted, a).complies() ? "kept" : "missed"});
  }
  return table;
}

Result<Table> OptimisedTable(const Invocation& given) {
  BERTH_TRY(const SloMethod method, ParseSloMethod(given.Text("--method")));
  BERTH_TRY(const PerformanceModelSet models, ReadModels(given.Text("--models")));
  BERTH_TRY(const PerformanceLayout layout, LayoutOf(models.columns));
  SloSettings settings;
  BERTH_TRY(settings.loads, ReadNumbers(given, "--load"));
  BERTH_TRY(settings.slo, ReadObjectives(given, layout.applications.size()));
  BERTH_TRY(settings.delivered, ReadDelivered(given, layout.applications.size()));
  settings.capacity_cpu_milli = static_cast<double>(given.Number("--capacity"));
  BERTH_TRY(const SloProblem problem, SloProblem::Make(models, settings));
  BERTH_TRY(const SloLimits found,
            FindLimits(problem, method, Rng(given.Number("--seed")), CoreCount()));
  return LimitsTable(problem, settings, found, given.Text("--method"));
}

int RunModelOptimise(const Invocation& given, Console& console) {
  Result<Table> table = OptimisedTable(given);
  if (!table.ok()) return console.Fail(table.status());
  return PrintTable(given, console, std::move(table).value());
}

}  // namespace

Command ModelOptimiseCommand() {
  return {.words = "model optimise",
          .summary = "find limits under which every application keeps its objectives",
          .arguments = {},
          .options = {{"--models", "FILE", "what berth model fit --out wrote", true},
                      kLoadOption,
                      kCapacityOption,
                      kResponseOption,
                      kThroughputOption,
                      {"--delivered", "LIST",
                       "response time and throughput of each application now, for models fitted "
                       "with --others; otherwise the middle of what was measured"},
                      {"--method", "NAME",
                       "how to look: joint, continuous, hybrid, grid-50 or "
                       "grid-10",
                       false, "joint", KnownSloMethods},
                      kSloSeedOption,
                      kJsonOption},
          .examples = {"berth model optimise --models testdata/perfmodel/hard.models --load "
                       "58,63,75"},
          .run = RunModelOptimise};
}

}  // namespace berth
