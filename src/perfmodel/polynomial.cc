#include "perfmodel/polynomial.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {

std::size_t MonomialCount(std::size_t variables, std::size_t degree) {
  BERTH_CHECK(degree >= 1 && degree <= kDegreeMax);
  std::size_t count = variables;
  if (degree >= 2) count += variables * (variables + 1) / 2;
  if (degree >= 3) count += variables * (variables + 1) * (variables + 2) / 6;
  return count;
}

std::vector<Monomial> MonomialsUpTo(std::size_t variables, std::size_t degree) {
  std::vector<Monomial> all;
  all.reserve(MonomialCount(variables, degree));
  for (std::uint32_t i = 0; i < variables; ++i) all.push_back({1, {i}});
  std::size_t begin = 0;
  for (std::uint32_t made = 2; made <= degree; ++made) {
    const std::size_t end = all.size();
    for (std::size_t of = begin; of < end; ++of) {
      // Variables ascend within a monomial, so each product is made once.
      for (std::uint32_t i = all[of].variables[made - 2]; i < variables; ++i) {
        Monomial next = all[of];
        next.degree = made;
        next.variables[made - 1] = i;
        all.push_back(next);
      }
    }
    begin = end;
  }
  return all;
}

void Polynomials::Evaluate(std::span<const double> values, std::span<double> results) const {
  std::ranges::copy(constants, results.begin());
  for (std::size_t m = 0; m < monomials.size(); ++m) {
    const double product = monomials[m].Of(values);
    const double* const by_result = coefficients.data() + m * constants.size();
    for (std::size_t r = 0; r < constants.size(); ++r) results[r] += by_result[r] * product;
  }
}

void Polynomials::AddJacobian(std::span<const double> values, std::span<double> jacobian) const {
  for (std::size_t m = 0; m < monomials.size(); ++m) {
    const Monomial& monomial = monomials[m];
    const double* const by_result = coefficients.data() + m * constants.size();
    for (std::uint32_t out = 0; out < monomial.degree; ++out) {
      double rest = 1;
      for (std::uint32_t i = 0; i < monomial.degree; ++i) {
        if (i != out) rest *= values[monomial.variables[i]];
      }
      for (std::size_t r = 0; r < constants.size(); ++r) {
        jacobian[r * values.size() + monomial.variables[out]] += by_result[r] * rest;
      }
    }
  }
}

}  // namespace berth
