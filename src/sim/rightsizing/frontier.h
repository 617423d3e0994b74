// What slack buys: recommenders as points, the share of usage above the limit (or kills) against
// slack, and the line through those that a new one is compared with.
#pragma once

#include <optional>
#include <vector>

namespace berth {

struct FrontierPoint {
  double slack = 0;
  double above = 0;

  friend bool operator==(const FrontierPoint&, const FrontierPoint&) = default;
};

// The lower convex hull, by slack: who draws lots between two recommenders gets to any point of it.
std::vector<FrontierPoint> LowerHull(std::vector<FrontierPoint> points);

// How much the hull's points would have above the limit at such a slack: right of the last as much
// as the last. None left of the first: so little slack has none of them.
std::optional<double> HullAt(const std::vector<FrontierPoint>& hull, double slack);

}  // namespace berth
