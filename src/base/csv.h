// Reading CSV (RFC 4180) with a header row: columns by name, values by type, errors by line.
//
//   BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
//   BERTH_TRY(const CsvColumn start, csv.Column("start_us"));
//   for (;;) {
//     BERTH_TRY(const bool more, csv.Next());
//     if (!more) break;
//     BERTH_TRY(const std::int64_t start_us, csv.Integer(start));
//   }
//
// Every error reads FILE:LINE: column 'x': what is wrong; what to do.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/lines.h"
#include "berth/resources.h"
#include "berth/status.h"

namespace berth {

// The line's fields into `fields`, unquoted. A quoted field may hold commas and doubled quotes, but
// not the end of the line.
Status SplitCsv(std::string_view line, std::vector<std::string>& fields);

enum class CsvColumn : std::size_t {};

class CsvReader {
 public:
  // Reads the header; its names may have spaces around them.
  static Result<CsvReader> Open(LineReader lines);
  // A file without a header: these are its columns, in their order.
  static CsvReader WithColumns(LineReader lines, std::vector<std::string> names);

  // From here on a row may end early: the fields that it lacks are empty.
  void AllowShortRows() { short_rows_ = true; }

  const std::vector<std::string>& names() const { return names_; }

  Result<CsvColumn> Column(std::string_view name) const;
  std::optional<CsvColumn> FindColumn(std::string_view name) const;

  // Moves to the next row, past empty lines; false after the last.
  Result<bool> Next();

  // Of this row. Numbers may have spaces around them; text is as it stands.
  std::string_view Text(CsvColumn column) const;
  Result<std::int64_t> Integer(CsvColumn column) const;
  Result<double> Number(CsvColumn column) const;
  Result<std::int64_t> Amount(CsvColumn column, Resource resource) const;

  // An error about a value of this row, or about the whole row.
  Status Error(CsvColumn column, std::string_view what) const;
  Status Error(std::string_view what) const { return lines_.Error(what); }

 private:
  CsvReader(LineReader lines, std::vector<std::string> names);

  LineReader lines_;
  std::vector<std::string> names_;
  std::vector<std::string> fields_;
  std::string_view width_of_ = "the header";  // What says how many fields a row has.
  bool short_rows_ = false;
};

}  // namespace berth
