// Declares the reader of every format in populations.def; each reader's .cc includes it.
#pragma once

#include <string>
#include <vector>

#include "sim/tenants/usage_series.h"

namespace berth {

#define BERTH_POPULATION(file, reader, summary) \
  Result<std::vector<UsageSeries>> reader(const std::string& path);
#include "sim/tenants/populations/populations.def"
#undef BERTH_POPULATION

}  // namespace berth
