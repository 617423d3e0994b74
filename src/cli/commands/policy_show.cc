#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>

#include "allocate/policy.h"
#include "cli/commands/builtin.h"

namespace berth {
namespace {

std::vector<std::string> KnownPolicies() {
  std::vector<std::string> known;
  for (const ShippedPolicyEntry& entry : ShippedPolicies()) known.emplace_back(entry.name);
  return known;
}

int RunPolicyShow(const Invocation& invocation, Console& console) {
  const std::string& name = invocation.Text("--name");
  const auto policies = ShippedPolicies();
  const auto known = std::ranges::find(policies, name, &ShippedPolicyEntry::name);
  if (known == policies.end()) {
    std::string names;
    for (const ShippedPolicyEntry& entry : policies) {
      names += fmt::format("{}{}", names.empty() ? "" : ", ", entry.name);
    }
    return console.Fail(fmt::format("there is no policy '{}'; there are {}", name, names));
  }
  console.out << known->text;
  return kExitOk;
}

}  // namespace

Command PolicyShow() {
  return {
      .words = "policy show",
      .summary = "print a shipped policy, a start for your own",
      .arguments = {},
      .options = {{.name = "--name",
                   .value = "POLICY",
                   .about = "shipped, which is in force when none is given, production, for "
                            "large zones, or prv_best_fit or prv_worst_fit, for over-subscribed "
                            "machines",
                   .otherwise = "shipped",
                   .known = KnownPolicies}},
      .examples = {"berth policy show", "berth policy show --name production"},
      .run = RunPolicyShow};
}

}  // namespace berth
