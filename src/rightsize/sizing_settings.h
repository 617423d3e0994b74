// How services are sized, one by one: a file that says what differs from the rest. YAML:
//
//   machine: {cpu: 64, memory: 256Gi}      # The largest: nothing is recommended above it.
//   services:
//     - name: web
//       tenant: shop                         # Whom it is like as long as little is known of it:
//       type: java                           # see rightsize/similar.h.
//       recommender: window
//       weekly: true                         # Its weekends are quiet: see rightsize/weekly.h.
//       headroom: 0.2
//       cpu: {kind: latency_sensitive, min: 100m, max: 4}
//       memory: {oom_tolerance: minimal, max: 8Gi, grow_only: true, quota: 4Gi}
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "rightsize/bounds.h"

namespace berth {

struct ServiceSizing {
  std::string recommender;
  CpuKind cpu_kind = CpuKind::kServing;
  OomTolerance oom_tolerance = OomTolerance::kLow;
  SizeBounds cpu;
  SizeBounds memory;
  std::string tenant{};
  std::string type{};

  const SizeBounds& of(Resource resource) const {
    return resource == Resource::kCpu ? cpu : memory;
  }
};

struct SizingSettings {
  ServiceSizing others;  // Who is not among them.
  std::map<std::string, ServiceSizing, std::less<>> services;

  const ServiceSizing& Of(std::string_view service) const;
};

Result<CpuKind> ParseCpuKind(std::string_view text);
Result<OomTolerance> ParseOomTolerance(std::string_view text);

// `recommender`, `weekly`, `headroom`, `cpu` and `memory`; what is not there stays.
void ReadServiceSizing(Fields& fields, ServiceSizing& sizing);

// What a service does not say is as `others`.
Result<SizingSettings> ReadSizingSettings(const std::string& path, const ServiceSizing& others);

}  // namespace berth
