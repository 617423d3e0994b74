#include "oversub/usage_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/csv.h"
#include "base/text.h"

namespace berth {
namespace {

struct Measured {
  Resource resource;
  CsvColumn now;
  std::optional<CsvColumn> peak;
};

Result<std::vector<Measured>> MeasuredIn(const CsvReader& csv) {
  std::vector<Measured> measured;
  for (const Resource r : {Resource::kCpu, Resource::kMemory, Resource::kDisk}) {
    BERTH_TRY(const CsvColumn now, csv.Column(ResourceName(r)));
    measured.push_back({r, now, csv.FindColumn(fmt::format("peak_{}", ResourceName(r)))});
  }
  return measured;
}

Result<InstanceUsage> ReadRow(const CsvReader& csv, const std::vector<Measured>& measured) {
  InstanceUsage usage;
  for (const Measured& column : measured) {
    BERTH_TRY(const std::int64_t now, csv.Amount(column.now, column.resource));
    std::int64_t peak = now;
    if (column.peak) {
      BERTH_TRY(peak, csv.Amount(*column.peak, column.resource));
      if (peak < now) return csv.Error(*column.peak, "is below what is used now; write the most");
    }
    usage.now[column.resource] = now;
    usage.peak[column.resource] = peak;
  }
  return usage;
}

}  // namespace

Result<UsageByInstance> ReadUsageFile(const std::string& path) {
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  BERTH_TRY(const CsvColumn instance, csv.Column("instance"));
  BERTH_TRY(const std::vector<Measured> measured, MeasuredIn(csv));
  UsageByInstance usage;
  for (;;) {
    BERTH_TRY(const bool more, csv.Next());
    if (!more) return usage;
    const std::optional<InstanceId> id = ParseInstanceId(csv.Text(instance));
    if (!id) return csv.Error(instance, "is no instance; write a service and a number, like web/3");
    if (usage.size() == kUsageRowsMax) {
      return csv.Error(fmt::format("there are more than {} rows", kUsageRowsMax));
    }
    BERTH_TRY(const InstanceUsage row, ReadRow(csv, measured));
    if (!usage.try_emplace(*id, row).second) {
      return csv.Error(instance, "was there before; write each instance once");
    }
  }
}

}  // namespace berth
