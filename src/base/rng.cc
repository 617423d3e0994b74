#include "berth/rng.h"

#include <bit>
#include <cmath>

#include "berth/check.h"

namespace berth {
namespace {

std::uint64_t SplitMix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// The natural logarithm of x > 0 from IEEE basic operations only: std::log may differ in its last
// bit between libraries and processors. Within 4e-16 of the true value, relative to it or to 1.
double Log(double x) {
  constexpr double kLn2 = 0.69314718055994530942;
  constexpr double kSqrtHalf = 0.70710678118654752440;
  constexpr int kTerms = 12;  // s * s < 0.03, so the next term is below 2^-60.
  int exponent = 0;
  double mantissa = std::frexp(x, &exponent);
  if (mantissa < kSqrtHalf) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 artanh s = 2 (s + s^3/3 + s^5/5 + ...)
  const double s = (mantissa - 1) / (mantissa + 1);
  double series = 0;
  for (int i = kTerms; i >= 0; --i) series = series * (s * s) + 1.0 / (2 * i + 1);
  return exponent * kLn2 + 2 * s * series;
}

}  // namespace

Rng::Rng(std::uint64_t seed) : seed_(seed), words_{} {
  for (std::uint64_t& word : words_) word = SplitMix(seed);
}

Rng Rng::Fork(std::string_view label) const {
  // The seed is mixed before and after, or label "a" of one seed would be "b" of a nearby one.
  std::uint64_t mixed = seed_;
  std::uint64_t hash =
      0xcbf29ce484222325ULL ^ SplitMix(mixed);  // FNV-1a: stable, unlike std::hash.
  for (const char byte : label) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001b3ULL;
  }
  return Rng(SplitMix(hash));
}

Rng Rng::Fork(std::uint64_t number) const {
  std::uint64_t mixed = ~seed_;  // Not where labels start.
  std::uint64_t state = SplitMix(mixed) ^ number;
  return Rng(SplitMix(state));
}

// xoshiro256**.
std::uint64_t Rng::Next() {
  const std::uint64_t result = std::rotl(words_[1] * 5, 7) * 9;
  const std::uint64_t shifted = words_[1] << 17;
  words_[2] ^= words_[0];
  words_[3] ^= words_[1];
  words_[1] ^= words_[2];
  words_[0] ^= words_[3];
  words_[2] ^= shifted;
  words_[3] = std::rotl(words_[3], 45);
  return result;
}

// Lemire's multiply-and-reject.
std::uint64_t Rng::Below(std::uint64_t limit) {
  BERTH_CHECK(limit > 0);
  __extension__ using Product = unsigned __int128;
  Product product = static_cast<Product>(Next()) * limit;
  if (static_cast<std::uint64_t>(product) < limit) {
    const std::uint64_t floor = (0 - limit) % limit;
    while (static_cast<std::uint64_t>(product) < floor)
      product = static_cast<Product>(Next()) * limit;
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Rng::Unit() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

double Rng::Exponential(double mean) { return -mean * Log(1 - Unit()); }

// Marsaglia's polar method. Its second value is dropped, so that a draw leaves no state behind.
double Rng::Normal() {
  for (;;) {
    const double x = 2 * Unit() - 1;
    const double y = 2 * Unit() - 1;
    const double square = x * x + y * y;
    if (square > 0 && square < 1) return x * std::sqrt(-2 * Log(square) / square);
  }
}

std::size_t Rng::Weighted(std::span<const double> weights) {
  double sum = 0;
  for (const double weight : weights) {
    BERTH_CHECK(weight >= 0 && std::isfinite(weight));
    sum += weight;
  }
  BERTH_CHECK(sum > 0 && std::isfinite(sum));

  double left = Unit() * sum;
  std::size_t last =
      0;  // Rounding may leave a little over: it belongs to the last that can be drawn.
  for (std::size_t i = 0; i < weights.size(); ++i) {
    if (weights[i] == 0) continue;
    if (left < weights[i]) return i;
    left -= weights[i];
    last = i;
  }
  return last;
}

}  // namespace berth
