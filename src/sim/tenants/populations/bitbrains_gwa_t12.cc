#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/csv.h"
#include "sim/tenants/populations/builtin.h"

namespace berth {
namespace {

constexpr std::int64_t kSampleSeconds = 300;
constexpr std::int64_t kStepSeconds = 600;

struct Row {
  std::int64_t vm = 0;
  std::int64_t second = 0;
  std::int64_t cores = 0;
  Demand used;
  Demand limit;
};

std::uint32_t WholeAmount(double value) {
  return static_cast<std::uint32_t>(std::clamp(std::ceil(value), 0.0, double{kDemandMax}));
}

class Reader {
 public:
  Status Open(const std::string& path) {
    BERTH_TRY(LineReader lines, LineReader::Open(path));
    BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
    csv_.emplace(std::move(csv));
    constexpr const char* kNames[] = {"vm",           "ts",         "cores",      "cpu_cap_mhz",
                                      "cpu_used_mhz", "mem_cap_mb", "mem_used_mb"};
    for (std::size_t i = 0; i < std::size(kNames); ++i) {
      BERTH_TRY(columns_[i], csv_->Column(kNames[i]));
    }
    return {};
  }

  // False after the last.
  Result<bool> Next(Row& row) {
    BERTH_TRY(const bool more, csv_->Next());
    if (!more) return false;
    BERTH_TRY(row.vm, csv_->Integer(columns_[0]));
    BERTH_TRY(row.second, csv_->Integer(columns_[1]));
    BERTH_TRY(row.cores, csv_->Integer(columns_[2]));
    double values[4];
    for (std::size_t i = 0; i < 4; ++i) {
      BERTH_TRY(values[i], csv_->Number(columns_[3 + i]));
    }
    if (row.cores < 1 || row.cores > 1'000 || values[0] <= 0) {
      return csv_->Error("a VM has 1 to 1000 cores and some MHz");
    }
    if (row.second < 0 || std::ranges::any_of(values, [](double value) { return value < 0; })) {
      return csv_->Error("times and amounts are not below 0");
    }
    const double millicores = 1'000.0 * static_cast<double>(row.cores);
    row.used = {WholeAmount(millicores * values[1] / values[0]), WholeAmount(values[3]), 0};
    row.limit = {WholeAmount(millicores), WholeAmount(values[2]), 0};
    return true;
  }

 private:
  std::optional<CsvReader> csv_;
  CsvColumn columns_[7]{};
};

}  // namespace

// Rows are by VM, then time. A step's demand is the greater of its two samples; what the file
// leaves out (the VM was off) is left out of the series too. No disk is recorded.
Result<std::vector<UsageSeries>> ReadBitbrains(const std::string& path) {
  static_assert(kStepSeconds == 2 * kSampleSeconds);
  Reader reader;
  BERTH_RETURN_IF_ERROR(reader.Open(path));
  std::vector<UsageSeries> series;
  std::size_t samples = 0;
  Row row;
  std::optional<std::int64_t> vm;
  std::optional<std::int64_t> step;  // Of that VM, the last.
  for (;;) {
    BERTH_TRY(const bool more, reader.Next(row));
    if (!more) break;
    if (vm != row.vm) {
      vm = row.vm;
      step.reset();
      series.push_back({.kind = fmt::format("cores-{}", row.cores), .limit = {}, .samples = {}});
    }
    UsageSeries& own = series.back();
    own.limit = Greater(own.limit, row.limit);
    if (step == row.second / kStepSeconds) {
      own.samples.back() = Greater(own.samples.back(), row.used);
    } else {
      step = row.second / kStepSeconds;
      own.samples.push_back(row.used);
      ++samples;
    }
    if (series.size() > kUsageSeriesMax || samples > kUsageSamplesMax) {
      return Status(Code::kResourceExhausted, fmt::format("{}: too much to hold", path));
    }
  }
  return series;
}

}  // namespace berth
