// Berth's own trace format, as its reader and its writer share it; described in docs/formats.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "berth/records.h"
#include "berth/status.h"

namespace berth {

enum class TraceColumn : std::uint8_t {
  kAt,
  kService,
  kTenant,
  kClass,
  kType,
  kRole,
  kCount,
  kLifetime,
  kSpreadRacks,
  kMaxPerMachine,
  kMaxPerRack,
  kMaxPerUpdateDomain,
  kWithin,
  kIsolate,
  kYieldWhole,
  kLabels,
};

struct TraceColumnInfo {
  std::string_view name;
  bool required = false;
  std::string_view otherwise;  // What an empty field or a missing column means.
};

// In the order in which the writer writes them.
inline constexpr std::array kTraceColumns = {
    TraceColumnInfo{"at", true, ""},
    TraceColumnInfo{"service", true, ""},
    TraceColumnInfo{"tenant", false, "default"},
    TraceColumnInfo{"class", false, "gold"},
    TraceColumnInfo{"type", true, ""},
    TraceColumnInfo{"role", false, ""},
    TraceColumnInfo{"count", false, "1"},
    TraceColumnInfo{"lifetime", false, ""},
    TraceColumnInfo{"spread_racks", false, "0"},
    TraceColumnInfo{"max_per_machine", false, "0"},
    TraceColumnInfo{"max_per_rack", false, "0"},
    TraceColumnInfo{"max_per_update_domain", false, "0"},
    TraceColumnInfo{"within", false, "zone"},
    TraceColumnInfo{"isolate", false, "no"},
    TraceColumnInfo{"yield_whole", false, "no"},
    TraceColumnInfo{"labels", false, ""},
};
inline constexpr std::size_t kTraceColumnCount = kTraceColumns.size();

constexpr const TraceColumnInfo& InfoOf(TraceColumn column) {
  return kTraceColumns[static_cast<std::size_t>(column)];
}

// "ssd=yes;rack=top": in any order, each name once.
Result<Labels> ParseTraceLabels(std::string_view text);
std::string FormatTraceLabels(const Labels& labels);

// "#type D4 cpu=4 memory=16Gi skus=gen5;gen6 labels=ssd=yes", all but the name optional.
inline constexpr std::string_view kTypeLineStart = "#type";
Result<InstanceType> ParseTypeLine(std::string_view line);
std::string FormatTypeLine(const InstanceType& type);

}  // namespace berth
