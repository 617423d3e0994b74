// Pearson's correlation, which several things are made of.
#pragma once

#include <optional>
#include <span>

namespace berth {

// None if one of the two is constant.
std::optional<double> PearsonOf(std::span<const double> x, std::span<const double> y);

}  // namespace berth
