// Autoscalers by their files: the field `autoscaler` names one, and the rest is its own.
//
// To add one, write autoscalers/NAME.cc with the function that reads and makes it, and name both in
// autoscalers.def.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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

// "POLICY" or "POLICY@LEARNED": a file as above and, perhaps, one of what it learned. A file whose
// own name has an @ is taken whole.
struct AutoscalerFiles {
  std::string policy{};
  std::string learned{};  // Empty: it begins knowing nothing.
};
AutoscalerFiles SplitAutoscalerName(const std::string& name);

// Such files, read once, to make as many alike as are wanted.
class AutoscalerSource {
 public:
  static Result<AutoscalerSource> Read(const std::string& name);
  Result<std::unique_ptr<Autoscaler>> Make(const ScaledApplication& application) const;

 private:
  AutoscalerSource(AutoscalerFiles files, Document policy, std::string learned)
      : files_(std::move(files)), policy_(std::move(policy)), learned_(std::move(learned)) {}

  AutoscalerFiles files_;
  Document policy_;
  std::string learned_;  // The bytes of that file.
};

}  // namespace berth
