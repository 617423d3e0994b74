// Autoscalers by their files: the field `autoscaler` names one, and the rest is its own.
//
// To add one, write autoscalers/NAME.cc with the function that reads and makes it, and name both in
// autoscalers.def.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/document.h"
#include "berth/status.h"
#include "scale/space/autoscaler.h"

namespace berth {

struct AutoscalerEntry {
  std::string_view name;
  std::string_view summary;
  Result<std::unique_ptr<Autoscaler>> (*make)(const Node& node,
                                              const ScaledApplication& application);
};

// In the order of autoscalers.def.
std::span<const AutoscalerEntry> Autoscalers();

Result<std::unique_ptr<Autoscaler>> ReadAutoscaler(const Node& node,
                                                   const ScaledApplication& application);
Result<std::unique_ptr<Autoscaler>> ReadAutoscalerFile(const std::string& path,
                                                       const ScaledApplication& application);

}  // namespace berth
