// The points of a series that tell what comes next, where the others would mislead: those since a
// clear shift of the level, and none that is wild at the very end.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace berth {

struct TellingPoints {
  std::vector<double> values{};  // The latest, of all or since the shift.
  std::vector<std::string> notes{};
};

// A point among the last three is wild if it is outside of what was before by more than ten times
// its range, further than any forecast is let go; it takes the value of the point before. Of one
// value all along its size is taken for the range, so that of zeros nothing is wild.
//
// A shift is clear if, of medians of five, all points since are on one side of all before by more
// than either part is wide. It needs two days of hours, or two of the shortest season, on either
// side.
TellingPoints TellingPointsOf(std::span<const double> values, std::span<const std::size_t> seasons);

}  // namespace berth
