#include "perfmodel/isolation_forest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

TEST(IsolationForest, AveragePathLengthByHand) {
  EXPECT_EQ(AveragePathLength(0), 0);
  EXPECT_EQ(AveragePathLength(1), 0);
  EXPECT_EQ(AveragePathLength(2), 1);
  // 2 (ln 2 + 0.5772157) - 2 * 2 / 3.
  EXPECT_NEAR(AveragePathLength(3), 1.2073924, 1e-6);
  // 2 (ln 255 + 0.5772157) - 2 * 255 / 256.
  EXPECT_NEAR(AveragePathLength(256), 10.2447709, 1e-6);
}

TEST(IsolationForest, TwoPointsAreSetApartByOneCut) {
  // One cut, so a path of 1, and c(2) = 1: 2^-1.
  const IsolationForest forest(std::vector<double>{0, 1}, 1, {}, Rng(3));
  for (const double score : forest.Scores(std::vector<double>{0, 1, 7})) {
    EXPECT_NEAR(score, 0.5, 1e-12);
  }
}

// The path of a row in a random tree, drawn anew for every row: the definition itself.
double PathByDefinition(std::span<const double> row, std::vector<std::vector<double>> sample,
                        std::size_t depth, std::size_t depth_max, Rng& rng) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < row.size(); ++c) {
    for (const auto& other : sample) {
      if (other[c] != sample[0][c]) {
        columns.push_back(c);
        break;
      }
    }
  }
  if (columns.empty() || depth == depth_max) {
    return static_cast<double>(depth) + AveragePathLength(sample.size());
  }
  const std::size_t column = columns[rng.Below(columns.size())];
  double least = sample[0][column], most = least;
  for (const auto& other : sample) {
    least = std::min(least, other[column]);
    most = std::max(most, other[column]);
  }
  const double at = least + rng.Unit() * (most - least);
  const bool left = row[column] <= at;
  std::erase_if(sample, [&](const auto& other) { return (other[column] <= at) != left; });
  return PathByDefinition(row, std::move(sample), depth + 1, depth_max, rng);
}

TEST(IsolationForest, ScoresAreThoseOfTheDefinition) {
  Rng rng(11);
  std::vector<std::vector<double>> rows;
  std::vector<double> values;
  for (int i = 0; i < 24; ++i) {
    rows.push_back({rng.Normal(), i % 2 == 0 ? 1.0 : rng.Unit(), 5.0});
    values.insert(values.end(), rows.back().begin(), rows.back().end());
  }
  const std::vector<double> scores =
      IsolationForest(values, 3, {.trees = 4'000}, Rng(2)).Scores(values);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double path = 0;
    for (int draw = 0; draw < 2'000; ++draw) path += PathByDefinition(rows[i], rows, 0, 5, rng);
    EXPECT_NEAR(scores[i], std::exp2(-path / 2'000 / AveragePathLength(24)), 0.01) << i;
  }
}

TEST(IsolationForest, ConstantsAndOneRowAreNotAnomalous) {
  const IsolationForest same(std::vector<double>(40, 3), 4, {}, Rng(1));
  for (const double score : same.Scores(std::vector<double>(8, 3))) EXPECT_NEAR(score, 0.5, 1e-12);
  EXPECT_DOUBLE_EQ(IsolationForest(std::vector<double>{1, 2}, 2, {}, Rng(1))
                       .Scores(std::vector<double>{5, 5})[0],
                   0.5);
}

TEST(IsolationForest, TheFarthestRowsAreTakenOut) {
  DataTable table({"a", "b"});
  Rng rng(4);
  for (int i = 0; i < 300; ++i) {
    const double far = i % 30 == 7 ? 20 : 0;
    table.AddRow(std::vector<double>{far + rng.Normal(), rng.Normal() - far});
  }
  const std::vector<std::size_t> left =
      RowsWithoutAnomalies(table, FirstNumbers(2), 10.0 / 300, Rng(1));
  EXPECT_EQ(left.size(), 290U);
  for (const std::size_t row : left) EXPECT_NE(row % 30, 7U);
  EXPECT_TRUE(std::ranges::is_sorted(left));
  EXPECT_EQ(RowsWithoutAnomalies(table, FirstNumbers(2), 0, Rng(1)).size(), 300U);
}

}  // namespace
}  // namespace berth
