#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/csv.h"
#include "sim/tenants/populations/builtin.h"

namespace berth {

// A column a VM, a row every five minutes, cpu in percent. Sizes, memory and disk are not recorded:
// all are taken to have 4 cores, and only cpu can be short. A step's demand is the greater of two.
Result<std::vector<UsageSeries>> ReadAzureV1Cpu(const std::string& path) {
  constexpr std::uint32_t kMillicores = 4'000;
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  const std::size_t vms = csv.names().size();
  if (vms > kUsageSeriesMax) {
    return Status(Code::kResourceExhausted, fmt::format("{}: too many columns", path));
  }
  std::vector<UsageSeries> series(
      vms, {.kind = "cores-4", .limit = Demand(kMillicores, 0, 0), .samples = {}});
  for (std::size_t row = 0;; ++row) {
    BERTH_TRY(const bool more, csv.Next());
    if (!more) break;
    if (row / 2 * vms > kUsageSamplesMax) {
      return Status(Code::kResourceExhausted, fmt::format("{}: too many rows", path));
    }
    for (std::size_t i = 0; i < vms; ++i) {
      BERTH_TRY(const double percent, csv.Number(CsvColumn{i}));
      if (percent < 0 || percent > 100) return csv.Error(CsvColumn{i}, "is no percentage");
      const Demand used(static_cast<std::uint32_t>(kMillicores * percent / 100), 0, 0);
      std::vector<Demand>& samples = series[i].samples;
      if (row % 2 == 0) {
        samples.push_back(used);
      } else {
        samples.back() = Greater(samples.back(), used);
      }
    }
  }
  return series;
}

}  // namespace berth
