// Rules of aggregation: what several metric groups want of one service, made one path of counts.
//
// To add one, write group_rules/NAME.cc with the function, and name both in group_rules.def.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "berth/status.h"
#include "scale/space/count_path.h"

namespace berth {

struct GroupWish {
  std::int64_t priority = 0;
  std::size_t window = 1;  // Steps of its stabiliser; 1 without one.
  CountPath counts{};      // All groups' are equally long.
};

struct GroupRuleEntry {
  std::string_view name;
  std::string_view summary;
  // Of at least one.
  CountPath (*combine)(std::span<const GroupWish> wishes);
};

// In the order of group_rules.def.
std::span<const GroupRuleEntry> GroupRules();
// The message names those there are.
Result<const GroupRuleEntry*> FindGroupRule(std::string_view name);

}  // namespace berth
