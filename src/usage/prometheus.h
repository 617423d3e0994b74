// Series from a Prometheus server: a query over a range of time. A server gives at most 11,000
// points of a series at once, so a long range is asked for in pages. A point that the server does
// not have is a gap, and stays one.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "berth/status.h"
#include "berth/time.h"

namespace berth {

struct PrometheusServer {
  std::string url{};    // "http://localhost:9090", and a path if it has one.
  std::string token{};  // Of a bearer, if it wants one.
  std::string ca{};     // Certificates to trust; otherwise the system's.
  Duration wait = std::chrono::minutes(2);
};

struct PrometheusRange {
  Time begin;
  Time end;  // Itself included.
  Duration step = std::chrono::minutes(1);

  static constexpr std::int64_t kPointsAPage = 11'000;
  static constexpr std::int64_t kPagesMax = 1'000;
};

using PrometheusLabels = std::map<std::string, std::string, std::less<>>;

struct PrometheusSeries {
  PrometheusLabels labels;
  std::vector<std::pair<Time, double>> points;  // By time; finite.
};

// By labels.
Result<std::vector<PrometheusSeries>> QueryRange(const PrometheusServer& server,
                                                 const std::string& query,
                                                 const PrometheusRange& range);

}  // namespace berth
