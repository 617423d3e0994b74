#include "forecast/season_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "forecast/lags.h"
#include "forecast/smoothing_forecaster.h"

namespace berth {
namespace {

std::vector<std::size_t> Only(std::size_t season) {
  return season == 0 ? std::vector<std::size_t>{} : std::vector<std::size_t>{season};
}

std::vector<std::size_t> AmongLags(std::size_t points, std::span<const std::size_t> seasons) {
  const std::vector<std::size_t> lags = LagsFor(points, seasons);
  std::vector<std::size_t> among;
  for (const std::size_t season : seasons) {
    if (std::ranges::find(lags, season) != lags.end()) among.push_back(season);
  }
  return among;
}

// The longest whose length so many times is there; zero for none.
std::size_t LongestOf(std::size_t times, std::size_t points, std::span<const std::size_t> seasons) {
  std::size_t longest = 0;
  for (const std::size_t season : seasons) {
    if (times * season <= points) longest = season;
  }
  return longest;
}

std::string WhyNot(const ForecasterEntry& method, std::size_t season,
                   std::span<const std::size_t> used) {
  using enum SeasonsTaken;
  const SeasonsTaken taken = method.seasons;
  if (taken == kWithinWindow) return fmt::format("takes at most {}", kSpectrumWindowMax);
  if (taken == kOneShort && season > kEtsSeasonMax) {
    return fmt::format("takes at most {}", kEtsSeasonMax);
  }
  if (taken == kAsLags) return "needs a longer history for it";
  const bool of_latest = taken == kAsLagsOfLatest || taken == kOneOfLatest;
  if (of_latest && (used.empty() || season > used.back())) {
    return fmt::format("needs more of it in the last {} points", FormatCount(kLatestLookedAt));
  }
  return used.empty() ? "takes none" : fmt::format("takes one, that of {}", used.back());
}

}  // namespace

std::string NoSeasonsOf(std::span<const std::size_t> seasons, std::string_view why) {
  return fmt::format("no season of {} points: {}", fmt::join(seasons, " or "), why);
}

std::vector<std::size_t> SeasonsWithin(std::span<const std::size_t> seasons, std::size_t points) {
  std::vector<std::size_t> within;
  for (const std::size_t season : seasons) {
    if (2 * season <= points) within.push_back(season);
  }
  return within;
}

std::vector<std::size_t> SeasonsUsedOf(SeasonsTaken taken, std::size_t points,
                                       std::span<const std::size_t> seasons) {
  const std::size_t latest = std::min(points, kLatestLookedAt);
  switch (taken) {
    using enum SeasonsTaken;
    case kNone:
    case kOfItsMethods:
      return {};
    case kOneShort:
      return Only(SmoothedSeason(seasons));
    case kTheLongest:
      return Only(seasons.empty() ? 0 : seasons.back());
    case kOneOfLatest:
      return Only(LongestOf(3, latest, seasons));
    case kAsLags:
      return AmongLags(points, seasons);
    case kAsLagsOfLatest:
      return AmongLags(latest, seasons);
    case kWithinWindow:
      return {seasons.begin(), std::ranges::upper_bound(seasons, kSpectrumWindowMax)};
    case kAll:
      break;
  }
  return {seasons.begin(), seasons.end()};
}

SeasonUse SeasonUseOf(const ForecasterEntry& method, std::size_t points,
                      std::span<const std::size_t> seasons) {
  SeasonUse use{.used = SeasonsUsedOf(method.seasons, points, seasons)};
  struct Reason {
    std::string why;
    std::vector<std::size_t> seasons;
  };
  std::vector<Reason> reasons;
  for (const std::size_t season : seasons) {
    if (std::ranges::find(use.used, season) != use.used.end()) continue;
    std::string why = WhyNot(method, season, use.used);
    if (reasons.empty() || reasons.back().why != why) reasons.push_back({std::move(why), {}});
    reasons.back().seasons.push_back(season);
  }
  for (const auto& [why, unused] : reasons) {
    use.notes.push_back(NoSeasonsOf(unused, fmt::format("{} {}", method.name, why)));
  }
  return use;
}

}  // namespace berth
