// Singular spectrum analysis (Golyandina, Nekrutkin and Zhigljavsky 2001): the windows of a series,
// one after the other, lie near a space of few dimensions; what comes next keeps it there.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth {

class SsaBasis {
 public:
  // The window is of at least two and less than the values. So many components at most.
  SsaBasis(std::span<const double> values, std::size_t window, std::size_t components_max);

  std::size_t components() const { return vectors_.size(); }
  std::size_t window() const { return window_; }
  // The share of the variance that the first so many components hold.
  double Share(std::size_t components) const;

  // The coefficients by which a value follows from the window - 1 before it, the oldest first;
  // empty if a value does not follow, as with as many components as dimensions.
  std::vector<double> Recurrence(std::size_t components) const;
  // The nearest to the window in the space of the components.
  std::vector<double> Projected(std::span<const double> window, std::size_t components) const;

 private:
  std::size_t window_;
  std::vector<std::vector<double>> vectors_;  // Of unit length, the most important first.
  std::vector<double> shares_;
};

// `history` ends where the forecast begins, and is at least as long as the recurrence.
std::vector<double> Continued(std::span<const double> history, std::span<const double> recurrence,
                              std::size_t horizon);

}  // namespace berth
