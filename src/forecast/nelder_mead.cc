#include "forecast/nelder_mead.h"

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

class Simplex {
 public:
  Simplex(const std::function<double(std::span<const double>)>& value,
          const std::vector<double>& start, std::span<const double> steps)
      : value_(value), centre_(start.size()) {
    Add(start);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      std::vector<double> corner = start;
      corner[i] += steps[i];
      Add(std::move(corner));
    }
    Sort();
  }

  void Step() {
    FindCentre();
    const Minimum reflected = Along(-1);
    if (reflected.value < corners_.front().value) {
      const Minimum expanded = Along(-2);
      ReplaceWorst(expanded.value < reflected.value ? expanded : reflected);
    } else if (reflected.value < corners_[corners_.size() - 2].value) {
      ReplaceWorst(reflected);
    } else {
      const bool outside = reflected.value < corners_.back().value;
      Minimum contracted = Along(outside ? -0.5 : 0.5);
      const double limit = outside ? reflected.value : corners_.back().value;
      if (contracted.value < limit) {
        ReplaceWorst(std::move(contracted));
      } else {
        Shrink();
      }
    }
  }

  const Minimum& best() const { return corners_.front(); }
  double spread() const { return corners_.back().value - corners_.front().value; }
  std::size_t evaluations() const { return evaluations_; }

 private:
  double Evaluate(std::span<const double> at) {
    ++evaluations_;
    return value_(at);
  }
  void Add(std::vector<double> at) {
    const double value = Evaluate(at);
    corners_.push_back({std::move(at), value});
  }
  // Corners that are equal stay in their order.
  void Sort() { std::ranges::stable_sort(corners_, {}, &Minimum::value); }

  // Of all corners but the worst.
  void FindCentre() {
    std::ranges::fill(centre_, 0);
    const std::size_t others = corners_.size() - 1;
    for (std::size_t i = 0; i < others; ++i) {
      for (std::size_t j = 0; j < centre_.size(); ++j) {
        centre_[j] += corners_[i].at[j] / static_cast<double>(others);
      }
    }
  }

  // The point on the line from the centre to the worst corner, in units of their distance.
  Minimum Along(double distance) {
    Minimum point{centre_, 0};
    for (std::size_t j = 0; j < centre_.size(); ++j) {
      point.at[j] += distance * (corners_.back().at[j] - centre_[j]);
    }
    point.value = Evaluate(point.at);
    return point;
  }

  void ReplaceWorst(Minimum point) {
    corners_.pop_back();
    const auto place = std::ranges::upper_bound(corners_, point.value, {}, &Minimum::value);
    corners_.insert(place, std::move(point));
  }

  void Shrink() {
    for (std::size_t i = 1; i < corners_.size(); ++i) {
      for (std::size_t j = 0; j < centre_.size(); ++j) {
        corners_[i].at[j] = (corners_[i].at[j] + corners_.front().at[j]) / 2;
      }
      corners_[i].value = Evaluate(corners_[i].at);
    }
    Sort();
  }

  const std::function<double(std::span<const double>)>& value_;
  std::vector<Minimum> corners_;  // The best first.
  std::vector<double> centre_;
  std::size_t evaluations_ = 0;
};

}  // namespace

Minimum Minimise(const std::function<double(std::span<const double>)>& value,
                 const std::vector<double>& start, std::span<const double> steps,
                 const NelderMeadOptions& options) {
  Simplex simplex(value, start, steps);
  while (simplex.spread() > options.tolerance && simplex.evaluations() < options.evaluations_max) {
    simplex.Step();
  }
  return simplex.best();
}

}  // namespace berth
