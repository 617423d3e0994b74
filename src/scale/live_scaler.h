// A horizontal recommender that is a program of a server's: it says what the program answered last.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "rightsize/live_program.h"
#include "scale/scaler.h"

namespace berth {

// `external` is `external:NAME`.
std::unique_ptr<Scaler> NewLiveScaler(const ProgramDesk& desk, std::string_view external,
                                      const ScalerBasis& basis, const std::string& service);

}  // namespace berth
