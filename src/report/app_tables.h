// The tables of a report on simulated applications.
#pragma once

#include <vector>

#include "appsim/app_study.h"
#include "report/report.h"

namespace berth {

// One policy and all its runs together.
struct AppPolicyTotals {
  const AppPolicyRuns* policy = nullptr;
  AppTotals totals{};
};

std::vector<Table> AppTables(const AppModel& model, const std::vector<AppPolicyTotals>& policies);

}  // namespace berth
