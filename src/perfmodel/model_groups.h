// Which targets one model predicts together, and from what.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "perfmodel/performance_layout.h"

namespace berth {

enum class TargetGrouping : std::uint8_t {
  kTarget,       // A model for each target.
  kApplication,  // Response time and throughput of one application together.
  kSli,          // The response times of all applications together, and their throughputs.
  kAll,          // One model.
};
inline constexpr std::string_view kGroupingNames[] = {"target", "application", "sli", "all"};
Result<TargetGrouping> ParseGrouping(std::string_view name);

struct ModelGroup {
  std::string name{};
  std::vector<std::size_t> features{};  // Columns.
  std::vector<std::size_t> targets{};
};

// The features are all loads and limits, with `others` also the targets of other groups.
std::vector<ModelGroup> GroupsOf(const PerformanceLayout& layout,
                                 const std::vector<std::string>& names, TargetGrouping grouping,
                                 bool others);

// One group: these columns from all others.
Result<ModelGroup> GroupOfTargets(const std::vector<std::string>& names,
                                  std::span<const std::string_view> targets);

}  // namespace berth
