#include "cli/commands/builtin.h"
#include "cli/output.h"
#include "scale/space/autoscaler_file.h"
#include "scale/space/count_calculator.h"
#include "scale/space/group_rule.h"
#include "scale/space/placing.h"
#include "scale/space/stabiliser.h"

namespace berth {
namespace {

int RunListScalingParts(const Invocation& invocation, Console& console) {
  Table table{.title = "Parts of autoscalers",
              .columns = {{.name = "kind"}, {.name = "name"}, {.name = "what it does"}}};
  const auto add = [&](std::string_view kind, const auto& entries) {
    for (const auto& entry : entries) {
      table.rows.push_back(
          {std::string(kind), std::string(entry.name), std::string(entry.summary)});
    }
  };
  add("autoscaler", Autoscalers());
  add("calculator", CountCalculators());
  add("stabiliser", Stabilisers());
  add("rule", GroupRules());
  add("placing", PlacingStrategies());
  add("scorer", PlacingScorers());
  add("chooser", PlacingChoosers());
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command ListScalingParts() {
  return {.words = "list scaling-parts",
          .summary = "what scaling policies are made of, beside operations and forecasters",
          .arguments = {},
          .options = {kJsonOption},
          .examples = {"berth list scaling-parts"},
          .run = RunListScalingParts};
}

}  // namespace berth
