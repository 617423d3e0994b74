#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "perfmodel/performance_model.h"

namespace berth {
namespace {

int RunListPerformanceModels(const Invocation& invocation, Console& console) {
  Table table{.title = "Performance models",
              .columns = {{.name = "model"}, {.name = "learns"}, {.name = "what it is"}}};
  for (const ModelEntry& entry : PerformanceModels()) {
    table.rows.push_back({std::string(entry.name),
                          entry.learning == ModelLearning::kOnline ? "row by row" : "all at once",
                          std::string(entry.summary)});
  }
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command ListPerformanceModels() {
  return {.words = "list performance-models",
          .summary = "list the models that `berth model fit` knows",
          .arguments = {},
          .options = {kJsonOption},
          .examples = {"berth list performance-models"},
          .run = RunListPerformanceModels};
}

}  // namespace berth
