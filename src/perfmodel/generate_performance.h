// Measurements of applications that share a machine and that nobody runs: loads and limits drawn at
// random, and what was delivered under them.
#pragma once

#include <cstdint>
#include <iosfwd>

#include "perfmodel/colocated_apps.h"
#include "perfmodel/data_table.h"

namespace berth {

// As many as the experiment that chapter 7 of the thesis on predictive autoscaling is about.
inline constexpr std::size_t kPerformanceRows = 8'864;

inline constexpr double kGeneratedLoadMin = 10, kGeneratedLoadMax = 100;
inline constexpr double kGeneratedLimitMin = 100, kGeneratedLimitMax = 1'500;

// Same seed, same rows.
DataTable MeasurePerformance(const ColocatedApps& apps, std::size_t rows, std::uint64_t seed);

void WriteDataTable(const DataTable& table, std::ostream& out);

}  // namespace berth
