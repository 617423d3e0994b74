// What the samples of a zone say of an application's services, for whoever scales it.
//
// A service's metric is what was sampled of it under that name. `cpu` and `memory` are what its
// instances use, as a share of their limits. Points are five minutes apart. What was sampled once
// and then no more is as if it never was: nobody is to be scaled by it.
#pragma once

#include <string>
#include <vector>

#include "scale/space/autoscaler.h"
#include "serve/observer.h"

namespace berth {

struct SampledInstance {
  std::string subject;  // "web/3"
  Resources limit;
};
struct SampledService {
  std::string name;
  std::vector<SampledInstance> instances;
};

class SampledMetrics final : public MetricSource {
 public:
  // So long after its last sample a series still counts.
  static constexpr Duration kCountsFor = 3 * kWindowLength;

  // The application's own metrics are its first service's.
  SampledMetrics(Observer& observer, Time now, std::vector<SampledService> services);

  // Waits for the observer; not from its thread.
  Result<TimeSeries> Series(const MetricKey& key, std::size_t points) const override;

 private:
  Result<TimeSeries> Read(const Samples& samples, const MetricKey& key, std::size_t points) const;
  Result<std::vector<Window>> WindowsOf(const Samples& samples, const SeriesName& name,
                                        std::size_t points) const;
  Result<std::vector<Window>> UsageOf(const Samples& samples, const SampledService& service,
                                      Resource resource, std::size_t points) const;

  Observer& observer_;
  const Time now_;
  const std::vector<SampledService> services_;
};

}  // namespace berth
