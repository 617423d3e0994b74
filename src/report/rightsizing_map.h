// The usage of one service over time as colours, with the limits that recommenders would have set
// drawn over it, and where usage was above them: Autopilot's Fig. 9.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/report.h"
#include "usage/usage_file.h"

namespace berth {

struct LimitLine {
  std::string recommender;
  std::vector<std::optional<std::int64_t>> limits;  // In each window of the usage.
};

HeatMap UsageMap(const ServiceUsage& usage, Resource resource, const std::vector<LimitLine>& lines);

}  // namespace berth
