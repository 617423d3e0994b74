// The least value of a function of a few variables, by the method of Nelder and Mead (1965): no
// derivatives, and infinity is an answer, so that limits are written as such.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

namespace berth {

struct NelderMeadOptions {
  std::size_t evaluations_max = 1'000;
  double tolerance = 1e-8;  // It ends when the corners' values are so near each other.
};

struct Minimum {
  std::vector<double> at;
  double value = 0;
};

// `start` has a finite value; the first simplex has a corner at each of `steps` from it.
Minimum Minimise(const std::function<double(std::span<const double>)>& value,
                 const std::vector<double>& start, std::span<const double> steps,
                 const NelderMeadOptions& options);

}  // namespace berth
