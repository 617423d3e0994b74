// The load of one service over time, from a file: CSV with the columns at_ms and cpu_milli, what
// its replicas would use together if none were short, and any others, which are metrics by their
// names. Rows come in the order of their time; one without cpu_milli was not measured, and an empty
// metric is not known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/lines.h"
#include "berth/status.h"
#include "berth/time.h"

namespace berth {

struct LoadRow {
  Time at;
  std::optional<double> cpu_milli;
  std::vector<double> metrics;  // As named; NaN: not known.
};

struct ServiceLoad {
  std::vector<std::string> metrics;
  std::vector<LoadRow> rows;  // Two at least.
};

Result<ServiceLoad> ReadServiceLoad(LineReader lines);

}  // namespace berth
