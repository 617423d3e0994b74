// Beside scikit-learn 1.2.1. The figures were made by testdata/perfmodel/reference.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "perfmodel/column_scale.h"
#include "perfmodel/isolation_forest.h"
#include "perfmodel/lasso.h"
#include "perfmodel/polynomial.h"
#include "support/paths.h"

namespace berth {
namespace {

constexpr std::size_t kReferenceRows = 200, kReferenceColumns = 5;

std::vector<double> ReferenceRows() {
  std::uint64_t state = 12345;
  std::vector<double> values;
  for (std::size_t i = 0; i < kReferenceRows * kReferenceColumns; ++i) {
    state = 16807 * state % 2147483647;
    values.push_back(static_cast<double>(state) / 2147483647 - 0.5);
    if (i / kReferenceColumns % 20 == 0) values.back() *= 4;
  }
  return values;
}

std::vector<double> RanksOf(const std::vector<double>& values) {
  std::vector<std::size_t> order = FirstNumbers(values.size());
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  std::vector<double> ranks(values.size());
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = static_cast<double>(i);
  return ranks;
}

double Spearman(const std::vector<double>& a, const std::vector<double>& b) {
  const std::vector<double> of_a = RanksOf(a), of_b = RanksOf(b);
  const auto count = static_cast<double>(a.size());
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) squares += (of_a[i] - of_b[i]) * (of_a[i] - of_b[i]);
  return 1 - 6 * squares / (count * (count * count - 1));
}

TEST(Reference, TheRowsAreTheSame) {
  const std::vector<double> rows = ReferenceRows();
  EXPECT_NEAR(rows[0], -1.6135339, 1e-7);
  EXPECT_NEAR(rows[1], 1.3359785, 1e-7);
  EXPECT_NEAR(rows[2], 1.7908100, 1e-7);
}

TEST(Reference, IsolationScoresRankAsScikitLearns) {
  const DataTable theirs =
      ReadDataTable(
          LineReader::Open(
              (testing::SourceDir() / "testdata/perfmodel" / "isolation_scores.csv").string())
              .value())
          .value();
  const std::vector<double> expected =
      theirs.Pick(FirstNumbers(theirs.rows()), std::vector<std::size_t>{0});
  const std::vector<double> rows = ReferenceRows();
  const IsolationForest forest(rows, kReferenceColumns, {.trees = 1'000}, Rng(1));
  const std::vector<double> ours = forest.Scores(rows);
  ASSERT_EQ(ours.size(), expected.size());
  EXPECT_GT(Spearman(ours, expected), 0.99);
  for (std::size_t i = 0; i < ours.size(); ++i) EXPECT_NEAR(ours[i], expected[i], 0.02) << i;
}

// As StandardScaler, PolynomialFeatures, StandardScaler of the first three columns.
std::vector<double> ReferenceFeatures() {
  const std::vector<double> rows = ReferenceRows();
  std::vector<double> first;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (i % kReferenceColumns < 3) first.push_back(rows[i]);
  }
  ScaleOf(first, 3).Apply(first);
  std::vector<double> features;
  for (std::size_t i = 0; i < kReferenceRows; ++i) {
    for (const Monomial& monomial : MonomialsUpTo(3, 2)) {
      features.push_back(monomial.Of(std::span(first).subspan(3 * i, 3)));
    }
  }
  ScaleOf(features, 9).Apply(features);
  return features;
}

std::vector<double> ReferenceTargets() {
  const std::vector<double> rows = ReferenceRows();
  std::vector<double> targets;
  for (std::size_t i = 0; i < kReferenceRows; ++i) {
    const double* const x = rows.data() + kReferenceColumns * i;
    targets.push_back(x[0] * x[1] + 0.3 * x[2] + 0.1 * x[3]);
    targets.push_back(x[0] * x[1] - 0.5 * x[1] + 0.1 * x[4]);
  }
  ScaleOf(targets, 2).Apply(targets);
  return targets;
}

TEST(Reference, LassoCoefficientsAreScikitLearns) {
  const std::vector<double> expected = {0, 0, 0.2759775, 0, 0.9510210, 0, 0, 0, 0};
  const std::vector<double> both = ReferenceTargets();
  std::vector<double> first;
  for (std::size_t i = 0; i < both.size(); i += 2) first.push_back(both[i]);
  const LassoSolution found =
      SolveLasso(ReferenceFeatures(), first, kReferenceRows, {.penalty = 0.05, .gap = 1e-12});
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found.coefficients[i], expected[i], 1e-6) << i;
  }
}

TEST(Reference, MultiTaskLassoCoefficientsAreScikitLearns) {
  const std::vector<double> expected = {0, 0, -0.0481979, -0.4139935, 0.2792884, -0.0273455,
                                        0, 0, 0.9396538,  0.6844600,  0,         0,
                                        0, 0, 0,          0,          0,         0};
  const LassoSolution found = SolveLasso(ReferenceFeatures(), ReferenceTargets(), kReferenceRows,
                                         {.penalty = 0.05, .gap = 1e-12});
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(found.coefficients[i], expected[i], 1e-6) << i;
  }
}

}  // namespace
}  // namespace berth
