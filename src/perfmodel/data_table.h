// Measurements: rows of numbers under named columns.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/lines.h"
#include "berth/status.h"

namespace berth {

inline constexpr std::size_t kDataRowsMax = 1'000'000;
inline constexpr std::size_t kDataColumnsMax = 256;
inline constexpr double kDataValueMax = 1e12;

class DataTable {
 public:
  explicit DataTable(std::vector<std::string> names) : names_(std::move(names)) {}

  const std::vector<std::string>& names() const { return names_; }
  std::optional<std::size_t> FindColumn(std::string_view name) const;
  std::size_t rows() const { return names_.empty() ? 0 : values_.size() / names_.size(); }
  std::size_t columns() const { return names_.size(); }

  std::span<const double> Row(std::size_t row) const {
    return std::span(values_).subspan(row * columns(), columns());
  }
  void AddRow(std::span<const double> row) {
    values_.insert(values_.end(), row.begin(), row.end());
  }

  // These columns of these rows, one row after the other.
  std::vector<double> Pick(std::span<const std::size_t> rows,
                           std::span<const std::size_t> columns) const;
  DataTable PickRows(std::span<const std::size_t> rows) const;

 private:
  std::vector<std::string> names_;
  std::vector<double> values_;  // Row by row.
};

// 0, 1, and so on.
std::vector<std::size_t> FirstNumbers(std::size_t count);

// A CSV file with a header; every field is a number of at most kDataValueMax in size.
Result<DataTable> ReadDataTable(LineReader lines);

}  // namespace berth
