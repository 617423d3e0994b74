// What `berth simulate qos` tells: how each class fared under each scheduler, side by side.
#pragma once

#include <string>
#include <vector>

#include "berth/status.h"
#include "report/report.h"
#include "sim/qos/rehearsal.h"

namespace berth {

struct QosRun {
  std::string scheduler;
  QosResult result;
};

// With both schedulers, "priority" among them, also what needs both: contention, fairness, pairs.
Report QosReport(const std::vector<QosRun>& runs, const QosOptions& options, std::string command);

// availabilities.csv: a line a request, in the order of admission.
Status WriteQosAvailabilities(const std::string& folder, const std::vector<QosRun>& runs,
                              const std::vector<QosRequest>& requests,
                              const std::vector<ServiceClass>& classes);

}  // namespace berth
