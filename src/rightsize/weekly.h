// A recommender of services that have quiet weekends: never less than what another one said a week
// ago for the two days that come. What was said on a Monday, and on the Tuesday by when it had
// recovered from the weekend, holds from Saturday on, however quiet it is. Nothing is raised by
// what was raised: a week without the need and it is gone.
#pragma once

#include <memory>
#include <string_view>

#include "rightsize/recommender.h"

namespace berth {

inline constexpr std::string_view kWeeklyPrefix = "weekly:";

std::unique_ptr<Recommender> NewWeekly(std::unique_ptr<Recommender> inner, Resource resource);

}  // namespace berth
