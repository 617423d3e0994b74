#include "forecast/telling_points.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/quantiles.h"
#include "base/text.h"
#include "forecast/within_reason.h"

namespace berth {
namespace {

constexpr std::size_t kWildMost = 3;
constexpr std::size_t kSideLeast = 48;  // Points before a shift, and since.

// Of one value its size.
double WidthOf(const SeenRange& seen) {
  const double range = seen.most - seen.least;
  return range > 0 ? range : std::abs(seen.most);
}

void ReplaceWildEnd(TellingPoints& of) {
  std::vector<double>& values = of.values;
  if (values.size() < kSideLeast) return;
  const std::size_t end = values.size() - kWildMost;
  const SeenRange seen = SeenRange::Of(std::span(values).first(end));
  const double reach = kReasonableReach * WidthOf(seen);
  if (!(reach > 0)) return;
  std::size_t wild = 0;
  for (std::size_t i = end; i < values.size(); ++i) {
    if (values[i] >= seen.least - reach && values[i] <= seen.most + reach) continue;
    values[i] = values[i - 1];
    ++wild;
  }
  if (wild == 0) return;
  of.notes.push_back(fmt::format(
      "of the last {} points {} outside all before by more than {} times their {}: taken as the "
      "one before",
      kWildMost, wild == 1 ? "one is" : fmt::format("{} are", wild), kReasonableReach,
      seen.most > seen.least ? "range" : "size"));
}

std::vector<double> MediansOfFive(std::span<const double> values) {
  std::vector<double> medians;
  medians.reserve(values.size() - 4);
  for (std::size_t i = 2; i + 2 < values.size(); ++i) {
    std::array<double, 5> around{};
    std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(i) - 2, 5, around.begin());
    std::ranges::nth_element(around, around.begin() + 2);
    medians.push_back(around[2]);
  }
  return medians;
}

// Of the values from each index to the last.
std::vector<SeenRange> RangesToEnd(std::span<const double> values) {
  std::vector<SeenRange> ranges(values.size());
  SeenRange range = SeenRange::Of(values.last(1));
  for (std::size_t i = values.size(); i > 0; --i) {
    range.See(values[i - 1]);
    ranges[i - 1] = range;
  }
  return ranges;
}

// The index of the first point since the clearest shift; zero if none is clear.
std::size_t ClearShift(std::span<const double> values, std::size_t side_least) {
  if (values.size() < 2 * side_least) return 0;
  const std::vector<double> medians = MediansOfFive(values);
  const std::vector<SeenRange> since = RangesToEnd(medians);
  SeenRange before = SeenRange::Of(std::span(medians).first(1));
  double clearest = 0;
  std::size_t shift = 0;
  // The median at i is about the value at i + 2.
  for (std::size_t i = 1; i + side_least <= values.size() - 2; ++i) {
    before.See(medians[i - 1]);
    if (i + 2 < side_least) continue;
    const double apart = std::max(since[i].least - before.most, before.least - since[i].most) -
                         std::max(before.most - before.least, since[i].most - since[i].least);
    if (apart <= clearest) continue;
    clearest = apart;
    shift = i + 2;
  }
  return shift;
}

double MedianOf(std::span<const double> values) {
  return Quantile({values.begin(), values.end()}, 0.5);
}

void KeepSinceShift(TellingPoints& of, std::span<const std::size_t> seasons) {
  const std::size_t two_seasons = seasons.empty() ? 0 : 2 * seasons.front();
  const std::size_t shift = ClearShift(of.values, std::max(kSideLeast, two_seasons));
  if (shift == 0) return;
  const auto before = std::span(of.values).first(shift);
  const auto since = std::span(of.values).subspan(shift);
  of.notes.push_back(fmt::format(
      "the level shifted {} ago, from about {:.4g} to about {:.4g}: fitted to the points since",
      Plural(since.size(), "point"), MedianOf(before), MedianOf(since)));
  of.values.erase(of.values.begin(), of.values.begin() + static_cast<std::ptrdiff_t>(shift));
}

}  // namespace

TellingPoints TellingPointsOf(std::span<const double> values,
                              std::span<const std::size_t> seasons) {
  TellingPoints telling{.values = {values.begin(), values.end()}};
  ReplaceWildEnd(telling);
  KeepSinceShift(telling, seasons);
  return telling;
}

}  // namespace berth
