// The normal distribution.
#pragma once

namespace berth {

// The value that a standard normal variable stays below with the probability p, 0 < p < 1.
double NormalQuantile(double p);

// The probability that a standard normal variable is above this value.
double NormalUpperTail(double value);

}  // namespace berth
