// Correlators: how much one series tells of another, and how much later.
//
// To add one, write correlators/NAME.cc with the function, and name both in correlators.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "berth/series.h"
#include "berth/status.h"
#include "forecast/series.h"

namespace berth {

enum class CorrelationSign : std::uint8_t {
  kNone,       // Below zero is as little as zero.
  kDirection,  // Below zero one falls as the other rises.
};

struct CorrelatorEntry {
  std::string_view name;
  std::string_view summary;
  std::size_t points_max;
  CorrelationSign sign;
  // Of at least kPairsMin pairs without gaps. None if one of the two is constant.
  std::optional<double> (*correlate)(std::span<const double> x, std::span<const double> y);
};

// With fewer, chance alone makes any correlation.
inline constexpr std::size_t kPairsMin = 8;
inline constexpr std::size_t kLagMax = 1'000;

// In the order of correlators.def.
std::span<const CorrelatorEntry> BuiltinCorrelators();
// The message names those there are.
Result<const CorrelatorEntry*> FindCorrelator(std::string_view name);

// Told how many lags are done, before each.
using CorrelationProgress = std::function<void(std::size_t done)>;

// Both series are resampled to the longer of their steps, a multiple of the other, by averages of
// whole windows, and compared where they overlap, with each lag from -lag_max to lag_max points.
Result<LaggedCorrelations> Correlate(const CorrelatorEntry& correlator, const TimeSeries& first,
                                     const TimeSeries& second, std::size_t lag_max,
                                     const CorrelationProgress& progress = {});

}  // namespace berth
