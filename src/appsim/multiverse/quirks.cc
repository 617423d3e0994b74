#include "appsim/multiverse/quirks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"

namespace berth::multiverse {
namespace {

constexpr std::array<QuirkInfo, kQuirkCount> kQuirks = {{
    {Quirk::kLinksSkipItems, "links_skip_items",
     "of items that arrive over a link in one step every second one waits a step more, uncharged",
     true, true},
    {Quirk::kLinksPileUp, "links_pile_up",
     "a service gets a link anew with every change of a group it is on, and never loses one", true,
     true},
    {Quirk::kFanInReverses, "fan_in_reverses",
     "taking a response turns the order of those that wait around", true, true},
    {Quirk::kFirstBlocks, "first_blocks",
     "a response that waits for its siblings, or finds no room, keeps those behind it waiting",
     false, true},
    {Quirk::kLatestNeedForAll, "latest_need_for_all",
     "all requests in work at a service are taken to need what the latest one needs", true, true},
    {Quirk::kUseRedrawn, "use_redrawn",
     "what instances use is drawn anew whenever it is looked at; off: the mean", true, true},
    {Quirk::kOverfullLooksIdle, "overfull_looks_idle",
     "instances that use more than their nodes have count as using one node", true, true},
    {Quirk::kSharedGroupsRunFaster, "shared_groups_run_faster",
     "a group of nodes works a whole step for each of the services on it", true, true},
    {Quirk::kZeroTimeEndsStep, "zero_time_ends_step",
     "an item that needs no time ends its group's step for all others", true, false},
    {Quirk::kOneBudgetForAllGroups, "one_budget_for_all_groups",
     "the groups of a service share one step's time in turn, and only a group that has some left "
     "takes new work",
     false, true},
    {Quirk::kLateAnswersCount, "late_answers_count", "answers after the timeout count as fulfilled",
     true, true},
    {Quirk::kSubSecondWaiting, "sub_second_waiting",
     "waiting times lose their whole seconds: 3.2 s is 200 ms", true, true},
    {Quirk::kGapsCountAsZero, "gaps_count_as_zero",
     "utilisation between steps wider than the averaging interval counts as the filter's default",
     true, true},
    {Quirk::kTruncatedFactor, "truncated_factor",
     "the over-provisioned count is cut, not rounded up: 1.15 does nothing below 7", true, true},
    {Quirk::kOneServiceAnInstant, "one_service_an_instant",
     "of the services to change at an instant only the first of the file changes", true, true},
    {Quirk::kNextFullMinute, "next_full_minute",
     "forecasts begin where the clock's remainder puts them, less a minute: reactive decisions "
     "wait for the next multiple of the frequency",
     true, false},
    {Quirk::kNeverWithoutWarmUp, "never_without_warm_up", "a policy without warm_up never decides",
     true, false},
    {Quirk::kDecidesAfterPeriod, "decides_after_period",
     "decisions come a step after the sync period, not at it", false, true},
    {Quirk::kPatternsEnd, "patterns_end", "a pattern of load shorter than the run does not repeat",
     true, false},
    {Quirk::kPlacesByLimits, "places_by_limits",
     "instances are placed by their limits; off: by their mean use", true, false},
    {Quirk::kFillsToThirtyFive, "fills_to_35_percent", "nodes are filled to 35 %; off: to 30 %",
     true, false},
    {Quirk::kTwoInstancesACore, "two_instances_a_core",
     "a mix stops at two instances a core and one more, however small they are", true, false},
    {Quirk::kMixesRepeatCounts, "mixes_repeat_counts",
     "in a mix of services each gets the count of the ones before it, too", true, true},
    {Quirk::kMixesBringOthers, "mixes_bring_others",
     "a mix that new nodes are filled with brings services that nobody asked for, too", true, true},
    {Quirk::kRemainderOnOneNode, "remainder_on_one_node",
     "what is left of a placement goes onto one node, whatever its size", true, true},
    {Quirk::kAddingForgetsOld, "adding_forgets_old",
     "adding nodes is costed without the nodes there are", true, true},
    {Quirk::kSubstitutesKeepOld, "substitutes_keep_old", "nodes that were to be substituted stay",
     true, true},
    {Quirk::kNoDelayOnOldNodes, "no_delay_on_old_nodes",
     "instances start and stop at once on nodes that are up", true, true},
    {Quirk::kPendingUnseen, "pending_unseen",
     "decisions do not see what was ordered and is not there yet", true, true},
    {Quirk::kNewPlanDropsPending, "new_plan_drops_pending",
     "a decision that changes anything cancels what earlier ones ordered and is not there yet",
     true, true},
    {Quirk::kCooldownAddsElapsed, "cooldown_adds_elapsed",
     "new nodes are put off by what has passed since the last ones beyond the cooldown", true,
     false},
}};

}  // namespace

std::span<const QuirkInfo> AllQuirks() { return kQuirks; }

std::vector<std::string> QuirkVersions() { return {"head", "jan2021", "none"}; }

Result<Quirks> QuirksOf(std::string_view version) {
  const std::vector<std::string> versions = QuirkVersions();
  if (std::find(versions.begin(), versions.end(), version) == versions.end()) {
    return Status(Code::kInvalidArgument, fmt::format("{} is no version to be compatible with; use "
                                                      "{}",
                                                      Quoted(version), fmt::join(versions, ", ")));
  }
  Quirks quirks;
  for (const QuirkInfo& info : kQuirks) {
    quirks.Set(info.quirk, (version == "head" && info.in_head) ||
                               (version == "jan2021" && info.in_january_2021));
  }
  return quirks;
}

Status SetQuirks(std::string_view text, Quirks& quirks) {
  for (const std::string_view part : Split(text, ',')) {
    const std::size_t equals = part.find('=');
    const std::string_view name = part.substr(0, equals);
    const std::string_view value =
        equals == std::string_view::npos ? std::string_view() : part.substr(equals + 1);
    const auto* found = std::find_if(kQuirks.begin(), kQuirks.end(),
                                     [&](const QuirkInfo& info) { return info.name == name; });
    if (found == kQuirks.end()) {
      return {Code::kInvalidArgument,
              fmt::format("{} is no quirk; berth list quirks names them", Quoted(name))};
    }
    if (value != "on" && value != "off") {
      return {Code::kInvalidArgument,
              fmt::format("write {0}=on or {0}=off, not {1}", name, Quoted(part))};
    }
    quirks.Set(found->quirk, value == "on");
  }
  return {};
}

}  // namespace berth::multiverse
