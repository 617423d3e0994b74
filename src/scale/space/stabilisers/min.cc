#include "scale/space/stabilisers/builtin.h"

namespace berth {

CountPath StabiliseByLeast(std::span<const std::uint32_t> counts, std::size_t window) {
  return LeastOfWindows(counts, window);
}

}  // namespace berth
