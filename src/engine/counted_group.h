// Which instances of a service are counted when it is scaled.
#pragma once

#include <string_view>

#include "berth/records.h"

namespace berth {

// The only group, of that role if one is named; null: nobody can say which, as kSeveralGroups says.
inline const InstanceGroup* CountedGroup(const Service& service, std::string_view role) {
  const InstanceGroup* found = nullptr;
  for (const InstanceGroup& group : service.groups) {
    if (!role.empty() && group.role.str() != role) continue;
    if (found != nullptr) return nullptr;
    found = &group;
  }
  return found;
}

inline constexpr std::string_view kSeveralGroups =
    "it has instances of several types or roles; name the role that is to be scaled, of which it "
    "may have one type";

}  // namespace berth
