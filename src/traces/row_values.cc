#include "traces/row_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/text.h"
#include "berth/name.h"
#include "traces/seconds.h"

namespace berth {
namespace {

constexpr std::int64_t kNano = 1'000'000'000;

}  // namespace

bool IsEmpty(const CsvReader& csv, CsvColumn column) { return Trim(csv.Text(column)).empty(); }

Result<std::int64_t> IntegerIn(const CsvReader& csv, CsvColumn column, IntegerRange range) {
  const std::string_view text = Trim(csv.Text(column));
  const auto [value, error] = ParseInteger(text);
  if (error == std::errc() && value >= range.min && value <= range.max) return value;
  return csv.Error(column, fmt::format("{} is not a whole number from {} to {}; write one",
                                       Quoted(text), range.min, range.max));
}

Result<std::string_view> NameIn(const CsvReader& csv, CsvColumn column) {
  const std::string_view text = Trim(csv.Text(column));
  if (IsValidName(text)) return text;
  return csv.Error(column,
                   fmt::format("{} is not a name; write 1 to 128 letters, digits, '.', '_' and '-'",
                               Quoted(text)));
}

Result<Duration> SecondsIn(const CsvReader& csv, CsvColumn column) {
  Result<Duration> seconds = ParseSeconds(csv.Text(column));
  if (!seconds.ok()) return csv.Error(column, seconds.status().message());
  return seconds;
}

Result<std::optional<Duration>> LifetimeIn(const CsvReader& csv, LifetimeColumns columns,
                                           Duration asked, std::string_view what) {
  if (IsEmpty(csv, columns.ended)) return std::optional<Duration>();
  Duration began = asked;
  if (!IsEmpty(csv, columns.began)) {
    BERTH_TRY(began, SecondsIn(csv, columns.began));
  }
  BERTH_TRY(const Duration ended, SecondsIn(csv, columns.ended));
  if (ended < began) {
    return csv.Error(columns.ended,
                     fmt::format("{} is before the {} began, {}; correct one of them",
                                 FormatSeconds(ended), what, FormatSeconds(began)));
  }
  return std::optional(ended - began);
}

Result<std::int64_t> NanoIn(const CsvReader& csv, CsvColumn column, std::int64_t max) {
  const std::string_view text = Trim(csv.Text(column));
  const auto [value, error] = ParseNumber(text);
  if (error == std::errc() && value >= 0 && value <= static_cast<double>(max)) {
    return std::llround(value * static_cast<double>(kNano));
  }
  return csv.Error(column,
                   fmt::format("{} is not a number from 0 to {}; write one", Quoted(text), max));
}

std::int64_t NanoOf(std::int64_t nano, std::int64_t whole) {
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>((static_cast<Wide>(nano) * whole + kNano - 1) / kNano);
}

std::string IgnoredColumns(const CsvReader& csv, std::span<const std::string_view> read) {
  std::vector<std::string_view> ignored;
  for (const std::string& name : csv.names()) {
    if (std::ranges::find(read, name) == read.end()) ignored.emplace_back(name);
  }
  if (ignored.empty()) return {};
  return fmt::format("ignored columns: {}", Quoted(fmt::format("{}", fmt::join(ignored, ","))));
}

}  // namespace berth
