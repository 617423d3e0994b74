#include "base/csv.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace berth {
namespace {

// Reads the field at the front of `line` into `field` and removes it, its comma left standing.
Status TakeField(std::string_view& line, std::string& field) {
  if (!line.starts_with('"')) {
    const std::string_view text = line.substr(0, line.find(','));
    if (text.find('"') != std::string_view::npos) {
      return {Code::kInvalidArgument,
              fmt::format("a quote inside {}; put quotes around the whole field", Quoted(text))};
    }
    field = text;
    line.remove_prefix(text.size());
    return {};
  }
  line.remove_prefix(1);
  field.clear();
  for (;;) {
    const std::size_t quote = line.find('"');
    if (quote == std::string_view::npos) {
      return {Code::kInvalidArgument, "a quoted field is not closed; close it on the same line"};
    }
    field += line.substr(0, quote);
    line.remove_prefix(quote + 1);
    if (!line.starts_with('"')) break;
    field += '"';
    line.remove_prefix(1);
  }
  if (line.empty() || line.starts_with(',')) return {};
  return {Code::kInvalidArgument, fmt::format("{} after a closing quote; put a comma between",
                                              Quoted(line.substr(0, line.find(','))))};
}

}  // namespace

Status SplitCsv(std::string_view line, std::vector<std::string>& fields) {
  std::size_t count = 0;
  for (;;) {
    if (fields.size() == count) fields.emplace_back();
    BERTH_RETURN_IF_ERROR(TakeField(line, fields[count]));
    ++count;
    if (line.empty()) break;
    line.remove_prefix(1);
  }
  fields.resize(count);
  return {};
}

CsvReader::CsvReader(LineReader lines, std::vector<std::string> names)
    : lines_(std::move(lines)), names_(std::move(names)) {}

Result<CsvReader> CsvReader::Open(LineReader lines) {
  BERTH_TRY(const std::optional<std::string_view> header, lines.Next());
  if (!header) return lines.Error("the file is empty; it must begin with a row of column names");
  std::vector<std::string> names;
  if (const Status status = SplitCsv(*header, names); !status.ok()) {
    return lines.Error(status.message());
  }
  for (std::string& name : names) name = Trim(name);
  std::vector<std::string> sorted = names;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twin = std::adjacent_find(sorted.begin(), sorted.end()); twin != sorted.end()) {
    return lines.Error(fmt::format("two columns are named {}; rename one", Quoted(*twin)));
  }
  return CsvReader(std::move(lines), std::move(names));
}

CsvReader CsvReader::WithColumns(LineReader lines, std::vector<std::string> names) {
  CsvReader csv(std::move(lines), std::move(names));
  csv.width_of_ = "the format";
  return csv;
}

std::optional<CsvColumn> CsvReader::FindColumn(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) return std::nullopt;
  return CsvColumn{static_cast<std::size_t>(found - names_.begin())};
}

Result<CsvColumn> CsvReader::Column(std::string_view name) const {
  if (const auto found = FindColumn(name)) return *found;
  return lines_.Error(fmt::format("column '{}': is missing; the file has {}", name,
                                  Quoted(fmt::format("{}", fmt::join(names_, ",")))));
}

Result<bool> CsvReader::Next() {
  for (;;) {
    BERTH_TRY(const std::optional<std::string_view> line, lines_.Next());
    if (!line) return false;
    if (line->empty()) continue;
    if (const Status status = SplitCsv(*line, fields_); !status.ok()) {
      return lines_.Error(status.message());
    }
    if (short_rows_ && fields_.size() < names_.size()) fields_.resize(names_.size());
    if (fields_.size() == names_.size()) return true;
    return lines_.Error(fmt::format("the row has {} fields, {} {}; make them as many",
                                    fields_.size(), width_of_, names_.size()));
  }
}

std::string_view CsvReader::Text(CsvColumn column) const {
  return fields_[static_cast<std::size_t>(column)];
}

Result<std::int64_t> CsvReader::Integer(CsvColumn column) const {
  const std::string_view text = Trim(Text(column));
  const auto [value, error] = ParseInteger(text);
  if (error == std::errc()) return value;
  return Error(column,
               fmt::format("{} {}; write a whole number", Quoted(text),
                           error == std::errc::result_out_of_range ? "is out of range"
                                                                   : "is not a whole number"));
}

Result<double> CsvReader::Number(CsvColumn column) const {
  const std::string_view text = Trim(Text(column));
  const auto [value, error] = ParseNumber(text);
  if (error == std::errc()) return value;
  return Error(column, fmt::format("{} {}; write a number", Quoted(text),
                                   error == std::errc::result_out_of_range ? "is out of range"
                                                                           : "is not a number"));
}

Result<std::int64_t> CsvReader::Amount(CsvColumn column, Resource resource) const {
  Result<std::int64_t> amount = ParseAmount(resource, Trim(Text(column)));
  if (!amount.ok()) return Error(column, amount.status().message());
  return amount;
}

Status CsvReader::Error(CsvColumn column, std::string_view what) const {
  return lines_.Error(
      fmt::format("column {}: {}", Quoted(names_[static_cast<std::size_t>(column)]), what));
}

}  // namespace berth
