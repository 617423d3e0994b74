// A number that a recipe leaves open: one value, one of a list, any of an interval, or as often as
// in samples.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "base/document.h"
#include "berth/rng.h"
#include "berth/status.h"

namespace berth {

inline constexpr std::size_t kChoiceOptionsMax = 10'000;
inline constexpr std::size_t kChoiceBinsMax = 1'000;

class NumberChoice {
 public:
  static NumberChoice Of(double value) { return OneOf({value}); }
  static NumberChoice OneOf(const std::vector<double>& values);  // All as likely; at least one.
  static NumberChoice Between(double least, double most);        // All as likely.
  // Bins of the same width from the least to the most, each as likely as it holds samples, and
  // within a bin all as likely. At least one sample and bin.
  static NumberChoice FromSamples(std::span<const double> samples, std::size_t bins);

  double Draw(Rng& rng) const;
  double least() const;
  double most() const;

 private:
  struct Part {
    double from = 0;
    double to = 0;
  };
  std::vector<Part> parts_;      // Within one, all are as likely.
  std::vector<double> up_to_{};  // Probability of a part or one before it; empty: all as likely.
};

// "5", "[1, 2, 3]" or "{min: 1, max: 10}"; `read` reads one value, in whatever unit.
using ReadOneNumber = std::function<Result<double>(const Node&)>;
Result<NumberChoice> ReadChoice(const Node& node, const ReadOneNumber& read);

}  // namespace berth
