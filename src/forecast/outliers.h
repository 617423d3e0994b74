// Points that are far off the rest of a series, and the series without them.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth {

// The indices, ascending, of the points that, once seasons and trend are taken off, are further
// outside the middle half of what remains than three times that half is wide. If half of it is one
// value, the middle 98% in its place; if they are, too, whatever differs. Seasons of which there
// are at least two, ascending.
std::vector<std::size_t> OutliersOf(std::span<const double> values,
                                    std::span<const std::size_t> seasons);

// Each on the straight line between its neighbours; at either end, its neighbour's value.
std::vector<double> WithoutOutliers(std::span<const double> values,
                                    std::span<const std::size_t> seasons);

}  // namespace berth
