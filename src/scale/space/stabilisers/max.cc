#include "scale/space/stabilisers/builtin.h"

namespace berth {

CountPath StabiliseByMost(std::span<const std::uint32_t> counts, std::size_t window) {
  return MostOfWindows(counts, window);
}

}  // namespace berth
