// Which instances of a service are counted when it is scaled.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "base/text.h"
#include "berth/records.h"

namespace berth {

// The only group, of that role if one is named; null: see WhyNoneIsCounted.
inline const InstanceGroup* CountedGroup(const Service& service, std::string_view role) {
  const InstanceGroup* found = nullptr;
  for (const InstanceGroup& group : service.groups) {
    if (!role.empty() && group.role.str() != role) continue;
    if (found != nullptr) return nullptr;
    found = &group;
  }
  return found;
}

inline std::string WhyNoneIsCounted(const Service& service, std::string_view role) {
  const bool any = std::ranges::any_of(service.groups, [&](const InstanceGroup& group) {
    return role.empty() || group.role.str() == role;
  });
  if (!any) return "it has no instances of the role " + Quoted(role);
  return "it has instances of several types or roles; name the role that is to be scaled, of which "
         "it may have one type";
}

}  // namespace berth
