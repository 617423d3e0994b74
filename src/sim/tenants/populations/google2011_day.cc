#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/csv.h"
#include "sim/tenants/populations/builtin.h"

namespace berth {

// Rows are by VM, then slot of five minutes, in percent of a capacity that is not stated: all are
// taken to have 4 cores and 20 GiB. A step's demand is the greater of two slots; the day repeats.
Result<std::vector<UsageSeries>> ReadGoogle2011Day(const std::string& path) {
  constexpr Demand kLimit(4'000, 20'480, 0);
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  BERTH_TRY(const CsvColumn vm_column, csv.Column("vm"));
  BERTH_TRY(const CsvColumn slot_column, csv.Column("slot"));
  BERTH_TRY(const CsvColumn cpu_column, csv.Column("cpu_pct"));
  BERTH_TRY(const CsvColumn memory_column, csv.Column("mem_pct"));
  std::vector<UsageSeries> series;
  std::size_t rows = 0;
  std::optional<std::string> vm;
  for (;;) {
    BERTH_TRY(const bool more, csv.Next());
    if (!more) break;
    if (vm != csv.Text(vm_column)) {
      vm = csv.Text(vm_column);
      series.push_back({.kind = "cores-4", .limit = kLimit, .samples = {}});
    }
    BERTH_TRY(const std::int64_t slot, csv.Integer(slot_column));
    if (slot < 0) return csv.Error(slot_column, "is below 0");
    BERTH_TRY(const double cpu, csv.Number(cpu_column));
    BERTH_TRY(const double memory, csv.Number(memory_column));
    if (cpu < 0 || cpu > 1'000) return csv.Error(cpu_column, "is no percentage");
    if (memory < 0 || memory > 1'000) return csv.Error(memory_column, "is no percentage");
    if (series.size() > kUsageSeriesMax || ++rows > kUsageSamplesMax) {
      return csv.Error("too much to hold");
    }
    const Demand used(static_cast<std::uint32_t>(kLimit[DemandResource::kCpu] * cpu / 100),
                      static_cast<std::uint32_t>(kLimit[DemandResource::kMemory] * memory / 100),
                      0);
    std::vector<Demand>& samples = series.back().samples;
    if (slot % 2 == 0 || samples.empty()) {
      samples.push_back(used);
    } else {
      samples.back() = Greater(samples.back(), used);
    }
  }
  return series;
}

}  // namespace berth
