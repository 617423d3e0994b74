// Where the code of the Multiverse simulator departs from its description, each as a switch: with
// all of those of a version on, a simulation can be compared with what that version published.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"

namespace berth::multiverse {

enum class Quirk : std::uint8_t {
  kLinksSkipItems,
  kLinksPileUp,
  kFanInReverses,
  kFirstBlocks,
  kLatestNeedForAll,
  kUseRedrawn,
  kOverfullLooksIdle,
  kSharedGroupsRunFaster,
  kZeroTimeEndsStep,
  kOneBudgetForAllGroups,
  kLateAnswersCount,
  kSubSecondWaiting,
  kGapsCountAsZero,
  kTruncatedFactor,
  kOneServiceAnInstant,
  kNextFullMinute,
  kNeverWithoutWarmUp,
  kDecidesAfterPeriod,
  kPatternsEnd,
  kPlacesByLimits,
  kFillsToThirtyFive,
  kTwoInstancesACore,
  kMixesRepeatCounts,
  kMixesBringOthers,
  kRemainderOnOneNode,
  kAddingForgetsOld,
  kSubstitutesKeepOld,
  kNoDelayOnOldNodes,
  kPendingUnseen,
  kNewPlanDropsPending,
  kCooldownAddsElapsed,
};
inline constexpr std::size_t kQuirkCount = 31;

struct QuirkInfo {
  Quirk quirk;
  std::string_view name;
  std::string_view about;
  bool in_head;
  bool in_january_2021;
};

class Quirks {
 public:
  bool Has(Quirk quirk) const { return on_.test(static_cast<std::size_t>(quirk)); }
  void Set(Quirk quirk, bool on) { on_.set(static_cast<std::size_t>(quirk), on); }

 private:
  std::bitset<kQuirkCount> on_;
};

// In the order of the enumeration.
std::span<const QuirkInfo> AllQuirks();
// "head", "jan2021" or "none".
Result<Quirks> QuirksOf(std::string_view version);
std::vector<std::string> QuirkVersions();
// "links_pile_up=off,late_answers_count=on".
Status SetQuirks(std::string_view text, Quirks& quirks);

}  // namespace berth::multiverse
