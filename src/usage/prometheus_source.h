// What a server asks Prometheus for, again and again. YAML:
//
//   url: http://localhost:9090
//   every: 1m
//   token_file: prometheus.token        # A bearer token, in its first line.
//   ca: ca.pem                          # Certificates to trust instead of the system's.
//   series:
//     - metric: cpu_milli               # Of instances, in the units of samples,
//       query: 1000 * sum by (app, pod) (rate(container_cpu_usage_seconds_total[2m]))
//       service: app                    # by the labels that name them;
//       instance: pod
//     - metric: requests_per_second     # or of services.
//       query: sum by (app) (rate(http_requests_total[2m]))
//       service: app
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"
#include "usage/prometheus.h"

namespace berth {

struct PolledSeries {
  std::string metric{};
  std::string query{};
  std::string service = "service";  // The label that names the service,
  std::string instance{};           // and that of its instance; empty: it is of the service.
};

struct PrometheusSource {
  static constexpr std::size_t kSeriesMax = 64;
  static constexpr Duration kEveryMin = std::chrono::seconds(1);
  static constexpr Duration kEveryMax = std::chrono::minutes(5);

  PrometheusServer server{};
  Duration every = std::chrono::minutes(1);
  std::vector<PolledSeries> series{};
};

Result<PrometheusSource> ReadPrometheusSource(const std::string& path);

// "http://localhost:9090" and the like; `name` is that of the field or option which says it.
Status CheckPrometheusUrl(std::string_view name, const std::string& url);
// The first line of a file.
Result<std::string> ReadBearerToken(const std::string& path);

// Whose series it is, as samples name it: "web/3" or "web". The label of an instance holds its
// number or all of that. None: the labels do not say.
std::optional<std::string> SubjectOf(const PolledSeries& polled, const PrometheusLabels& labels);

}  // namespace berth
