// A vertical recommender that is a program of a server's: it says what the program answered last.
#pragma once

#include <memory>
#include <string_view>

#include "rightsize/live_program.h"
#include "rightsize/recommender.h"

namespace berth {

// `external` is `external:NAME`.
std::unique_ptr<Recommender> NewLiveRecommender(const ProgramDesk& desk, std::string_view external,
                                                const Sized& sized);

}  // namespace berth
