#include "oversub/latest_usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/csv.h"

namespace berth {
namespace {

struct Measured {
  Resource resource;
  CsvColumn column;
};

Result<std::vector<Measured>> MeasuredIn(const CsvReader& csv) {
  BERTH_TRY(const CsvColumn cpu, csv.Column("cpu_milli"));
  BERTH_TRY(const CsvColumn memory, csv.Column("memory_bytes"));
  BERTH_TRY(const CsvColumn disk, csv.Column("disk_bytes"));
  return std::vector<Measured>{
      {Resource::kCpu, cpu}, {Resource::kMemory, memory}, {Resource::kDisk, disk}};
}

Status NoteRow(const CsvReader& csv, const std::vector<Measured>& measured, InstanceUsage& usage) {
  for (const auto& [resource, column] : measured) {
    BERTH_TRY(const std::int64_t amount, csv.Integer(column));
    if (amount < 0 || amount > kAmountMax) {
      return csv.Error(column, fmt::format("is not from 0 to {}; write what is used", kAmountMax));
    }
    usage.now[resource] = amount;
    usage.peak[resource] = std::max(usage.peak[resource], amount);
  }
  return {};
}

}  // namespace

Result<UsageByInstance> ReadLatestUsage(LineReader lines) {
  BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
  BERTH_TRY(const CsvColumn instance, csv.Column("instance"));
  BERTH_TRY(const std::vector<Measured> measured, MeasuredIn(csv));
  UsageByInstance usage;
  for (;;) {
    BERTH_TRY(const bool more, csv.Next());
    if (!more) return usage;
    const std::optional<InstanceId> id = ParseInstanceId(csv.Text(instance));
    if (!id) return csv.Error(instance, "is no instance; write a service and a number, like web/3");
    BERTH_RETURN_IF_ERROR(NoteRow(csv, measured, usage[*id]));
    if (usage.size() > kUsageInstancesMax) {
      return csv.Error(fmt::format("there are more than {} instances", kUsageInstancesMax));
    }
  }
}

}  // namespace berth
