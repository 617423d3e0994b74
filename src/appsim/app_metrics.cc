#include "appsim/app_metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "base/text.h"
#include "berth/check.h"

namespace berth {
namespace {

constexpr std::array<MetricInfo, kServiceMetrics> kOfService = {{
    {"cpu", "share", "cpu in use of what the ready instances have for it"},
    {"memory", "share", "memory in use of what the ready instances are placed with"},
    {"disk", "share", "disk in use of what the ready instances are placed with"},
    {"network", "share", "network in use of what the ready instances are placed with"},
    {"waiting_time", "s", "in its buffers, of what an instance began to work on"},
    {"upstream_waiting_time", "s", "the same, of requests"},
    {"downstream_waiting_time", "s", "the same, of responses"},
    {"waiting_count", "mean", "how many wait in its buffers"},
    {"upstream_waiting_count", "mean", "the same, of requests"},
    {"downstream_waiting_count", "mean", "the same, of responses"},
    {"load", "a second", "requests that came to it"},
    {"instances", "count", "that are ready"},
}};
constexpr std::array<MetricInfo, kAppMetrics> kOfApplication = {{
    {"load", "a second", "requests that users sent"},
    {"response_time", "s", "of the answers"},
    {"network_time", "s", "of the answers, on links"},
    {"buffer_time", "s", "of the answers, in buffers"},
    {"answered", "a second", "requests that were answered"},
    {"lost", "a second", "requests that were lost"},
    {"good", "a second", "requests that were answered within their target"},
}};

std::optional<std::size_t> IndexOf(std::span<const MetricInfo> infos, std::string_view name) {
  const auto found = std::ranges::find(infos, name, &MetricInfo::name);
  if (found == infos.end()) return std::nullopt;
  return static_cast<std::size_t>(found - infos.begin());
}

Status NoSuchMetric(const MetricKey& key) {
  std::string known;
  for (const MetricInfo& info : kOfApplication) known += fmt::format(" {}", info.name);
  if (key.service != MetricKey::kApplication) {
    for (const MetricInfo& info : kOfService) known += fmt::format(" {}", info.name);
  }
  return Status(
      Code::kNotFound,
      fmt::format("there is no metric {} of {}; there are{}", Quoted(key.name),
                  key.service == MetricKey::kApplication ? "an application" : "a service", known));
}

}  // namespace

std::span<const MetricInfo> ServiceMetricInfos() { return kOfService; }
std::span<const MetricInfo> AppMetricInfos() { return kOfApplication; }

Result<const std::vector<double>*> AppMetricSource::Find(const MetricKey& key) const {
  if (key.service != MetricKey::kApplication && key.request_type.empty()) {
    BERTH_CHECK(key.service < series_.services.size());
    const auto metric = IndexOf(kOfService, key.name);
    if (metric) return &series_.services[key.service][*metric];
  }
  const auto metric = IndexOf(kOfApplication, key.name);
  if (!metric) return NoSuchMetric(key);
  if (key.request_type.empty()) return &series_.types.back()[*metric];
  const auto type =
      std::ranges::find(model_.request_types, key.request_type, &AppRequestType::name);
  if (type == model_.request_types.end()) {
    return Status(Code::kNotFound,
                  fmt::format("there is no request type {}", Quoted(key.request_type)));
  }
  return &series_.types[static_cast<std::size_t>(type - model_.request_types.begin())][*metric];
}

Result<TimeSeries> AppMetricSource::Series(const MetricKey& key, std::size_t points) const {
  BERTH_TRY(const std::vector<double>* const values, Find(key));
  std::size_t begin = values->size() - std::min(points, values->size());
  std::size_t end = values->size();
  while (begin < end && std::isnan((*values)[begin])) ++begin;
  while (begin < end && std::isnan((*values)[end - 1])) --end;
  const auto at = [&](std::size_t i) { return values->begin() + static_cast<std::ptrdiff_t>(i); };
  return TimeSeries{.start = Time(series_.step * static_cast<std::int64_t>(begin)),
                    .step = series_.step,
                    .values = std::vector<double>(at(begin), at(end))};
}

}  // namespace berth
