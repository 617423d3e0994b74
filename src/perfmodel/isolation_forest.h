// Isolation forest (Liu, Ting and Zhou 2008): what few random cuts set apart is anomalous.
// Parameterised as scikit-learn does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "berth/rng.h"
#include "perfmodel/data_table.h"

namespace berth {

// How deep a random tree of n points is on average: c(n).
double AveragePathLength(std::size_t points);

struct ForestOptions {
  std::size_t trees = 100;
  std::size_t sample = 256;  // Rows a tree is grown from; all, if there are fewer.
};

class IsolationForest {
 public:
  // Row by row, `columns` each; there must be a row and a column.
  IsolationForest(std::span<const double> values, std::size_t columns, const ForestOptions& options,
                  Rng rng);

  // From 0 to 1: the higher, the more anomalous. Of the rows given, with the columns grown from.
  std::vector<double> Scores(std::span<const double> values) const;

 private:
  // A leaf is its own left child, so a walk of `depth_max_` steps ends there however deep it is.
  struct Cut {
    double at;           // At most goes left; a leaf's is infinite.
    std::uint32_t left;  // The right one follows it.
    std::uint32_t column;
    double path;  // Of a leaf: its depth, and what the points left in it would add.
  };

  void GrowTree(std::span<const double> values, std::vector<std::uint32_t> sample, Rng& rng);

  std::size_t columns_;
  std::size_t depth_max_;
  double path_usual_;
  std::vector<Cut> cuts_;
  std::vector<std::uint32_t> roots_;
};

// The rows that are left when the most anomalous share of them, going by these columns, is taken
// out; in their order.
std::vector<std::size_t> RowsWithoutAnomalies(const DataTable& table,
                                              std::span<const std::size_t> columns, double share,
                                              Rng rng);

}  // namespace berth
