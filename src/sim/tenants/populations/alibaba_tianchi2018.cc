#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "base/csv.h"
#include "base/text.h"
#include "sim/tenants/populations/builtin.h"

namespace berth {
namespace {

constexpr std::size_t kListedPointsMax = 1'000;
constexpr double kValueMax = 10'000;  // Cores or GiB.

Result<std::vector<double>> Curve(const CsvReader& csv, CsvColumn column) {
  std::vector<double> values;
  for (const std::string_view part : Split(csv.Text(column), '|')) {
    const Parsed<double> parsed = ParseNumber(part);
    if (parsed.error != std::errc{} || parsed.value < 0 || parsed.value > kValueMax) {
      return csv.Error(column, "holds numbers from 0 to 10000 with | between them");
    }
    values.push_back(parsed.value);
    if (values.size() > kListedPointsMax) return csv.Error(column, "has too many points");
  }
  return values;
}

}  // namespace

// A row an application: curves of cpu in cores and memory in GiB, and disk in GiB, which stays. The
// step of the curves is not stated; they are taken as they are, one point a step, and repeat. What
// an application is promised is not recorded: cores to the next power of two above its peak, and
// the memory and disk it needs at most.
Result<std::vector<UsageSeries>> ReadTianchi2018(const std::string& path) {
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  BERTH_TRY(const CsvColumn cpu_column, csv.Column("cpu_curve98"));
  BERTH_TRY(const CsvColumn memory_column, csv.Column("mem_curve98"));
  BERTH_TRY(const CsvColumn disk_column, csv.Column("disk"));
  std::vector<UsageSeries> series;
  for (;;) {
    BERTH_TRY(const bool more, csv.Next());
    if (!more) break;
    BERTH_TRY(const std::vector<double> cpu, Curve(csv, cpu_column));
    BERTH_TRY(const std::vector<double> memory, Curve(csv, memory_column));
    BERTH_TRY(const double disk, csv.Number(disk_column));
    if (cpu.size() != memory.size()) return csv.Error("the two curves differ in length");
    if (disk < 0 || disk > kValueMax) return csv.Error(disk_column, "is not 0 to 10000 GiB");
    if (series.size() >= kUsageSeriesMax) return csv.Error("too many applications");
    UsageSeries own;
    Demand peak;
    for (std::size_t i = 0; i < cpu.size(); ++i) {
      own.samples.emplace_back(static_cast<std::uint32_t>(1'000 * cpu[i]),
                               static_cast<std::uint32_t>(1'024 * memory[i]),
                               static_cast<std::uint32_t>(1'024 * disk));
      peak = Greater(peak, own.samples.back());
    }
    using enum DemandResource;
    const std::uint32_t cores = std::bit_ceil(std::max(1U, (peak[kCpu] + 999) / 1'000));
    own.kind = fmt::format("cores-{}", cores);
    own.limit = {1'000 * cores, peak[kMemory], peak[kDisk]};
    series.push_back(std::move(own));
  }
  return series;
}

}  // namespace berth
