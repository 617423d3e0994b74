// Declares the function of every rule in group_rules.def; each one's .cc includes it.
#pragma once

#include <span>

#include "scale/space/group_rule.h"

namespace berth {

#define BERTH_GROUP_RULE(file, function, summary) \
  CountPath function(std::span<const GroupWish> wishes);
#include "scale/space/group_rules/group_rules.def"
#undef BERTH_GROUP_RULE

}  // namespace berth
