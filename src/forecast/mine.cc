#include "forecast/mine.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "forecast/series.h"

namespace berth {
namespace {

constexpr double kCellsExponent = 0.6;
constexpr std::size_t kCutsPerColumn = 15;

std::vector<std::size_t> OrderOf(std::span<const double> values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return values[i]; });
  return order;
}

// The part of each of the sorted values if they are cut into parts of nearly equal counts, equal
// values together. Each part takes its share of what is left.
std::vector<std::size_t> EqualParts(std::span<const double> sorted, std::size_t parts) {
  const std::size_t n = sorted.size();
  std::vector<std::size_t> part_of(n);
  std::size_t part = 0;
  double held = 0;
  double share = static_cast<double>(n) / static_cast<double>(parts);
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin;
    while (end < n && sorted[end] == sorted[begin]) ++end;
    const auto more = static_cast<double>(end - begin);
    if (held > 0 && std::abs(held + more - share) >= std::abs(held - share)) {
      ++part;
      held = 0;
      share = static_cast<double>(n - begin) / static_cast<double>(parts - part);
    }
    held += more;
    for (; begin < end; ++begin) part_of[begin] = part;
  }
  return part_of;
}

// Where a cut can be of use: not within equal values of x, nor between points of one row.
std::vector<std::size_t> UsefulCuts(std::span<const double> sorted_x,
                                    std::span<const std::size_t> rows) {
  const std::size_t n = rows.size();
  std::vector<std::size_t> cuts = {0};
  bool mixed_before = false;
  for (std::size_t begin = 0; begin < n;) {
    std::size_t end = begin;
    bool mixed = false;
    while (end < n && sorted_x[end] == sorted_x[begin]) {
      mixed = mixed || rows[end] != rows[begin];
      ++end;
    }
    const bool joins = begin > 0 && !mixed && !mixed_before && rows[begin] == rows[begin - 1];
    if (begin > 0 && !joins) cuts.push_back(begin);
    mixed_before = mixed;
    begin = end;
  }
  cuts.push_back(n);
  return cuts;
}

// Of too many, so many that have nearly the same number of points between them.
std::vector<std::size_t> FewerCuts(std::vector<std::size_t> cuts, std::size_t columns_max) {
  const std::size_t most = kCutsPerColumn * columns_max;
  if (cuts.size() - 1 <= most) return cuts;
  std::vector<double> clump_of(cuts.back());
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    for (std::size_t at = cuts[i]; at < cuts[i + 1]; ++at) clump_of[at] = static_cast<double>(i);
  }
  const std::vector<std::size_t> part_of = EqualParts(clump_of, most);
  std::vector<std::size_t> fewer = {0};
  for (std::size_t at = 1; at < part_of.size(); ++at) {
    if (part_of[at] != part_of[at - 1]) fewer.push_back(at);
  }
  fewer.push_back(cuts.back());
  return fewer;
}

double Entropy(std::span<const double> counts, double sum) {
  double entropy = 0;
  for (const double count : counts) {
    if (count > 0) entropy -= count * std::log2(count / sum);
  }
  return entropy;  // Times the sum.
}

// The best information of 2, 3, ... columns, in units of the most there can be, with so many rows
// of equal counts.
std::vector<double> BestColumns(std::span<const double> x, std::span<const double> y,
                                std::size_t rows, std::size_t columns_max) {
  const std::size_t n = x.size();
  std::vector<double> sorted_y(y.begin(), y.end());
  std::ranges::sort(sorted_y);
  const std::vector<std::size_t> part_of = EqualParts(sorted_y, rows);
  std::vector<std::size_t> row_of;
  std::vector<double> sorted_x;
  row_of.reserve(n);
  sorted_x.reserve(n);
  for (const std::size_t i : OrderOf(x)) {
    sorted_x.push_back(x[i]);
    const auto at = std::ranges::lower_bound(sorted_y, y[i]) - sorted_y.begin();
    row_of.push_back(part_of[static_cast<std::size_t>(at)]);
  }
  std::vector<double> counts(rows, 0);
  for (const std::size_t row : row_of) counts[row] += 1;
  const auto points = static_cast<double>(n);
  const double unknown = Entropy(counts, points);
  const std::vector<std::size_t> cuts = FewerCuts(UsefulCuts(sorted_x, row_of), columns_max);
  const std::vector<double> least = LeastUnknown(row_of, rows, cuts, columns_max);
  std::vector<double> best;
  best.reserve(columns_max);
  for (std::size_t columns = 2; columns <= columns_max; ++columns) {
    const double information = (unknown - least[columns - 1]) / points;
    const double most = std::log2(static_cast<double>(std::min(columns, rows)));
    best.push_back(std::clamp(information / most, 0.0, 1.0));
  }
  return best;
}

}  // namespace

std::vector<double> LeastUnknown(std::span<const std::size_t> rows, std::size_t row_count,
                                 std::span<const std::size_t> boundaries, std::size_t columns_max) {
  const std::size_t clumps = boundaries.size() - 1;
  // unknown[s][t - s - 1]: of one column from boundary s to t.
  std::vector<std::vector<double>> unknown(clumps);
  for (std::size_t s = 0; s < clumps; ++s) {
    std::vector<double> counts(row_count, 0);
    unknown[s].reserve(clumps - s);
    for (std::size_t t = s + 1; t <= clumps; ++t) {
      for (std::size_t i = boundaries[t - 1]; i < boundaries[t]; ++i) counts[rows[i]] += 1;
      unknown[s].push_back(Entropy(counts, static_cast<double>(boundaries[t] - boundaries[s])));
    }
  }
  // What remains unknown of the columns adds up, so the best of the first t boundaries with one
  // column more ends in one column after the best of the first s.
  std::vector<double> best(clumps + 1, std::numeric_limits<double>::infinity());
  best[0] = 0;
  std::vector<double> least;
  least.reserve(columns_max);
  for (std::size_t columns = 1; columns <= columns_max; ++columns) {
    std::vector<double> next(clumps + 1, std::numeric_limits<double>::infinity());
    for (std::size_t t = columns; t <= clumps; ++t) {
      for (std::size_t s = columns - 1; s < t; ++s) {
        next[t] = std::min(next[t], best[s] + unknown[s][t - s - 1]);
      }
    }
    // With as many columns as clumps there is nothing more to cut.
    least.push_back(columns > clumps ? least.back() : next[clumps]);
    best = std::move(next);
  }
  return least;
}

std::optional<InformationMatrix> InformationMatrix::Of(std::span<const double> x,
                                                       std::span<const double> y) {
  if (IsConstant(x) || IsConstant(y)) return std::nullopt;
  const auto cells = static_cast<std::size_t>(
      std::max(4.0, std::floor(std::pow(static_cast<double>(x.size()), kCellsExponent))));
  InformationMatrix matrix;
  matrix.cells_.resize(cells / 2 - 1);
  for (std::size_t columns = 2; columns <= cells / 2; ++columns) {
    matrix.cells_[columns - 2] = BestColumns(y, x, columns, cells / columns);
  }
  for (std::size_t rows = 2; rows <= cells / 2; ++rows) {
    const std::vector<double> best = BestColumns(x, y, rows, cells / rows);
    for (std::size_t columns = 2; columns <= cells / rows; ++columns) {
      double& cell = matrix.cells_[columns - 2][rows - 2];
      cell = std::max(cell, best[columns - 2]);
    }
  }
  return matrix;
}

double InformationMatrix::Maximum() const {
  double most = 0;
  for (const std::vector<double>& of_columns : cells_) {
    most = std::max(most, std::ranges::max(of_columns));
  }
  return most;
}

double InformationMatrix::Asymmetry() const {
  double most = 0;
  for (std::size_t columns = 2; columns < cells_.size() + 2; ++columns) {
    for (std::size_t rows = 2; rows < cells_[columns - 2].size() + 2; ++rows) {
      most = std::max(most, std::abs(At(columns, rows) - At(rows, columns)));
    }
  }
  return most;
}

double InformationMatrix::EdgeMaximum() const {
  double most = std::ranges::max(cells_.front());
  for (const std::vector<double>& of_columns : cells_) most = std::max(most, of_columns.front());
  return most;
}

double InformationMatrix::Average() const {
  double sum = 0;
  double count = 0;
  for (const std::vector<double>& of_columns : cells_) {
    for (const double cell : of_columns) {
      sum += cell;
      count += 1;
    }
  }
  return sum / count;
}

double InformationMatrix::GeneralisedMaximum() const {
  // The best of all sizes of at most so many cells.
  std::vector<double> best((cells_.size() + 1) * 2 + 2, 0);
  for (std::size_t columns = 2; columns < cells_.size() + 2; ++columns) {
    for (std::size_t rows = 2; rows < cells_[columns - 2].size() + 2; ++rows) {
      double& of_size = best[columns * rows];
      of_size = std::max(of_size, At(columns, rows));
    }
  }
  for (std::size_t size = 1; size < best.size(); ++size) {
    best[size] = std::max(best[size], best[size - 1]);
  }
  double inverses = 0;
  double count = 0;
  for (std::size_t columns = 2; columns < cells_.size() + 2; ++columns) {
    for (std::size_t rows = 2; rows < cells_[columns - 2].size() + 2; ++rows) {
      if (best[columns * rows] <= 0) return 0;
      inverses += 1 / best[columns * rows];
      count += 1;
    }
  }
  return count / inverses;
}

}  // namespace berth
