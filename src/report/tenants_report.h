// What `berth simulate tenants` tells: the tables on the terminal and the report on disk.
#pragma once

#include <string>
#include <vector>

#include "report/report.h"
#include "sim/tenants/study.h"

namespace berth {

Report TenantsReport(const std::vector<TenantCell>& cells, const TenantStudyOptions& options,
                     std::string command);

}  // namespace berth
