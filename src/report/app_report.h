// What `berth simulate app` tells: the tables on the terminal and the report on disk.
#pragma once

#include <string>
#include <vector>

#include "appsim/app_study.h"
#include "report/report.h"

namespace berth {

// What is drawn over time is of the first repetition.
Report AppReport(const AppModel& model, const std::vector<AppPolicyRuns>& policies,
                 const AppStudy& study, std::string command);

}  // namespace berth
