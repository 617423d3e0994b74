// A horizontal recommender that is a program of the user's: docs/external.md.
#pragma once

#include <memory>

#include "rightsize/external_program.h"
#include "scale/scaler.h"

namespace berth {

std::unique_ptr<Scaler> NewExternalScaler(std::shared_ptr<ExternalProgram> program,
                                          const ScalerBasis& basis);

}  // namespace berth
