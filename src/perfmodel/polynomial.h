// Monomials of several variables, and polynomials of several results.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace berth {

inline constexpr std::size_t kDegreeMax = 3;

// The product of up to three variables; one may be among them several times.
struct Monomial {
  std::uint32_t degree = 0;
  std::array<std::uint32_t, kDegreeMax> variables{};  // The first `degree` of them.

  double Of(std::span<const double> values) const {
    double product = 1;
    for (std::uint32_t i = 0; i < degree; ++i) product *= values[variables[i]];
    return product;
  }
  friend bool operator==(const Monomial&, const Monomial&) = default;
};

// How many there are of at most this degree, the constant not among them.
std::size_t MonomialCount(std::size_t variables, std::size_t degree);
// They, by degree: x, y, xx, xy, yy.
std::vector<Monomial> MonomialsUpTo(std::size_t variables, std::size_t degree);

// Every result is a constant and a sum over the same monomials.
struct Polynomials {
  std::vector<double> constants{};  // One for each result.
  std::vector<Monomial> monomials{};
  std::vector<double> coefficients{};  // Of each monomial, by result.

  void Evaluate(std::span<const double> values, std::span<double> results) const;
  // Of every result, by variable; adds to what is there.
  void AddJacobian(std::span<const double> values, std::span<double> jacobian) const;
};

}  // namespace berth
