// What `berth simulate rightsizing` tells: the tables on the terminal and the report on disk.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "sim/rightsizing/rehearse.h"

namespace berth {

// One recommender on one resource of all services.
struct SizingRun {
  std::string recommender;
  Resource resource = Resource::kCpu;
  std::vector<std::vector<SizingDay>> services;
};

// With the heat maps of some services, if there are any.
Report RightsizingReport(const std::vector<SizingRun>& runs, std::vector<HeatMap> maps,
                         std::string command);

}  // namespace berth
