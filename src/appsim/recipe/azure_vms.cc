#include "appsim/recipe/azure_vms.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/csv.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr double kGibBytes = 1'073'741'824;
constexpr double kCoresMost = 1e4;

// One pass, after Welford.
struct RunningSpread {
  double count = 0;
  double mean = 0;
  double squares = 0;

  void Add(double value) {
    count += 1;
    const double before = value - mean;
    mean += before / count;
    squares += before * (value - mean);
  }
  double deviation() const { return std::sqrt(squares / count); }
};

struct TracedVm {
  RunningSpread least;         // CpuPercent of its cpu.
  RunningSpread single_peaks;  // The largest, where a single request is seen.
};
using TracedVms = std::map<std::string, TracedVm, std::less<>>;

Result<double> CpuPercent(const CsvReader& csv, CsvColumn column) {
  BERTH_TRY(const double percent, csv.Number(column));
  if (percent >= 0 && percent <= 100) return percent;
  return csv.Error(column, fmt::format("{} is not from 0 to 100; mend it", percent));
}

Status TooManyVmRows(const CsvReader& csv) {
  return csv.Error(
      fmt::format("is one row too many; a file has at most {}", FormatCount(kVmRowsMax)));
}

Status ReadReadings(const std::string& path, const VmsQuery& query, TracedVms& vms) {
  BERTH_TRY(LineReader lines, LineReader::Open(path));
  CsvReader csv = CsvReader::WithColumns(std::move(lines),
                                         {"timestamp", "vm id", "min cpu", "max cpu", "avg cpu"});
  BERTH_TRY(const CsvColumn id, csv.Column("vm id"));
  BERTH_TRY(const CsvColumn min, csv.Column("min cpu"));
  BERTH_TRY(const CsvColumn max, csv.Column("max cpu"));
  BERTH_TRY(const CsvColumn avg, csv.Column("avg cpu"));
  std::size_t found = 0;
  for (std::size_t rows = 0;; ++rows) {
    BERTH_TRY(const bool more, csv.Next());
    if (!more) return {};
    if (rows == kVmRowsMax) return TooManyVmRows(csv);
    BERTH_TRY(const double least, CpuPercent(csv, min));
    BERTH_TRY(const double most, CpuPercent(csv, max));
    BERTH_TRY(const double average, CpuPercent(csv, avg));
    auto vm = vms.find(csv.Text(id));
    if (vm == vms.end()) {
      if (found == query.vms_per_file) continue;
      ++found;
      vm = vms.try_emplace(std::string(csv.Text(id))).first;
    }
    vm->second.least.Add(least);
    if (most - average <= query.single_request_gap_percent) vm->second.single_peaks.Add(most);
  }
}

// "4", or ">24", which counts as where it begins.
Result<double> VmBucket(const CsvReader& csv, CsvColumn column) {
  std::string_view text = csv.Text(column);
  if (text.starts_with('>')) text.remove_prefix(1);
  const auto [number, error] = ParseNumber(text);
  if (error == std::errc() && number > 0 && number <= kCoresMost) return number;
  return csv.Error(column, fmt::format("{} is no bucket; write a number above 0, or one after >",
                                       Quoted(csv.Text(column))));
}

void AddSpread(double mean, double deviation, double unit, SampledSpread& to) {
  to.means.push_back(unit * mean);
  to.deviations.push_back(unit * deviation);
}

void AddVm(const TracedVm& vm, double cores, double gib, const VmsQuery& query,
           VmsProfile& profile) {
  ++profile.vms;
  const double milli = cores * 1'000 / 100;  // A percent of it.
  const double bytes = gib * kGibBytes / 100 * query.cpu_to_memory;
  AddSpread(vm.least.mean, vm.least.deviation(), milli, profile.service_cpu_milli);
  AddSpread(vm.least.mean, vm.least.deviation(), bytes, profile.service_memory_bytes);
  if (vm.single_peaks.count == 0) return;
  const double above = std::max(0.0, vm.single_peaks.mean - vm.least.mean);
  const double deviation = vm.single_peaks.deviation();
  AddSpread(above, deviation, milli, profile.request_cpu_milli);
  AddSpread(above, deviation, bytes * query.request_memory_factor, profile.request_memory_bytes);
}

Status ReadVmTable(const VmsQuery& query, const TracedVms& vms, VmsProfile& profile) {
  BERTH_TRY(LineReader lines, LineReader::Open(query.vms_file));
  CsvReader csv = CsvReader::WithColumns(
      std::move(lines),
      {"vm id", "subscription id", "deployment id", "created", "deleted", "max cpu", "avg cpu",
       "p95 max cpu", "category", "core count bucket", "memory bucket"});
  BERTH_TRY(const CsvColumn id, csv.Column("vm id"));
  BERTH_TRY(const CsvColumn category, csv.Column("category"));
  BERTH_TRY(const CsvColumn cores, csv.Column("core count bucket"));
  BERTH_TRY(const CsvColumn memory, csv.Column("memory bucket"));
  for (std::size_t rows = 0;; ++rows) {
    BERTH_TRY(const bool more, csv.Next());
    if (!more) return {};
    if (rows == kVmRowsMax) return TooManyVmRows(csv);
    const auto vm = vms.find(csv.Text(id));
    if (vm == vms.end()) continue;
    if (!query.categories.empty() &&
        std::ranges::find(query.categories, csv.Text(category)) == query.categories.end()) {
      continue;
    }
    BERTH_TRY(const double core_count, VmBucket(csv, cores));
    BERTH_TRY(const double gib, VmBucket(csv, memory));
    AddVm(vm->second, core_count, gib, query, profile);
  }
}

}  // namespace

Result<VmsProfile> ReadVms(const VmsQuery& query) {
  TracedVms vms;
  for (const std::string& file : query.readings_files) {
    BERTH_RETURN_IF_ERROR(ReadReadings(file, query, vms));
  }
  VmsProfile profile;
  BERTH_RETURN_IF_ERROR(ReadVmTable(query, vms, profile));
  if (profile.vms == 0) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{}: has no VM of the readings in these categories; name others",
                              query.vms_file));
  }
  if (profile.request_cpu_milli.means.empty()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{}: no reading shows a single request; raise single_request_gap",
                              query.readings_files.front()));
  }
  return profile;
}

}  // namespace berth
