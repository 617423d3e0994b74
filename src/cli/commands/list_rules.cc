#include "allocate/policy.h"
#include "base/document.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"

namespace berth {
namespace {

template <typename Kind>
bool Is(const Rule& rule) {
  return dynamic_cast<const Kind*>(&rule) != nullptr;
}

std::string KindOf(const Rule& rule) {
  if (Is<Validator>(rule)) return "validator";
  if (Is<ClusterValidator>(rule)) return "cluster validator";
  if (Is<RackPreference>(rule)) return "rack preference";
  return Is<ClusterPreference>(rule) ? "cluster preference" : "preference";
}

int RunListRules(const Invocation& invocation, Console& console) {
  const Result<Document> nothing = ParseDocument("{}", "no options");
  if (!nothing.ok()) return console.Fail(nothing.status());
  Table table{.title = "Rules", .columns = {{.name = "rule"}, {.name = "kind"}, {.name = "says"}}};
  for (const RuleEntry& entry : BuiltinRules()) {
    Fields options(nothing.value().root());
    const std::unique_ptr<Rule> rule = entry.create(options);
    table.rows.push_back({std::string(entry.name), KindOf(*rule), std::string(rule->summary())});
  }
  return PrintTable(invocation, console, std::move(table));
}

}  // namespace

Command ListRules() {
  return {.words = "list rules",
          .summary = "list the rules that a policy may name",
          .arguments = {},
          .options = {kJsonOption},
          .examples = {"berth list rules"},
          .run = RunListRules};
}

}  // namespace berth
