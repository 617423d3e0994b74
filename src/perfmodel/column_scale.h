// Columns brought to a mean of 0 and a deviation of 1, for models that compare sizes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"

namespace berth {

struct ColumnScale {
  std::vector<double> means{};
  std::vector<double> deviations{};  // 1 where a column is constant.

  std::size_t columns() const { return means.size(); }
  // Of rows, one after the other.
  void Apply(std::span<double> values) const;
};

ColumnScale ScaleOf(std::span<const double> values, std::size_t columns);

// The scale of the rows seen so far: for models that learn as they go.
class RunningScale {
 public:
  explicit RunningScale(std::size_t columns) : means_(columns, 0), squares_(columns, 0) {}

  void Add(std::span<const double> row);
  ColumnScale Scale() const;

  std::string Save() const;
  Status Restore(std::string_view bytes);

 private:
  std::uint64_t rows_ = 0;
  std::vector<double> means_;
  std::vector<double> squares_;  // Sums of squares about the means.
};

}  // namespace berth
