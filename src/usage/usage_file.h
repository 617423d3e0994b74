// What services took, from a file of usage: CSV with the columns at_ms, instance, cpu_milli and
// memory_bytes, and, where known, what the owner asked for in cpu_limit_milli and
// memory_limit_bytes. `web/3` is an instance of the service `web`. Rows of one instance come in the
// order of their time; time is cut into windows of five minutes.
#pragma once

#include <string>
#include <vector>

#include "base/lines.h"
#include "berth/resources.h"
#include "berth/status.h"
#include "usage/window.h"

namespace berth {

struct ServiceWindow {
  Time begin;
  std::vector<float> cpu;     // Every sample of every instance,
  std::vector<float> memory;  // and the peak of each instance.
};

struct ServiceUsage {
  std::string service;
  Resources asked;                     // The most that a row says; 0 if none does.
  std::vector<ServiceWindow> windows;  // Those with a sample, oldest first.
};

const std::vector<float>& SamplesOf(const ServiceWindow& window, Resource resource);
// Whether it ever took any: what is not known of a service is 0 throughout.
bool IsUsed(const ServiceUsage& usage, Resource resource);

// By name.
Result<std::vector<ServiceUsage>> ReadServiceUsage(LineReader lines);

}  // namespace berth
