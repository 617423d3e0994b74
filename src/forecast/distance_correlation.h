// How much the distances between points of one series tell of those of another (Székely, Rizzo and
// Bakirov 2007).
#pragma once

#include <optional>
#include <span>

namespace berth {

// Of 0 to 1. None if one of the two is constant.
std::optional<double> DistanceCorrelation(std::span<const double> x, std::span<const double> y);

// The square of it, without the bias of few points (Székely and Rizzo 2014). At least four points.
std::optional<double> UnbiasedDistanceCorrelation(std::span<const double> x,
                                                  std::span<const double> y);

}  // namespace berth
