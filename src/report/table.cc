#include "report/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <variant>

namespace berth {
namespace {

constexpr int kDecimalsMax = 9;
constexpr double kPlainMax = 1e15;  // From here on a double has no room for decimals.

int Exponent(double value) { return static_cast<int>(std::floor(std::log10(value))); }

std::string Fixed(double value, int decimals) { return fmt::format("{:.{}f}", value, decimals); }

// The decimals a column's numbers share: four significant digits of the largest, two of the
// smallest but no more than four decimals for that, and none that are zero throughout.
// web/src/format.ts follows the same rule.
int SharedDecimals(const std::vector<double>& values) {
  double largest = 0;
  double smallest = kPlainMax;
  for (const double value : values) {
    const double size = std::abs(value);
    if (!std::isfinite(value) || size == 0 || size >= kPlainMax) continue;
    largest = std::max(largest, size);
    smallest = std::min(smallest, size);
  }
  if (largest == 0) return 0;
  int decimals = std::max({3 - Exponent(largest), std::min(1 - Exponent(smallest), 4), 1});
  decimals = std::min(decimals, kDecimalsMax);
  const auto ends_in_zero = [&](double value) {
    return !std::isfinite(value) || std::abs(value) >= kPlainMax ||
           Fixed(value, decimals).ends_with('0');
  };
  while (decimals > 0 && std::all_of(values.begin(), values.end(), ends_in_zero)) --decimals;
  return decimals;
}

std::string FormatNumber(double value, int decimals) {
  if (std::isnan(value)) return "-";
  if (std::abs(value) >= kPlainMax) return fmt::format("{:.4g}", value);
  std::string text = Fixed(value, decimals);
  const std::size_t first = value < 0 ? 1 : 0;
  std::size_t end = std::min(text.find('.'), text.size());
  while (end > first + 3) {
    end -= 3;
    text.insert(end, 1, ',');
  }
  return text;
}

std::string WithoutControls(std::string text) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
  std::replace_if(text.begin(), text.end(), is_control, ' ');
  return text;
}

std::size_t Width(std::string_view text) {
  const auto starts_code_point = [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  };
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_code_point));
}

// One column as text: the header, then a cell a row.
struct TextColumn {
  std::vector<std::string> cells;
  std::size_t width = 0;
  bool right_aligned = false;
};

TextColumn ToText(const Table& table, std::size_t index) {
  std::vector<double> numbers;
  for (const auto& row : table.rows) {
    if (const auto* number = std::get_if<double>(&row[index])) numbers.push_back(*number);
  }
  const int decimals = SharedDecimals(numbers);
  const TableColumn& column = table.columns[index];

  TextColumn text;
  text.right_aligned =
      column.right_aligned || (!numbers.empty() && numbers.size() == table.rows.size());
  text.cells.push_back(WithoutControls(
      column.unit.empty() ? column.name : fmt::format("{} ({})", column.name, column.unit)));
  for (const auto& row : table.rows) {
    const auto* number = std::get_if<double>(&row[index]);
    text.cells.push_back(number != nullptr ? FormatNumber(*number, decimals)
                                           : WithoutControls(std::get<std::string>(row[index])));
  }
  for (const std::string& cell : text.cells) text.width = std::max(text.width, Width(cell));
  return text;
}

void AppendLine(std::string& out, const std::vector<TextColumn>& columns, std::size_t line) {
  std::string text;
  for (const TextColumn& column : columns) {
    if (&column != &columns.front()) text += "  ";
    const std::string& cell = column.cells[line];
    const std::string padding(column.width - Width(cell), ' ');
    text += column.right_aligned ? padding + cell : cell + padding;
  }
  text.erase(text.find_last_not_of(' ') + 1);
  out += text + '\n';
}

}  // namespace

std::string FormatTable(const Table& table) {
  std::vector<TextColumn> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) columns.push_back(ToText(table, i));

  std::string out;
  if (!table.title.empty()) out += WithoutControls(table.title) + '\n';
  AppendLine(out, columns, 0);
  std::string rule;
  for (const TextColumn& column : columns) {
    if (!rule.empty()) rule += "  ";
    rule.append(column.width, '-');
  }
  out += rule + '\n';
  for (std::size_t row = 0; row < table.rows.size(); ++row) AppendLine(out, columns, row + 1);
  if (!table.note.empty()) out += WithoutControls(table.note) + '\n';
  return out;
}

}  // namespace berth
