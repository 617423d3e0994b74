#include "allocate/policy.h"
#include "base/document.h"
#include "cli/commands/builtin.h"
#include "cli/output.h"

namespace berth {
namespace {

std::string KindOf(const Rule& rule) {
  if (dynamic_cast<const Validator*>(&rule) != nullptr) return "validator";
  return dynamic_cast<const Preference*>(&rule) != nullptr ? "preference" : "cluster preference";
}

int Run(const Invocation& invocation, Console& console) {
  const Result<Document> nothing = ParseDocument("{}", "no options");
  if (!nothing.ok()) return console.Fail(nothing.status());
  Table table{.title = "Rules", .columns = {{.name = "rule"}, {.name = "kind"}, {.name = "says"}}};
  for (const RuleEntry& entry : BuiltinRules()) {
    Fields options(nothing.value().root());
    const std::unique_ptr<Rule> rule = entry.create(options);
    table.rows.push_back({std::string(entry.name), KindOf(*rule), std::string(rule->summary())});
  }
  const std::size_t all = table.rows.size();
  return PrintTable(invocation, console, std::move(table), all);
}

}  // namespace

Command ListRules() {
  return {.words = "list rules",
          .summary = "list the rules that a policy may name",
          .arguments = {},
          .options = {kJsonOption},
          .examples = {"berth list rules"},
          .run = Run};
}

}  // namespace berth
