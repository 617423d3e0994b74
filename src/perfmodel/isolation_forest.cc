#include "perfmodel/isolation_forest.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

#include "berth/check.h"

namespace berth {
namespace {

// So many rows stay in the cache while all trees are walked.
constexpr std::size_t kRowsTogether = 256;

std::vector<std::uint32_t> DrawRows(std::size_t rows, std::size_t wanted, Rng& rng) {
  std::vector<std::uint32_t> all(rows);
  std::iota(all.begin(), all.end(), 0U);
  for (std::size_t i = 0; i < wanted; ++i) std::swap(all[i], all[i + rng.Below(rows - i)]);
  all.resize(wanted);
  return all;
}

}  // namespace

double AveragePathLength(std::size_t points) {
  if (points <= 1) return 0;
  if (points == 2) return 1;
  const auto n = static_cast<double>(points);
  return 2 * (std::log(n - 1) + std::numbers::egamma) - 2 * (n - 1) / n;
}

IsolationForest::IsolationForest(std::span<const double> values, std::size_t columns,
                                 const ForestOptions& options, Rng rng)
    : columns_(columns) {
  BERTH_CHECK(columns > 0 && values.size() >= columns && values.size() % columns == 0);
  const std::size_t rows = values.size() / columns;
  const std::size_t sample = std::min(options.sample, rows);
  depth_max_ = std::bit_width(std::max<std::size_t>(sample, 2) - 1);
  path_usual_ = AveragePathLength(sample);
  roots_.reserve(options.trees);
  for (std::size_t i = 0; i < options.trees; ++i) {
    Rng tree_rng = rng.Fork(i);
    GrowTree(values, DrawRows(rows, sample, tree_rng), tree_rng);
  }
}

void IsolationForest::GrowTree(std::span<const double> values, std::vector<std::uint32_t> sample,
                               Rng& rng) {
  struct Part {
    std::uint32_t cut;
    std::size_t begin, end, depth;
  };
  const auto value = [&](std::uint32_t row, std::size_t column) {
    return values[row * columns_ + column];
  };
  const auto root = static_cast<std::uint32_t>(cuts_.size());
  roots_.push_back(root);
  cuts_.emplace_back();
  std::vector<Part> parts = {{root, 0, sample.size(), 0}};
  std::vector<std::uint32_t> untried(columns_);
  while (!parts.empty()) {
    const Part part = parts.back();
    parts.pop_back();
    const auto rows = std::span(sample).subspan(part.begin, part.end - part.begin);
    cuts_[part.cut] = {.at = std::numeric_limits<double>::infinity(),
                       .left = part.cut,
                       .column = 0,
                       .path = static_cast<double>(part.depth) + AveragePathLength(rows.size())};
    if (rows.size() <= 1 || part.depth == depth_max_) continue;
    std::iota(untried.begin(), untried.end(), 0U);
    for (std::size_t left = columns_; left > 0; --left) {
      std::swap(untried[rng.Below(left)], untried[left - 1]);
      const std::uint32_t column = untried[left - 1];
      double least = value(rows[0], column), most = least;
      for (const std::uint32_t row : rows) {
        least = std::min(least, value(row, column));
        most = std::max(most, value(row, column));
      }
      if (least == most) continue;
      double at = least + rng.Unit() * (most - least);
      if (at >= most) at = least;  // Rounded up: both sides must hold a row.
      const auto middle = std::partition(
          rows.begin(), rows.end(), [&](std::uint32_t row) { return value(row, column) <= at; });
      const std::size_t split = part.begin + static_cast<std::size_t>(middle - rows.begin());
      const auto child = static_cast<std::uint32_t>(cuts_.size());
      cuts_.resize(cuts_.size() + 2);
      cuts_[part.cut] = {.at = at, .left = child, .column = column, .path = 0};
      parts.push_back({child, part.begin, split, part.depth + 1});
      parts.push_back({child + 1, split, part.end, part.depth + 1});
      break;
    }
  }
}

std::vector<double> IsolationForest::Scores(std::span<const double> values) const {
  BERTH_CHECK(values.size() % columns_ == 0);
  const std::size_t rows = values.size() / columns_;
  std::vector<double> scores(rows, 0);
  for (std::size_t begin = 0; begin < rows; begin += kRowsTogether) {
    const std::size_t end = std::min(rows, begin + kRowsTogether);
    for (const std::uint32_t root : roots_) {
      for (std::size_t row = begin; row < end; ++row) {
        const double* const of = values.data() + row * columns_;
        std::uint32_t at = root;
        for (std::size_t step = 0; step < depth_max_; ++step) {
          const Cut& cut = cuts_[at];
          at = cut.left + static_cast<std::uint32_t>(of[cut.column] > cut.at);
        }
        scores[row] += cuts_[at].path;
      }
    }
  }
  const double usual = path_usual_ * static_cast<double>(roots_.size());
  for (double& score : scores) score = usual > 0 ? std::exp2(-score / usual) : 0.5;
  return scores;
}

std::vector<std::size_t> RowsWithoutAnomalies(const DataTable& table,
                                              std::span<const std::size_t> columns, double share,
                                              Rng rng) {
  std::vector<std::size_t> order = FirstNumbers(table.rows());
  const auto out = static_cast<std::size_t>(share * static_cast<double>(table.rows()));
  if (out == 0) return order;
  const std::vector<double> values = table.Pick(order, columns);
  const std::vector<double> scores =
      IsolationForest(values, columns.size(), {}, rng).Scores(values);
  std::ranges::stable_sort(order, {}, [&](std::size_t row) { return scores[row]; });
  order.resize(order.size() - out);
  std::ranges::sort(order);
  return order;
}

}  // namespace berth
