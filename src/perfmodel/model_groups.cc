#include "perfmodel/model_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace berth {
namespace {

std::vector<ModelGroup> TargetsBy(const PerformanceLayout& layout,
                                  const std::vector<std::string>& names, TargetGrouping grouping) {
  std::vector<ModelGroup> groups;
  switch (grouping) {
    case TargetGrouping::kTarget:
      for (const std::size_t target : layout.Targets())
        groups.push_back({names[target], {}, {target}});
      break;
    case TargetGrouping::kApplication:
      for (const ApplicationColumns& one : layout.applications) {
        groups.push_back({one.name, {}, {one.sli.begin(), one.sli.end()}});
      }
      break;
    case TargetGrouping::kSli:
      for (const Sli sli : kSlis) {
        ModelGroup& group = groups.emplace_back();
        group.name = SuffixOf(sli).substr(1);
        for (const ApplicationColumns& one : layout.applications) {
          group.targets.push_back(one.sli[static_cast<std::size_t>(sli)]);
        }
      }
      break;
    case TargetGrouping::kAll:
      groups.push_back({"all", {}, layout.Targets()});
      break;
  }
  return groups;
}

}  // namespace

Result<TargetGrouping> ParseGrouping(std::string_view name) {
  const auto* const found = std::ranges::find(kGroupingNames, name);
  if (found != std::end(kGroupingNames)) {
    return static_cast<TargetGrouping>(found - std::begin(kGroupingNames));
  }
  return Status(Code::kInvalidArgument, fmt::format("there is no grouping {}; they are {}",
                                                    Quoted(name), fmt::join(kGroupingNames, ", ")));
}

std::vector<ModelGroup> GroupsOf(const PerformanceLayout& layout,
                                 const std::vector<std::string>& names, TargetGrouping grouping,
                                 bool others) {
  std::vector<ModelGroup> groups = TargetsBy(layout, names, grouping);
  for (ModelGroup& group : groups) {
    group.features = layout.Inputs();
    if (!others) continue;
    for (const std::size_t target : layout.Targets()) {
      if (std::ranges::find(group.targets, target) == group.targets.end()) {
        group.features.push_back(target);
      }
    }
  }
  return groups;
}

Result<ModelGroup> GroupOfTargets(const std::vector<std::string>& names,
                                  std::span<const std::string_view> targets) {
  ModelGroup group{.name = fmt::format("{}", fmt::join(targets, ","))};
  for (const std::string_view target : targets) {
    const auto found = std::ranges::find(names, target);
    if (found == names.end()) {
      return Status(Code::kInvalidArgument,
                    fmt::format("there is no column {}; the columns are {}", Quoted(target),
                                Quoted(fmt::format("{}", fmt::join(names, ",")))));
    }
    const auto column = static_cast<std::size_t>(found - names.begin());
    if (std::ranges::find(group.targets, column) != group.targets.end()) {
      return Status(Code::kInvalidArgument,
                    fmt::format("target {} is named twice; name it once", Quoted(target)));
    }
    group.targets.push_back(column);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::ranges::find(group.targets, i) == group.targets.end()) group.features.push_back(i);
  }
  if (group.features.empty()) {
    return Status(Code::kInvalidArgument,
                  "every column is a target; leave some for the model to predict from");
  }
  return group;
}

}  // namespace berth
