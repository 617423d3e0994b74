#include "sim/rightsizing/frontier.h"

#include <algorithm>
#include <tuple>

namespace berth {
namespace {

// Whether b lies on the line from a to c or above it.
bool IsNotBelow(const FrontierPoint& a, const FrontierPoint& b, const FrontierPoint& c) {
  return (b.above - a.above) * (c.slack - a.slack) >= (c.above - a.above) * (b.slack - a.slack);
}

}  // namespace

std::vector<FrontierPoint> LowerHull(std::vector<FrontierPoint> points) {
  std::ranges::sort(points, {},
                    [](const FrontierPoint& p) { return std::tuple(p.slack, p.above); });
  std::vector<FrontierPoint> hull;
  for (const FrontierPoint& point : points) {
    // More slack for no less is no point of it.
    if (!hull.empty() && point.above >= hull.back().above) continue;
    while (hull.size() > 1 && IsNotBelow(hull[hull.size() - 2], hull.back(), point)) {
      hull.pop_back();
    }
    hull.push_back(point);
  }
  return hull;
}

std::optional<double> HullAt(const std::vector<FrontierPoint>& hull, double slack) {
  if (hull.empty() || slack < hull.front().slack) return std::nullopt;
  for (std::size_t i = 1; i < hull.size(); ++i) {
    const FrontierPoint& left = hull[i - 1];
    const FrontierPoint& right = hull[i];
    if (slack > right.slack) continue;
    const double share = (slack - left.slack) / (right.slack - left.slack);
    return left.above + share * (right.above - left.above);
  }
  return hull.back().above;
}

}  // namespace berth
