// Student's t distribution.
#pragma once

#include <cstddef>

namespace berth {

// The value that a t variable of so many degrees of freedom, at least one, stays below with the
// probability p, 0 < p < 1. From 1,000 degrees on it is taken for a normal one.
double StudentQuantile(double p, std::size_t degrees);

}  // namespace berth
