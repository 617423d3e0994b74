// Which of the seasons that it is given a method uses, and why not the others.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "forecast/forecaster.h"

namespace berth {

// Points that methods look at whose time grows faster than the history.
inline constexpr std::size_t kLatestLookedAt = 2'000;
// The longest window that singular spectrum analysis takes.
inline constexpr std::size_t kSpectrumWindowMax = 168;

struct SeasonUse {
  std::vector<std::size_t> used{};   // Ascending.
  std::vector<std::string> notes{};  // "no season of 288 points: sarima takes at most 60".
};

// Of a history of so many points. What a method that chooses uses, it says itself.
SeasonUse SeasonUseOf(const ForecasterEntry& method, std::size_t points,
                      std::span<const std::size_t> seasons);

// Those of which so many points hold two.
std::vector<std::size_t> SeasonsWithin(std::span<const std::size_t> seasons, std::size_t points);

// Only what is used.
std::vector<std::size_t> SeasonsUsedOf(SeasonsTaken taken, std::size_t points,
                                       std::span<const std::size_t> seasons);

// "no season of 24 or 168 points: why"; at least one.
std::string NoSeasonsOf(std::span<const std::size_t> seasons, std::string_view why);

}  // namespace berth
