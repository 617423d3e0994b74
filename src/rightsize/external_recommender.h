// A vertical recommender that is a program of the user's.
#pragma once

#include <memory>

#include "rightsize/external_program.h"
#include "rightsize/recommender.h"

namespace berth {

std::unique_ptr<Recommender> NewExternalRecommender(std::shared_ptr<ExternalProgram> program,
                                                    const Sized& sized);

}  // namespace berth
