#include "scale/space/group_rule.h"

#include "forecast/plugin_names.h"
#include "scale/space/group_rules/builtin.h"

namespace berth {
namespace {

constexpr GroupRuleEntry kGroupRules[] = {
#define BERTH_GROUP_RULE(file, function, summary) {#file, summary, &function},
#include "scale/space/group_rules/group_rules.def"
#undef BERTH_GROUP_RULE
};

}  // namespace

std::span<const GroupRuleEntry> GroupRules() { return kGroupRules; }

Result<const GroupRuleEntry*> FindGroupRule(std::string_view name) {
  return FindNamed<GroupRuleEntry>(kGroupRules, name, "rule");
}

}  // namespace berth
