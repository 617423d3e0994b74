// Applications to test and measure with.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "appsim/simulate_app.h"

namespace berth::testing {

inline Spread NormalMillis(double mean_ms, double deviation_ms) {
  return {.kind = Spread::Kind::kNormal, .mean = 1e3 * mean_ms, .deviation = 1e3 * deviation_ms};
}

// Every service calls `fan_out` others until there are enough; each has its own nodes, one instance
// a node. An instance works on one request at a time.
inline AppModel TreeApp(std::size_t services, std::size_t fan_out, std::uint64_t nodes_each) {
  AppModel model;
  for (std::size_t i = 0; i < services; ++i) {
    AppService service{.name = "s" + std::to_string(i)};
    for (std::size_t k = 1; k <= fan_out && i * fan_out + k < services; ++k) {
      service.next.push_back(i * fan_out + k);
    }
    service.need[Resource::kCpu] = 2000;
    service.need[Resource::kMemory] = std::int64_t{1} << 30;
    service.idle[0] = {.mean = 50};
    service.idle[1] = {.mean = 2e8};
    service.boot = NormalMillis(500, 100);
    service.termination = NormalMillis(2000, 0);
    model.services.push_back(std::move(service));
  }
  AppRequestType type{.name = "get", .timeout = std::chrono::seconds(10)};
  type.times.assign(services,
                    {.upstream = NormalMillis(10, 3), .downstream = NormalMillis(2, 0.5)});
  type.need[0] = {.kind = Spread::Kind::kNormal, .mean = 1000, .deviation = 100};
  type.need[1] = {.mean = 1e6};
  type.request_bytes = {.kind = Spread::Kind::kNormal, .mean = 2000, .deviation = 500};
  type.response_bytes = {.kind = Spread::Kind::kNormal, .mean = 20000, .deviation = 5000};
  model.request_types.push_back(std::move(type));
  AppNodeType node{.vm = {.provider = "p", .name = "small", .hour_micros = 50'000}};
  node.vm.capacity[Resource::kCpu] = 2000;
  node.vm.capacity[Resource::kMemory] = std::int64_t{2} << 30;
  node.vm.capacity[Resource::kNetwork] = 10'000;
  node.boot = NormalMillis(40'000, 5'000);
  node.vm.boot = std::chrono::seconds(40);
  node.termination = NormalMillis(10'000, 1'000);
  node.latency = std::chrono::milliseconds(1);
  model.node_types.push_back(std::move(node));
  AppRegion region{.name = "eu", .user_latency = std::chrono::milliseconds(10)};
  for (std::size_t i = 0; i < services; ++i) {
    VmGroup group{.type = 0, .count = nodes_each};
    group.instances.resize(services);
    group.instances[i] = 1;
    region.deployment.push_back(std::move(group));
  }
  model.regions.push_back(std::move(region));
  return model;
}

inline void AddLoad(AppModel& model, std::vector<double> rates, Duration step) {
  model.regions[0].loads.push_back({.step = step, .rates = std::move(rates)});
}

// Keeps the cpu of every service at a target, one instance a node.
class RatioScaler final : public Autoscaler {
 public:
  RatioScaler(std::size_t services, double target, Duration period)
      : services_(services), target_(target), period_(period) {}

  Duration sync_period() const override { return period_; }
  ScalingPlan Decide(Time now, const DeploymentState& state, const MetricSource& metrics) override {
    PlannedState planned{.at = now};
    for (std::size_t i = 0; i < services_; ++i) {
      const auto series = metrics.Series({.name = "cpu", .service = i}, 30);
      const std::uint32_t there = state.ready[i] + state.starting[i];
      double wanted = there;
      if (series.ok() && !series.value().values.empty()) {
        double sum = 0, count = 0;
        for (const double value : series.value().values) {
          if (std::isnan(value)) continue;
          sum += value;
          ++count;
        }
        wanted = std::ceil(state.ready[i] * sum / count / target_);
      }
      VmGroup group{.type = 0, .count = static_cast<std::uint64_t>(std::max(1.0, wanted))};
      group.instances.resize(services_);
      group.instances[i] = 1;
      planned.nodes.push_back(std::move(group));
    }
    return {.made = now, .states = {std::move(planned)}};
  }

 private:
  std::size_t services_;
  double target_;
  Duration period_;
};

}  // namespace berth::testing
