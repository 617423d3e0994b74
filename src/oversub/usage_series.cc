#include "oversub/usage_series.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/csv.h"
#include "base/text.h"
#include "berth/name.h"
#include "oversub/tenant_amounts.h"
#include "oversub/trace_library.h"

namespace berth {
namespace {

constexpr std::uint64_t kSamplesMax = std::uint64_t{1} << 28;  // Steps of all instances: 3.2 GB.
// So that what is held is in proportion to what is read: a day a row, and something to begin with.
constexpr std::uint64_t kStepsPerRowMax = 144;
constexpr std::uint64_t kStepsToBeginWith = std::uint64_t{1} << 16;
constexpr std::int64_t kMillisMax = 32'503'680'000'000;  // The year 3000.

struct Columns {
  CsvColumn at, instance, type, role, cpu, memory, disk;
};
Result<Columns> FindColumns(const CsvReader& csv) {
  Columns columns{};
  BERTH_TRY(columns.at, csv.Column("at_ms"));
  BERTH_TRY(columns.instance, csv.Column("instance"));
  BERTH_TRY(columns.type, csv.Column("type"));
  BERTH_TRY(columns.role, csv.Column("role"));
  BERTH_TRY(columns.cpu, csv.Column("cpu_milli"));
  BERTH_TRY(columns.memory, csv.Column("memory_bytes"));
  BERTH_TRY(columns.disk, csv.Column("disk_bytes"));
  return columns;
}

struct Series {
  DemandTrace trace;
  Step first = 0;
};

class UsageReader {
 public:
  explicit UsageReader(CsvReader csv) : csv_(std::move(csv)) {}

  Result<UsageTraces> Read() {
    BERTH_TRY(columns_, FindColumns(csv_));
    for (;;) {
      BERTH_TRY(const bool more, csv_.Next());
      if (!more) break;
      BERTH_RETURN_IF_ERROR(TakeRow());
    }
    if (found_.rows == 0) return csv_.Error("there is no row; an estimate needs some past");
    for (auto& [name, series] : series_) {
      if (series.first + series.trace.lifetime() > last_) ++found_.still_running;
      found_.traces.push_back(std::move(series.trace));
    }
    return std::move(found_);
  }

 private:
  Result<std::int64_t> Amount(CsvColumn column) const {
    BERTH_TRY(const double value, csv_.Number(column));
    if (value >= 0 && value <= static_cast<double>(kAmountMax)) {
      return static_cast<std::int64_t>(std::ceil(value));
    }
    return csv_.Error(column, "an instance uses nothing or more, and at most 2^52 of anything");
  }

  Status TakeRow() {
    BERTH_TRY(const std::int64_t at_ms, csv_.Integer(columns_.at));
    if (at_ms < 0 || at_ms > kMillisMax) {
      return csv_.Error(columns_.at, "must lie between the years 1970 and 3000, in milliseconds");
    }
    Resources usage;
    BERTH_TRY(usage[Resource::kCpu], Amount(columns_.cpu));
    BERTH_TRY(usage[Resource::kMemory], Amount(columns_.memory));
    BERTH_TRY(usage[Resource::kDisk], Amount(columns_.disk));
    ++found_.rows;
    const Step step = StepOf(Time(std::chrono::milliseconds(at_ms)));
    last_ = std::max(last_, step);
    BERTH_TRY(Series * series, SeriesOfRow(step));
    return TakeSample(*series, step, UsageDemand(usage));
  }

  Result<Series*> SeriesOfRow(Step step) {
    const std::string_view instance = Trim(csv_.Text(columns_.instance));
    if (instance.empty()) return csv_.Error(columns_.instance, "must name the instance");
    const auto known = series_.find(instance);
    if (known != series_.end()) return &known->second;
    if (series_.size() >= kLibraryModelsMax) {
      return csv_.Error(fmt::format("there are more than {} instances", kLibraryModelsMax));
    }
    const std::string_view type = Trim(csv_.Text(columns_.type));
    if (!IsValidName(type)) return csv_.Error(columns_.type, "must be the name of a type");
    Series series;
    series.first = step;
    series.trace.role = Trim(csv_.Text(columns_.role)) == "secondary" ? TenantRole::kSecondary
                                                                      : TenantRole::kPrimary;
    BERTH_TRY(series.trace.tenant_class, ClassOf(type));
    return &series_.emplace(std::string(instance), std::move(series)).first->second;
  }

  Result<TenantClass> ClassOf(std::string_view type) {
    const auto known = std::ranges::find(found_.class_names, type);
    const auto place = static_cast<std::size_t>(known - found_.class_names.begin());
    if (place >= static_cast<std::size_t>(kNoClass)) {
      return csv_.Error(columns_.type, fmt::format("there are more than {} types", place));
    }
    if (known == found_.class_names.end()) found_.class_names.emplace_back(type);
    return TenantClass{static_cast<std::uint16_t>(place)};
  }

  Status TakeSample(Series& series, Step step, const Demand& usage) {
    std::vector<Demand>& samples = series.trace.samples;
    const std::int64_t age = std::int64_t{step} - series.first;
    if (age + 1 < static_cast<std::int64_t>(samples.size())) {
      return csv_.Error(columns_.at, "comes before the row above of the same instance; sort them");
    }
    if (age >= kLifetimeStepsMax) {
      return csv_.Error(columns_.at, fmt::format("the instance is older than {} steps of ten "
                                                 "minutes",
                                                 kLifetimeStepsMax));
    }
    const auto size = static_cast<std::size_t>(age) + 1;
    if (samples.size() == size) {
      samples.back() = Greater(samples.back(), usage);
      return {};
    }
    samples_ += size - samples.size();
    BERTH_RETURN_IF_ERROR(CheckSize());
    samples.resize(size, samples.empty() ? usage : samples.back());
    samples.back() = usage;
    return {};
  }

  Status CheckSize() const {
    if (samples_ > kSamplesMax) {
      return csv_.Error(
          fmt::format("the instances have more than {} steps of ten minutes in all; leave some out",
                      kSamplesMax));
    }
    if (samples_ > kStepsToBeginWith + kStepsPerRowMax * found_.rows) {
      return csv_.Error(fmt::format(
          "rows of one instance are more than a day apart in the mean, {} steps of ten minutes "
          "in {} rows so far; give each instance a row a day or more",
          samples_, found_.rows));
    }
    return {};
  }

  CsvReader csv_;
  Columns columns_{};
  UsageTraces found_;
  std::map<std::string, Series, std::less<>> series_;
  Step last_ = 0;
  std::uint64_t samples_ = 0;
};

}  // namespace

Result<UsageTraces> ReadUsageTraces(LineReader lines) {
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  return UsageReader(std::move(csv)).Read();
}

}  // namespace berth
