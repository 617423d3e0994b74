// A file of usage, as usage_file.h reads it, out of series: of cpu in cores and of memory in bytes,
// one of each for every instance.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "usage/prometheus.h"

namespace berth {

// Which labels name an instance: `web/3` is the instance 3 of the service web.
struct InstanceLabels {
  std::string service;
  std::string instance;
};

struct ImportedUsage {
  std::string csv;
  std::uint64_t rows = 0;
  std::uint64_t instances = 0;
  std::uint64_t left_out = 0;  // Points of one resource where the other has none.
};

// Either may be empty as a whole: then it is 0 throughout, as what is not known. Otherwise a moment
// counts where both are known. A series without the labels, or a second one of an instance, is an
// error that says what to ask for instead.
Result<ImportedUsage> UsageFromSeries(const std::vector<PrometheusSeries>& cpu,
                                      const std::vector<PrometheusSeries>& memory,
                                      const InstanceLabels& labels);

// Compressed if the name ends in .gz; "-" is standard output. Whole or not at all.
Status WriteUsageFile(const std::string& path, const std::string& csv);

}  // namespace berth
