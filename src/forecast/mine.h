// Maximal information statistics (Reshef et al. 2011): how much the cell of a grid that a pair's x
// is in tells of its y's, for the best grid of each size.
//
// Of each size, one axis is cut into parts of equal counts, the other as is best, and the greater
// of both ways is kept, as published. Where that would take too long, cuts are tried at fifteen
// places for each column.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace berth {

// The information of each size of at most n^0.6 cells, in units of the most there can be: 0 to 1.
class InformationMatrix {
 public:
  // At least four pairs. None if one of the two is constant.
  static std::optional<InformationMatrix> Of(std::span<const double> x, std::span<const double> y);

  double Maximum() const;             // MIC
  double Asymmetry() const;           // MAS: between a size and its transpose.
  double EdgeMaximum() const;         // MEV: of two columns or two rows.
  double Average() const;             // TIC, over the number of sizes.
  double GeneralisedMaximum() const;  // GMIC with p = -1 (Luedtke and Tran 2013).

 private:
  InformationMatrix() = default;
  // Of so many columns and rows, each at least two.
  double At(std::size_t columns, std::size_t rows) const { return cells_[columns - 2][rows - 2]; }

  std::vector<std::vector<double>> cells_;  // By columns, then rows, as far as there are.
};

// The least that a column's points leave unknown of their rows, for one to `columns_max` columns,
// in bits times points, the cuts being at the boundaries. `rows` are those of the points in the
// order of x; the first boundary is 0, the last their number.
std::vector<double> LeastUnknown(std::span<const std::size_t> rows, std::size_t row_count,
                                 std::span<const std::size_t> boundaries, std::size_t columns_max);

}  // namespace berth
