// What a run is measured by, step by step: series for the policy and for the report.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "appsim/app_model.h"
#include "scale/space/autoscaler.h"

namespace berth {

// Of one service, over one step. NaN: there was nothing to measure.
enum class ServiceMetric : std::uint8_t {
  kCpu,  // To kNetwork: of what its ready instances are placed with, the share that they use.
  kMemory,
  kDisk,
  kNetwork,
  kWaitingTime,  // Seconds, of those that began to be worked on.
  kUpstreamWaitingTime,
  kDownstreamWaitingTime,
  kWaitingCount,  // On average over the step.
  kUpstreamWaitingCount,
  kDownstreamWaitingCount,
  kLoad,       // Requests a second that came, responses not counted.
  kInstances,  // Ready at the end of the step.
};
inline constexpr std::size_t kServiceMetrics = 12;

// Of the application, of one request type or all, over one step.
enum class AppMetric : std::uint8_t {
  kLoad,          // Requests a second that users sent.
  kResponseTime,  // Seconds, of the answers.
  kNetworkTime,   // Of that on links,
  kBufferTime,    // and in buffers.
  kAnswered,      // A second.
  kLost,          // A second.
  kGood,          // A second, answered within the target.
};
inline constexpr std::size_t kAppMetrics = 7;

struct MetricInfo {
  std::string_view name;
  std::string_view unit;
  std::string_view summary;
};
std::span<const MetricInfo> ServiceMetricInfos();
std::span<const MetricInfo> AppMetricInfos();

// All series of a run. A step is as long as the model says.
struct AppSeries {
  Duration step{};
  std::size_t steps = 0;
  std::vector<std::array<std::vector<double>, kServiceMetrics>> services{};
  std::vector<std::array<std::vector<double>, kAppMetrics>> types{};  // The last: of all types.
  std::array<std::vector<double>, kUsedCount> utilisation{};          // Of all nodes that are up.
  std::vector<double> nodes{};                                        // Up, at the end of the step.
  std::vector<double> nodes_desired{};
  std::vector<double> cost_micros{};  // Since the start.
};

// For a policy. A service has the metrics of the application besides its own.
class AppMetricSource final : public MetricSource {
 public:
  AppMetricSource(const AppModel& model, const AppSeries& series)
      : model_(model), series_(series) {}
  Result<TimeSeries> Series(const MetricKey& key, std::size_t points) const override;

 private:
  Result<const std::vector<double>*> Find(const MetricKey& key) const;

  const AppModel& model_;
  const AppSeries& series_;
};

}  // namespace berth
