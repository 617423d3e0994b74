#include "forecast/fit_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.h"
#include "forecast/candidates.h"
#include "forecast/season_use.h"

namespace berth {
namespace {

std::size_t LookedAt(const ForecasterEntry& method, std::size_t points) {
  const bool latest = method.seasons == SeasonsTaken::kOneOfLatest ||
                      method.seasons == SeasonsTaken::kAsLagsOfLatest;
  return latest ? std::min(points, kLatestLookedAt) : points;
}

std::size_t LongestUsed(const ForecasterEntry& method, std::size_t points,
                        std::span<const std::size_t> seasons) {
  const SeasonUse use = SeasonUseOf(method, points, seasons);
  return use.used.empty() ? 0 : use.used.back();
}

}  // namespace

double FitCost(const ForecasterEntry& method, std::size_t points,
               std::span<const std::size_t> seasons) {
  const auto season = static_cast<double>(LongestUsed(method, points, seasons));
  const double of_points = static_cast<double>(LookedAt(method, points)) *
                           (method.point_cost + method.season_cost * season * season);
  const bool chooses = method.seasons == SeasonsTaken::kOfItsMethods;
  return of_points + (chooses ? kCandidatesCostMax : 0);
}

Status CheckFitCost(const ForecasterEntry& method, std::size_t points,
                    std::span<const std::size_t> seasons, double cost_max) {
  const double cost = FitCost(method, points, seasons);
  if (cost <= cost_max) return {};
  const std::size_t season = method.season_cost > 0 ? LongestUsed(method, points, seasons) : 0;
  const std::string of_season = season > 0 ? fmt::format(" with a season of {}", season) : "";
  return {Code::kInvalidArgument,
          fmt::format("{} of {} points{} takes too long: up to {:.0f} s, and {:.0f} s is the most; "
                      "give fewer points, as averages of longer steps, or another method",
                      method.name, FormatCount(points), of_season, std::ceil(cost / 1e6),
                      cost_max / 1e6)};
}

}  // namespace berth
