// How many digits of a number are shown, where what differs is far smaller or larger than one.
#pragma once

#include <string>

namespace berth {

// Of the numbers of one table: three decimals, and as many more as show three digits of what the
// numbers differ by; those of which that would be too long, with an exponent.
class Digits {
 public:
  // `difference` is what matters, as the width of a band; zero if nothing does. `greatest` is the
  // greatest number to show, in size.
  Digits(double difference, double greatest);

  std::string operator()(double value) const;

 private:
  int decimals_ = 3;
  bool exponent_ = false;
};

}  // namespace berth
