#include "perfmodel/data_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/csv.h"
#include "base/text.h"

namespace berth {

std::optional<std::size_t> DataTable::FindColumn(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names_.begin());
}

std::vector<double> DataTable::Pick(std::span<const std::size_t> rows,
                                    std::span<const std::size_t> columns) const {
  std::vector<double> picked;
  picked.reserve(rows.size() * columns.size());
  for (const std::size_t row : rows) {
    for (const std::size_t column : columns) picked.push_back(Row(row)[column]);
  }
  return picked;
}

DataTable DataTable::PickRows(std::span<const std::size_t> rows) const {
  DataTable picked(names_);
  picked.values_ = Pick(rows, FirstNumbers(columns()));
  return picked;
}

std::vector<std::size_t> FirstNumbers(std::size_t count) {
  std::vector<std::size_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

Result<DataTable> ReadDataTable(LineReader lines) {
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  if (csv.names().size() > kDataColumnsMax) {
    return csv.Error(fmt::format("there are {} columns, {} are the most; leave some out",
                                 csv.names().size(), kDataColumnsMax));
  }
  if (std::ranges::find(csv.names(), "") != csv.names().end()) {
    return csv.Error("a column has no name; name it");
  }
  DataTable table(csv.names());
  std::vector<double> row(table.columns());
  for (;;) {
    BERTH_TRY(const bool more, csv.Next());
    if (!more) break;
    for (std::size_t i = 0; i < row.size(); ++i) {
      BERTH_TRY(row[i], csv.Number(CsvColumn{i}));
      if (std::abs(row[i]) > kDataValueMax) {
        return csv.Error(CsvColumn{i}, fmt::format("{:g} is beyond {:g}; use a larger unit", row[i],
                                                   kDataValueMax));
      }
    }
    if (table.rows() == kDataRowsMax) {
      return csv.Error(
          fmt::format("there are more than {} rows; leave some out", FormatCount(kDataRowsMax)));
    }
    table.AddRow(row);
  }
  if (table.rows() == 0) return csv.Error("there is no row; a model needs some");
  return table;
}

}  // namespace berth
