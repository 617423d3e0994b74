#include "forecast/read_series.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>

#include "base/csv.h"
#include "base/text.h"
#include "base/timestamp.h"

namespace berth {
namespace {

constexpr std::int64_t kSecondsMax = 32'503'680'000;  // The year 3000.

// Some spreadsheets put a byte-order mark before the first name.
std::string_view WithoutMark(std::string_view name) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (name.starts_with(kByteOrderMark)) name.remove_prefix(kByteOrderMark.size());
  return name;
}

enum class TimeUnit : std::uint8_t { kSeconds, kMillis, kTimestamp };

class SeriesReader {
 public:
  explicit SeriesReader(CsvReader csv) : csv_(std::move(csv)) {}

  // Of the column named so; without a name, of the one that is meant.
  Result<TimeSeries> Read(std::optional<std::string_view> column = {}) {
    BERTH_RETURN_IF_ERROR(FindTime());
    if (column) {
      BERTH_TRY(value_, csv_.Column(*column));
    } else {
      BERTH_RETURN_IF_ERROR(FindValue());
    }
    for (;;) {
      BERTH_TRY(const bool more, csv_.Next());
      if (!more) break;
      BERTH_RETURN_IF_ERROR(TakeRow());
    }
    while (!series_.values.empty() && std::isnan(series_.values.back())) series_.values.pop_back();
    if (series_.values.empty()) {
      return csv_.Error(fmt::format("column {}: there is no value; a forecast needs at least one",
                                    Quoted(WithoutMark(NameOf(value_)))));
    }
    return std::move(series_);
  }

 private:
  const std::string& NameOf(CsvColumn column) const {
    return csv_.names()[static_cast<std::size_t>(column)];
  }

  std::optional<CsvColumn> Find(std::string_view name) const {
    for (std::size_t i = 0; i < csv_.names().size(); ++i) {
      if (WithoutMark(csv_.names()[i]) == name) return CsvColumn{i};
    }
    return std::nullopt;
  }

  Status FindTime() {
    struct Known {
      std::string_view name;
      TimeUnit unit;
    };
    for (const Known& known : {Known{"at_s", TimeUnit::kSeconds}, Known{"at_ms", TimeUnit::kMillis},
                               Known{"timestamp", TimeUnit::kTimestamp}}) {
      if (const auto column = Find(known.name)) {
        time_ = *column;
        unit_ = known.unit;
        return {};
      }
    }
    return csv_.Error("there is no column of times; name it at_s, at_ms or timestamp");
  }

  Status FindValue() {
    if (const auto column = Find("value")) {
      value_ = *column;
      return {};
    }
    if (csv_.names().size() != 2) {
      return csv_.Error("there is no column 'value', and not just one beside the times");
    }
    value_ = CsvColumn{1 - static_cast<std::size_t>(time_)};
    return {};
  }

  Result<std::int64_t> TimeOfRow() const {
    if (unit_ == TimeUnit::kTimestamp) {
      const std::string_view text = Trim(csv_.Text(time_));
      if (const auto seconds = ParseTimestamp(text)) return *seconds * 1'000;
      return csv_.Error(time_,
                        fmt::format("{} is not a time; write 2026-11-15 13:45:00", Quoted(text)));
    }
    const std::int64_t per_second = unit_ == TimeUnit::kMillis ? 1'000 : 1;
    BERTH_TRY(const std::int64_t at, csv_.Integer(time_));
    if (at < 0 || at > kSecondsMax * per_second) {
      return csv_.Error(time_, fmt::format("{} is not between 1970 and the year 3000", at));
    }
    return at * (1'000 / per_second);
  }

  Result<double> ValueOfRow() const {
    if (Trim(csv_.Text(value_)).empty()) return std::numeric_limits<double>::quiet_NaN();
    BERTH_TRY(const double value, csv_.Number(value_));
    if (std::abs(value) > kSeriesValueMax) {
      return csv_.Error(value_, fmt::format("{:g} is beyond {:g}", value, kSeriesValueMax));
    }
    return value;
  }

  // Whether the time is so many steps after the one before, and how many.
  Result<std::size_t> StepsTo(std::int64_t at_ms) {
    const std::int64_t since_ms = at_ms - last_ms_;
    if (since_ms == 0) return csv_.Error(time_, "the time is that of the row before; keep one");
    if (since_ms < 0) {
      return csv_.Error(time_, "the time is before that of the row before; sort the rows");
    }
    if (step_ms_ == 0) step_ms_ = since_ms;
    if (since_ms % step_ms_ != 0) {
      return csv_.Error(time_, fmt::format("the time is {} after the row before; the first two "
                                           "rows are {} apart, and all must be on that grid",
                                           FormatDuration(std::chrono::milliseconds(since_ms)),
                                           FormatDuration(std::chrono::milliseconds(step_ms_))));
    }
    const std::int64_t steps = since_ms / step_ms_;
    if (steps > static_cast<std::int64_t>(kSeriesPointsMax - series_.values.size())) {
      return csv_.Error(time_, fmt::format("with this row the series is longer than {} points",
                                           FormatCount(kSeriesPointsMax)));
    }
    return static_cast<std::size_t>(steps);
  }

  Status TakeRow() {
    BERTH_TRY(const std::int64_t at_ms, TimeOfRow());
    BERTH_TRY(const double value, ValueOfRow());
    std::size_t steps = 1;
    if (seen_a_row_) {
      BERTH_TRY(steps, StepsTo(at_ms));
      series_.step = std::chrono::milliseconds(step_ms_);
    }
    seen_a_row_ = true;
    last_ms_ = at_ms;
    if (series_.values.empty()) {
      if (std::isnan(value)) return {};
      series_.start = TimeFromMicros(at_ms * 1'000);
      series_.values.push_back(value);
      return {};
    }
    series_.values.resize(series_.values.size() + steps - 1,
                          std::numeric_limits<double>::quiet_NaN());
    series_.values.push_back(value);
    return {};
  }

  CsvReader csv_;
  CsvColumn time_{};
  CsvColumn value_{};
  TimeUnit unit_ = TimeUnit::kSeconds;
  TimeSeries series_;
  bool seen_a_row_ = false;
  std::int64_t last_ms_ = 0;
  std::int64_t step_ms_ = 0;
};

}  // namespace

Result<TimeSeries> ReadSeries(LineReader lines) {
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  return SeriesReader(std::move(csv)).Read();
}

Result<std::vector<NamedSeries>> ReadSeriesColumns(const std::string& text,
                                                   const std::string& file_name) {
  const auto open = [&] { return CsvReader::Open(LineReader::FromText(text, file_name)); };
  BERTH_TRY(const CsvReader header, open());
  if (header.names().size() > kSeriesColumnsMax) {
    return header.Error(
        fmt::format("there are more than {} columns; keep fewer", FormatCount(kSeriesColumnsMax)));
  }
  std::vector<NamedSeries> columns;
  for (const std::string& name : header.names()) {
    const std::string_view shown = WithoutMark(name);
    if (shown == "at_s" || shown == "at_ms" || shown == "timestamp") continue;
    BERTH_TRY(CsvReader csv, open());
    BERTH_TRY(TimeSeries series, SeriesReader(std::move(csv)).Read(name));
    columns.push_back({.name = std::string(shown), .series = std::move(series)});
  }
  if (columns.empty()) return header.Error("there is no column beside the times; add one");
  return columns;
}

}  // namespace berth
