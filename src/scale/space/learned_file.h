// The file that is kept of what an autoscaler learned: its kind and version, what was learned for
// what, and a checksum.
#pragma once

#include <string>
#include <string_view>

#include "scale/space/autoscaler.h"

namespace berth {

inline constexpr std::uint32_t kLearnedFileVersion = 1;

// `learned` is what Autoscaler::SaveLearned says.
std::string EncodeLearned(std::string_view learned);
Status WriteLearned(std::string_view learned, const std::string& path);

// Into an autoscaler made by the same policy for services of the same names. Errors begin with the
// name of the file, and change nothing.
Status RestoreFromLearned(std::string_view bytes, std::string_view file_name,
                          Autoscaler& autoscaler);

}  // namespace berth
