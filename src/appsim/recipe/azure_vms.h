// What files in the format of the public Azure VM trace of 2019 (v2) tell about the resources that
// services and single requests take (section 9.2.5.2 of the thesis on predictive autoscaling).
//
// Read are vmtable.csv (of its columns the id, category, bucket of cores and bucket of memory) and
// vm_cpu_readings-file-N-of-195.csv (time, id, and the least, largest and average share of the cpu
// in five minutes, in percent). Neither has a header.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "berth/status.h"

namespace berth {

inline constexpr std::size_t kVmRowsMax = 50'000'000;
inline constexpr std::size_t kVmsPerFileMax = 100'000;

struct VmsQuery {
  std::string vms_file{};
  std::vector<std::string> readings_files{};
  std::vector<std::string> categories{};  // Empty: any.
  std::size_t vms_per_file = 200;         // The first that a file of readings names.
  // Where the largest and the average are no further apart, a single request is seen.
  double single_request_gap_percent = 3;
  double cpu_to_memory = 0.9;          // Memory used, as a share, of the share of cpu.
  double request_memory_factor = 0.1;  // Of what requests would take by that.
};

// A VM each: the mean and the deviation over its readings.
struct SampledSpread {
  std::vector<double> means{};
  std::vector<double> deviations{};
};

struct VmsProfile {
  std::size_t vms = 0;
  SampledSpread service_cpu_milli{};  // The least of each reading.
  SampledSpread service_memory_bytes{};
  SampledSpread request_cpu_milli{};     // How far the largest is above that.
  SampledSpread request_memory_bytes{};  // Of VMs in which single requests were seen.
};

Result<VmsProfile> ReadVms(const VmsQuery& query);

}  // namespace berth
