#include "perfmodel/polynomial.h"

#include <gtest/gtest.h>

#include <set>

namespace berth {
namespace {

TEST(Polynomial, MonomialsByDegree) {
  const std::vector<Monomial> two = MonomialsUpTo(2, 2);
  const std::vector<Monomial> expected = {
      {1, {0}}, {1, {1}}, {2, {0, 0}}, {2, {0, 1}}, {2, {1, 1}}};
  EXPECT_EQ(two, expected);
  for (std::size_t variables = 1; variables < 7; ++variables) {
    for (std::size_t degree = 1; degree <= kDegreeMax; ++degree) {
      const std::vector<Monomial> all = MonomialsUpTo(variables, degree);
      EXPECT_EQ(all.size(), MonomialCount(variables, degree));
      std::set<std::vector<std::uint32_t>> different;
      for (const Monomial& one : all) {
        different.insert({one.variables.begin(), one.variables.begin() + one.degree});
      }
      EXPECT_EQ(different.size(), all.size());
    }
  }
  EXPECT_EQ(MonomialCount(10, 2), 65U);
  EXPECT_EQ(MonomialCount(6, 3), 83U);
}

TEST(Polynomial, EvaluatesAndDerivesByHand) {
  // p = 1 + 2x + 3xy, q = 5 + xxy.
  const Polynomials both{.constants = {1, 5},
                         .monomials = {{1, {0}}, {2, {0, 1}}, {3, {0, 0, 1}}},
                         .coefficients = {2, 0, 3, 0, 0, 1}};
  std::vector<double> results(2);
  both.Evaluate(std::vector<double>{2, 7}, results);
  EXPECT_EQ(results, (std::vector<double>{47, 33}));
  std::vector<double> jacobian(4, 0);
  both.AddJacobian(std::vector<double>{2, 7}, jacobian);
  EXPECT_EQ(jacobian, (std::vector<double>{2 + 21, 6, 28, 4}));
}

}  // namespace
}  // namespace berth
