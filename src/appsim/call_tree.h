// The calls that a request of a type leads to. A service that two others call is called twice.
#pragma once

#include <cstdint>
#include <vector>

#include "appsim/app_model.h"

namespace berth {

inline constexpr std::uint32_t kNone = UINT32_MAX;

struct AppCall {
  std::uint32_t service = 0;
  std::uint32_t parent = kNone;  // The call whose service made it; none: the user.
  std::uint32_t first_child = 0;
  std::uint32_t children = 0;  // They stand together.
};

// The user's call first, then by depth. Refused if there are more than kAppCallsMax; endless ones
// are among these.
Result<std::vector<AppCall>> UnfoldCalls(const AppModel& model, const AppRequestType& type);

}  // namespace berth
