// How one service is scaled. YAML, here with what is taken where nothing is said (but for
// expression and smoothing, which are off):
//
//   scaler: utilisation
//   min: 1
//   max: 100
//   replicas: 1                # What its owner asked for, and what it starts with.
//   target: 0.6                # Of its cpu, which is
//   reference: 1               # so much a replica, whatever its limit is now.
//   window: 5m
//   horizon: 72h
//   statistic: max             # Or p95.
//   expression: ceil(queue / 20) + 1
//   smoothing: {defer_down: 48h, halve_in: 1h, ignore_below: 0.1, starting_max: 0.2}
#pragma once

#include <string>

#include "base/document.h"
#include "base/fields.h"
#include "rightsize/program_names.h"
#include "scale/scaler.h"
#include "scale/smoother.h"

namespace berth {

struct ServiceScaling {
  std::string scaler = "utilisation";
  ScalerBasis basis{};
  std::uint32_t min = 1;
  std::uint32_t max = 100;
  SmoothingSettings smoothing{};
};

// All of these, of a map at `node` that may have other fields; what is not there stays. The scaler
// may be one of the programs; null: it may be none.
void ReadServiceScaling(Fields& fields, const Node& node, const ProgramNames* programs,
                        ServiceScaling& scaling);
// A map of these, in any file.
Result<ServiceScaling> ReadServiceScaling(const Node& node);
Result<ServiceScaling> ReadScalingFile(const std::string& path);

// What the state of an advisor depends on, as text: saved under other settings, it means nothing.
std::string StateKeyOf(const ServiceScaling& scaling);

}  // namespace berth
