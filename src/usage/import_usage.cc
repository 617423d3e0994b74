#include "usage/import_usage.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <system_error>

#include "base/text.h"
#include "berth/resources.h"

namespace berth {
namespace {

using Points = std::vector<std::pair<Time, double>>;
using PointsByInstance = std::map<std::string, const Points*>;

std::string LabelsText(const PrometheusLabels& labels) {
  std::string text;
  for (const auto& [name, value] : labels) {
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, Quoted(value));
  }
  return "{" + text + "}";
}

bool IsPlainName(std::string_view name) {
  return !name.empty() && name.find_first_of(",\"\r\n") == std::string_view::npos;
}

Result<PointsByInstance> ByInstance(const std::vector<PrometheusSeries>& all,
                                    const InstanceLabels& labels, std::string_view resource) {
  PointsByInstance found;
  for (const PrometheusSeries& series : all) {
    const auto service = series.labels.find(labels.service);
    const auto instance = series.labels.find(labels.instance);
    if (service == series.labels.end() || instance == series.labels.end() ||
        !IsPlainName(service->second) || !IsPlainName(instance->second)) {
      return Status(Code::kInvalidArgument,
                    fmt::format("a series of {} is named {}: it needs the labels {} and {}; ask "
                                "for `sum by ({}, {}) (...)`, or name other labels",
                                resource, LabelsText(series.labels), labels.service,
                                labels.instance, labels.service, labels.instance));
    }
    const std::string name = fmt::format("{}/{}", service->second, instance->second);
    if (found.emplace(name, &series.points).second) continue;
    return Status(
        Code::kInvalidArgument,
        fmt::format("two series of {} are of the instance {}, the second is {}; ask for "
                    "`sum by ({}, {}) (...)`",
                    resource, name, LabelsText(series.labels), labels.service, labels.instance));
  }
  return found;
}

double Bounded(double amount) { return std::clamp(amount, 0.0, static_cast<double>(kAmountMax)); }

// The rows of one instance, where both are known.
class InstanceRows {
 public:
  InstanceRows(const std::string& name, ImportedUsage& usage) : name_(name), usage_(usage) {}

  void AddBoth(const Points& cpu, const Points& memory) {
    auto c = cpu.begin();
    auto m = memory.begin();
    while (c != cpu.end() && m != memory.end()) {
      if (c->first == m->first) {
        AddRow(c->first, c->second, m->second);
        ++c;
        ++m;
      } else {
        ++usage_.left_out;
        if (c->first < m->first) {
          ++c;
        } else {
          ++m;
        }
      }
    }
    usage_.left_out += static_cast<std::uint64_t>((cpu.end() - c) + (memory.end() - m));
  }
  void AddRow(Time at, double cores, double bytes) {
    usage_.csv += fmt::format("{},{},{:.3f},{:.0f}\n", ToMicros(at) / 1000, name_,
                              Bounded(1000 * cores), Bounded(bytes));
    ++usage_.rows;
  }

 private:
  const std::string& name_;
  ImportedUsage& usage_;
};

bool WritePlain(const std::string& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return std::fclose(file) == 0 && written;
}

bool WriteCompressed(const std::string& path, const std::string& text) {
  gzFile const file = gzopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  bool written = true;
  for (std::size_t at = 0; written && at < text.size(); at += kPiece) {
    const std::size_t size = std::min(kPiece, text.size() - at);
    written =
        gzwrite(file, text.data() + at, static_cast<unsigned>(size)) == static_cast<int>(size);
  }
  return gzclose(file) == Z_OK && written;
}

}  // namespace

Result<ImportedUsage> UsageFromSeries(const std::vector<PrometheusSeries>& cpu,
                                      const std::vector<PrometheusSeries>& memory,
                                      const InstanceLabels& labels) {
  BERTH_TRY(const PointsByInstance cpus, ByInstance(cpu, labels, "cpu"));
  BERTH_TRY(const PointsByInstance memories, ByInstance(memory, labels, "memory"));
  ImportedUsage usage;
  usage.csv = "at_ms,instance,cpu_milli,memory_bytes\n";
  PointsByInstance all = cpus;
  all.insert(memories.begin(), memories.end());
  const Points none;
  for (const auto& [name, points] : all) {
    InstanceRows rows(name, usage);
    const std::uint64_t before = usage.rows;
    if (cpus.empty()) {
      for (const auto& [at, bytes] : *points) rows.AddRow(at, 0, bytes);
    } else if (memories.empty()) {
      for (const auto& [at, cores] : *points) rows.AddRow(at, cores, 0);
    } else {
      const auto c = cpus.find(name);
      const auto m = memories.find(name);
      rows.AddBoth(c == cpus.end() ? none : *c->second, m == memories.end() ? none : *m->second);
    }
    usage.instances += usage.rows > before ? 1 : 0;
  }
  return usage;
}

Status WriteUsageFile(const std::string& path, const std::string& csv) {
  if (path == "-") {
    if (std::fwrite(csv.data(), 1, csv.size(), stdout) == csv.size()) return {};
    return {Code::kUnavailable, "standard output does not take it"};
  }
  const std::string beside = path + ".part";
  const bool written =
      path.ends_with(".gz") ? WriteCompressed(beside, csv) : WritePlain(beside, csv);
  std::error_code error;
  if (written) std::filesystem::rename(beside, path, error);
  if (written && !error) return {};
  std::error_code ignored;
  std::filesystem::remove(beside, ignored);
  return {Code::kUnavailable, fmt::format("{} cannot be written", path)};
}

}  // namespace berth
