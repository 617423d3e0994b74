// The only source of randomness in Berth: same seed, same draws, on every compiler and machine.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace berth {

class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  // An independent stream. Adding a draw in one stream moves no draw in another.
  Rng Fork(std::string_view label) const;
  Rng Fork(std::uint64_t number) const;

  std::uint64_t Next();
  // Uniform over [0, limit), limit > 0. Exact: no modulo bias, no floating point.
  std::uint64_t Below(std::uint64_t limit);
  // Uniform over [0, 1), from the top 53 bits.
  double Unit();
  // Exponential with the given mean.
  double Exponential(double mean);
  // Standard normal.
  double Normal();
  // The index drawn with probability proportional to its weight; the weights' sum must be positive.
  std::size_t Weighted(std::span<const double> weights);

  template <typename T>
  void Shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      using std::swap;
      swap(items[i - 1], items[Below(i)]);
    }
  }

 private:
  std::uint64_t seed_;
  std::uint64_t words_[4];
};

}  // namespace berth
