#include "usage/usage_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "base/csv.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr std::uint64_t kUsageRowsMax = std::uint64_t{1} << 28;
constexpr std::int64_t kUsageMillisMax = 32'503'680'000'000;  // The year 3000.

struct UsageColumns {
  CsvColumn at, instance, cpu, memory;
  std::optional<CsvColumn> cpu_limit, memory_limit;
};
Result<UsageColumns> FindUsageColumns(const CsvReader& csv) {
  UsageColumns columns{};
  BERTH_TRY(columns.at, csv.Column("at_ms"));
  BERTH_TRY(columns.instance, csv.Column("instance"));
  BERTH_TRY(columns.cpu, csv.Column("cpu_milli"));
  BERTH_TRY(columns.memory, csv.Column("memory_bytes"));
  columns.cpu_limit = csv.FindColumn("cpu_limit_milli");
  columns.memory_limit = csv.FindColumn("memory_limit_bytes");
  return columns;
}

class ServiceUsageReader {
 public:
  explicit ServiceUsageReader(CsvReader csv) : csv_(std::move(csv)) {}

  Result<std::vector<ServiceUsage>> Read() {
    BERTH_TRY(columns_, FindUsageColumns(csv_));
    std::uint64_t rows = 0;
    for (;;) {
      BERTH_TRY(const bool more, csv_.Next());
      if (!more) break;
      if (++rows > kUsageRowsMax) {
        return csv_.Error(fmt::format("there are more than {} rows", kUsageRowsMax));
      }
      BERTH_RETURN_IF_ERROR(TakeRow());
    }
    if (rows == 0) return csv_.Error("there is no row; nothing was used");
    std::vector<ServiceUsage> services;
    services.reserve(found_.size());
    for (auto& [name, gathered] : found_) {
      for (auto& [begin, window] : gathered.windows) {
        gathered.usage.windows.push_back(std::move(window));
      }
      services.push_back(std::move(gathered.usage));
    }
    return services;
  }

 private:
  struct Gathered {
    ServiceUsage usage;
    std::map<Time, ServiceWindow> windows;
  };
  struct InstanceState {
    Time last;
    Time window;
    std::size_t peak = 0;  // Its place among the window's.
  };

  Result<double> AmountOf(CsvColumn column) const {
    BERTH_TRY(const double value, csv_.Number(column));
    if (value >= 0 && value <= static_cast<double>(kAmountMax)) return value;
    return csv_.Error(column, "an instance uses nothing or more, and at most 2^52 of anything");
  }

  Status TakeRow() {
    BERTH_TRY(const std::int64_t at_ms, csv_.Integer(columns_.at));
    if (at_ms < 0 || at_ms > kUsageMillisMax) {
      return csv_.Error(columns_.at, "must lie between the years 1970 and 3000, in milliseconds");
    }
    BERTH_TRY(const double cpu, AmountOf(columns_.cpu));
    BERTH_TRY(const double memory, AmountOf(columns_.memory));
    const std::string_view instance = Trim(csv_.Text(columns_.instance));
    if (instance.empty()) return csv_.Error(columns_.instance, "must name the instance");
    const std::string_view service = instance.substr(0, instance.rfind('/'));
    Gathered& gathered = found_[std::string(service)];
    gathered.usage.service = service;
    BERTH_RETURN_IF_ERROR(TakeAsked(gathered.usage.asked));
    const Time at = TimeFromMicros(at_ms * 1000);
    const auto [state, first] = instances_.try_emplace(std::string(instance));
    if (!first && at <= state->second.last) {
      return csv_.Error(columns_.at, "is not after the row above of the same instance; sort them");
    }
    ServiceWindow& window = gathered.windows[WindowOf(at)];
    window.begin = WindowOf(at);
    window.cpu.push_back(static_cast<float>(cpu));
    if (first || state->second.window != window.begin) {
      state->second.peak = window.memory.size();
      window.memory.push_back(0);
    }
    float& peak = window.memory[state->second.peak];
    peak = std::max(peak, static_cast<float>(memory));
    state->second.last = at;
    state->second.window = window.begin;
    return {};
  }

  Status TakeAsked(Resources& asked) const {
    for (const auto& [resource, column] : {std::pair(Resource::kCpu, columns_.cpu_limit),
                                           std::pair(Resource::kMemory, columns_.memory_limit)}) {
      if (!column) continue;
      BERTH_TRY(const double amount, AmountOf(*column));
      asked[resource] = std::max(asked[resource], static_cast<std::int64_t>(amount));
    }
    return {};
  }

  CsvReader csv_;
  UsageColumns columns_{};
  std::map<std::string, Gathered> found_;
  std::map<std::string, InstanceState> instances_;
};

}  // namespace

const std::vector<float>& SamplesOf(const ServiceWindow& window, Resource resource) {
  return resource == Resource::kCpu ? window.cpu : window.memory;
}

bool IsUsed(const ServiceUsage& usage, Resource resource) {
  return std::ranges::any_of(usage.windows, [&](const ServiceWindow& window) {
    return std::ranges::any_of(SamplesOf(window, resource), [](float used) { return used > 0; });
  });
}

Result<std::vector<ServiceUsage>> ReadServiceUsage(LineReader lines) {
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  return ServiceUsageReader(std::move(csv)).Read();
}

}  // namespace berth
