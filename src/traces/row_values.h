// What importers read from the rows of files that strangers wrote: values within bounds, or an
// error that names file, line and column.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/csv.h"
#include "berth/status.h"
#include "berth/time.h"

namespace berth {

// Between arrivals of files that have an order but no times.
inline constexpr Duration kOrderOnlySpacing = std::chrono::seconds(10);

// Rows of files that must be read to the end before the first arrival is known.
inline constexpr std::size_t kHeldRowsMax = 1'000'000;

bool IsEmpty(const CsvReader& csv, CsvColumn column);

struct IntegerRange {
  std::int64_t min = 0;
  std::int64_t max = 0;
};
Result<std::int64_t> IntegerIn(const CsvReader& csv, CsvColumn column, IntegerRange range);

// A name that Berth's records may carry.
Result<std::string_view> NameIn(const CsvReader& csv, CsvColumn column);

// Seconds from zero on, exact to the microsecond.
Result<Duration> SecondsIn(const CsvReader& csv, CsvColumn column);

// From when something began, or was asked for where that is not told, to its end; none without one.
struct LifetimeColumns {
  CsvColumn began;
  CsvColumn ended;
};
Result<std::optional<Duration>> LifetimeIn(const CsvReader& csv, LifetimeColumns columns,
                                           Duration asked, std::string_view what);

// In billionths, to the nearest: a number from 0 to `max`, which is at most a million. It may be
// written with an exponent and with any number of decimals.
Result<std::int64_t> NanoIn(const CsvReader& csv, CsvColumn column, std::int64_t max);

// So many billionths of `whole`, rounded up: needs are never understated.
std::int64_t NanoOf(std::int64_t nano, std::int64_t whole);

// A line for the trace's notes: the file's columns that are not in `read`. Empty if all are.
std::string IgnoredColumns(const CsvReader& csv, std::span<const std::string_view> read);

}  // namespace berth
