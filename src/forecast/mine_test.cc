// Cases of maximal information worked out by hand, and a slow reference that tries every grid.
#include "forecast/mine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "berth/rng.h"

namespace berth {
namespace {

using Values = std::vector<double>;

Values UpTo(int last) {
  Values values;
  for (int i = 1; i <= last; ++i) values.push_back(i);
  return values;
}

TEST(Mine, ALineTellsAll) {
  // Eight pairs: cells of 8^0.6 = 3.5, so at least 4: two by two.
  const auto matrix = InformationMatrix::Of(UpTo(8), UpTo(8));
  EXPECT_NEAR(matrix->Maximum(), 1, 1e-12);
  EXPECT_NEAR(matrix->Average(), 1, 1e-12);
  EXPECT_EQ(matrix->Asymmetry(), 0);
}

// What so many points of each kind leave unknown, in bits.
double Unknown(const Values& counts) {
  double points = 0;
  for (const double count : counts) points += count;
  double bits = 0;
  for (const double count : counts) bits -= count / points * std::log2(count / points);
  return bits;
}

TEST(Mine, AVeeByHand) {
  // Down to the middle of 24 points and up again: 24^0.6 = 6.7, so sizes of up to six cells.
  Values vee;
  for (const double x : UpTo(24)) vee.push_back(std::abs(x - 12.5));
  const auto matrix = InformationMatrix::Of(UpTo(24), vee);
  // Columns of equal counts tell nothing of either half, so rows are of equal counts. Two columns
  // and rows: the first 6 points are high, of the other 18 a third.
  const double two_by_two = 1 - 18.0 / 24 * Unknown({6, 12});
  // Two columns, three rows: the first 4 are highest, the others 8, 8 and 4.
  const double two_by_three = Unknown({8, 8, 8}) - 20.0 / 24 * Unknown({8, 8, 4});
  // Three columns, two rows: the 12 in the middle are low, all others high.
  EXPECT_NEAR(matrix->Maximum(), 1, 1e-12);
  EXPECT_NEAR(matrix->EdgeMaximum(), 1, 1e-12);
  EXPECT_NEAR(matrix->Asymmetry(), 1 - two_by_three, 1e-12);
  EXPECT_NEAR(matrix->Average(), (two_by_two + two_by_three + 1) / 3, 1e-12);
  // Of up to four cells two by two is best, of up to six the 1.
  EXPECT_NEAR(matrix->GeneralisedMaximum(), 3 / (1 / two_by_two + 1 + 1), 1e-12);
}

TEST(Mine, ThreeStepsByHand) {
  // 13 points on each of three levels: 39^0.6 = 9.008, so three by three is the largest size, and
  // tells all. Any size with two rows or columns tells one level from two: 2 by 2, 3 and 4.
  Values steps(39, 2);
  std::fill(steps.begin() + 13, steps.begin() + 26, 3);
  std::fill(steps.begin() + 26, steps.end(), 1);
  const double edge = Unknown({13, 26});
  for (const bool turned : {false, true}) {
    const auto matrix =
        turned ? InformationMatrix::Of(steps, UpTo(39)) : InformationMatrix::Of(UpTo(39), steps);
    EXPECT_NEAR(matrix->Maximum(), 1, 1e-12);
    EXPECT_NEAR(matrix->EdgeMaximum(), edge, 1e-12);
    EXPECT_NEAR(matrix->Asymmetry(), 0, 1e-12);
    EXPECT_NEAR(matrix->Average(), (5 * edge + 1) / 6, 1e-12);
    EXPECT_NEAR(matrix->GeneralisedMaximum(), 6 / (5 / edge + 1), 1e-12);
  }
}

using Rows = std::vector<std::size_t>;

// In bits times points.
double UnknownBetween(const Rows& rows, std::size_t begin, std::size_t end) {
  double unknown = 0;
  for (std::size_t i = begin; i < end; ++i) {
    double same = 0;
    for (std::size_t j = begin; j < end; ++j) same += rows[j] == rows[i];
    unknown -= std::log2(same / static_cast<double>(end - begin));
  }
  return unknown;
}

// All ways to cut.
class SlowCuts {
 public:
  explicit SlowCuts(const Rows& rows) : n_(rows.size()) {
    for (std::size_t begin = 0; begin < n_; ++begin) {
      unknown_.emplace_back(n_ + 1);
      for (std::size_t end = begin + 1; end <= n_; ++end) {
        unknown_[begin][end] = UnknownBetween(rows, begin, end);
      }
    }
  }

  double LeastUnknown(std::size_t columns, std::size_t begin = 0) const {
    if (columns == 1) return unknown_[begin][n_];
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t cut = begin + 1; cut + columns - 1 <= n_; ++cut) {
      least = std::min(least, unknown_[begin][cut] + LeastUnknown(columns - 1, cut));
    }
    return least;
  }

 private:
  std::size_t n_;
  std::vector<Values> unknown_;
};

TEST(Mine, TheBestCutsAreThoseOfTryingAll) {
  Rng rng(10);
  for (int round = 0; round < 30; ++round) {
    Rows rows;
    Rows boundaries = {0};
    for (std::size_t i = 0; i < 12; ++i) {
      rows.push_back(rng.Below(3));
      boundaries.push_back(i + 1);
    }
    const Values least = LeastUnknown(rows, 3, boundaries, 5);
    for (std::size_t columns = 1; columns <= 5; ++columns) {
      EXPECT_NEAR(least[columns - 1], SlowCuts(rows).LeastUnknown(columns), 1e-9);
    }
  }
}

// Of unequal values, a multiple of `rows`, so that rows of equal counts are those of ranks.
Rows EqualRowsInOrderOfX(const Values& x, const Values& y, std::size_t rows) {
  const auto rank = [](const Values& values, double value) {
    return static_cast<std::size_t>(
        std::ranges::count_if(values, [&](double other) { return other < value; }));
  };
  Rows of(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) of[rank(x, x[i])] = rank(y, y[i]) * rows / x.size();
  return of;
}

using Size = std::pair<std::size_t, std::size_t>;  // Columns, rows.

// Each size's best grid of all whose rows or whose columns have equal counts.
std::map<Size, double> SlowMatrix(const Values& x, const Values& y, std::size_t cells) {
  std::map<Size, double> matrix;
  for (std::size_t equal = 2; equal <= cells / 2; ++equal) {
    const SlowCuts of_x(EqualRowsInOrderOfX(x, y, equal));
    const SlowCuts of_y(EqualRowsInOrderOfX(y, x, equal));
    for (std::size_t cut = 2; cut <= cells / equal; ++cut) {
      const double unknown = std::log2(static_cast<double>(equal));
      const double most = std::log2(static_cast<double>(std::min(equal, cut)));
      const auto points = static_cast<double>(x.size());
      double& by_x = matrix[{cut, equal}];
      by_x = std::max(by_x, (unknown - of_x.LeastUnknown(cut) / points) / most);
      double& by_y = matrix[{equal, cut}];
      by_y = std::max(by_y, (unknown - of_y.LeastUnknown(cut) / points) / most);
    }
  }
  return matrix;
}

void ExpectAsByTryingAll(const InformationMatrix& fast, const std::map<Size, double>& slow) {
  double maximum = 0;
  double asymmetry = 0;
  double edge = 0;
  double sum = 0;
  double inverses = 0;
  for (const auto& [size, cell] : slow) {
    const auto [columns, rows] = size;
    maximum = std::max(maximum, cell);
    asymmetry = std::max(asymmetry, std::abs(cell - slow.at({rows, columns})));
    if (columns == 2 || rows == 2) edge = std::max(edge, cell);
    sum += cell;
    double best = 0;
    for (const auto& [other, others] : slow) {
      if (other.first * other.second <= columns * rows) best = std::max(best, others);
    }
    inverses += 1 / best;
  }
  const auto count = static_cast<double>(slow.size());
  EXPECT_NEAR(fast.Maximum(), maximum, 1e-9);
  EXPECT_NEAR(fast.Asymmetry(), asymmetry, 1e-9);
  EXPECT_NEAR(fast.EdgeMaximum(), edge, 1e-9);
  EXPECT_NEAR(fast.Average(), sum / count, 1e-9);
  EXPECT_NEAR(fast.GeneralisedMaximum(), count / inverses, 1e-9);
}

struct GridCase {
  std::size_t points;  // A multiple of every number of rows.
  std::size_t cells;   // points^0.6
  int rounds;
};

TEST(Mine, TheMatrixIsThatOfTryingAllGrids) {
  Rng rng(11);
  for (const GridCase& tried : {GridCase{24, 6, 10}, GridCase{36, 8, 6}, GridCase{60, 11, 2}}) {
    for (int round = 0; round < tried.rounds; ++round) {
      // A wave in little noise has few changes of row, so that no cut is left out.
      Values x;
      Values y;
      for (std::size_t i = 0; i < tried.points; ++i) {
        x.push_back(rng.Normal());
        y.push_back(std::sin((1 + round % 3) * x.back()) + 0.1 * rng.Normal());
      }
      ExpectAsByTryingAll(*InformationMatrix::Of(x, y), SlowMatrix(x, y, tried.cells));
    }
  }
}

}  // namespace
}  // namespace berth
