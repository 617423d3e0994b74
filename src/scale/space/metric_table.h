// Metrics from a file of series.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "berth/status.h"
#include "forecast/series.h"
#include "scale/space/autoscaler.h"

namespace berth {

class MetricTable final : public MetricSource {
 public:
  // `service` may be MetricKey::kApplication. A series added again takes the other's place.
  void Add(std::string metric, std::size_t service, TimeSeries series);

  Result<TimeSeries> Series(const MetricKey& key, std::size_t points) const override;

  // When the last series ends.
  Time end() const;

 private:
  std::map<std::pair<std::string, std::size_t>, TimeSeries> series_;
};

// CSV as forecast/read_series.h reads it: a column `METRIC` is of the application and of each
// service, a column `SERVICE.METRIC` of that service. `value` is the load.
Result<MetricTable> ReadMetricTable(const std::string& text, const std::string& file_name,
                                    const ScaledApplication& application);

}  // namespace berth
