#include "scale/load_file.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "base/csv.h"
#include "base/text.h"
#include "berth/resources.h"

namespace berth {
namespace {

constexpr std::size_t kLoadRowsMax = 1'000'000;
constexpr std::size_t kLoadMetricsMax = 64;
constexpr double kMetricMax = 1e100;
constexpr std::int64_t kLoadMillisMax = 32'503'680'000'000;  // The year 3000.

class ServiceLoadReader {
 public:
  explicit ServiceLoadReader(CsvReader csv) : csv_(std::move(csv)) {}

  Result<ServiceLoad> Read() {
    BERTH_TRY(at_, csv_.Column("at_ms"));
    BERTH_TRY(cpu_, csv_.Column("cpu_milli"));
    for (std::size_t i = 0; i < csv_.names().size(); ++i) {
      if (CsvColumn{i} == at_ || CsvColumn{i} == cpu_) continue;
      load_.metrics.push_back(csv_.names()[i]);
      columns_.push_back(CsvColumn{i});
    }
    if (columns_.size() > kLoadMetricsMax) {
      return csv_.Error(fmt::format("there are more than {} metrics", kLoadMetricsMax));
    }
    for (;;) {
      BERTH_TRY(const bool more, csv_.Next());
      if (!more) break;
      BERTH_RETURN_IF_ERROR(TakeRow());
    }
    if (load_.rows.size() < 2) return csv_.Error("there are fewer than two rows; a load has more");
    return std::move(load_);
  }

 private:
  // Within its bounds; none where the field is empty.
  Result<std::optional<double>> Value(CsvColumn column, double min, double max) const {
    if (Trim(csv_.Text(column)).empty()) return std::optional<double>();
    BERTH_TRY(const double value, csv_.Number(column));
    if (value >= min && value <= max) return std::optional(value);
    return csv_.Error(column, fmt::format("{:g} is not between {:g} and {:g}", value, min, max));
  }

  Status TakeRow() {
    if (load_.rows.size() == kLoadRowsMax) {
      return csv_.Error(fmt::format("there are more than {} rows", kLoadRowsMax));
    }
    LoadRow row;
    BERTH_TRY(const std::int64_t at_ms, csv_.Integer(at_));
    if (at_ms < 0 || at_ms > kLoadMillisMax) {
      return csv_.Error(at_, "must lie between the years 1970 and 3000, in milliseconds");
    }
    row.at = TimeFromMicros(at_ms * 1000);
    if (!load_.rows.empty() && row.at <= load_.rows.back().at) {
      return csv_.Error(at_, "is not after the row above; sort them");
    }
    BERTH_TRY(row.cpu_milli, Value(cpu_, 0, static_cast<double>(kAmountMax)));
    row.metrics.reserve(columns_.size());
    for (const CsvColumn column : columns_) {
      BERTH_TRY(const std::optional<double> value, Value(column, -kMetricMax, kMetricMax));
      row.metrics.push_back(value.value_or(std::numeric_limits<double>::quiet_NaN()));
    }
    load_.rows.push_back(std::move(row));
    return {};
  }

  CsvReader csv_;
  CsvColumn at_{};
  CsvColumn cpu_{};
  std::vector<CsvColumn> columns_;
  ServiceLoad load_;
};

}  // namespace

Result<ServiceLoad> ReadServiceLoad(LineReader lines) {
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  return ServiceLoadReader(std::move(csv)).Read();
}

}  // namespace berth
