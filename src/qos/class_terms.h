// A service class as a scheduler reads it.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "berth/time.h"
#include "fleet/settings.h"

namespace berth {

struct ClassTerms {
  std::uint32_t target_ppm = 0;
  std::uint32_t rank = 0;  // 0 is the most important; classes of one importance share a rank.
  Duration margin{};
  std::uint32_t overhead_cap_ppm = 0;
};

// In the order of `classes`.
std::vector<ClassTerms> TermsOf(std::span<const ServiceClass> classes);

}  // namespace berth
