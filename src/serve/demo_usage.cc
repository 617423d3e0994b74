#include "serve/demo_usage.h"

#include <cmath>
#include <numbers>

#include "berth/rng.h"

namespace berth {

DemoUsage UsageOf(std::string_view instance, const Resources& limit, double of_day) {
  Rng own = Rng(1).Fork(instance);
  const double busiest = 0.3 + 0.6 * own.Unit();
  const double at_night = 0.2 + 0.5 * own.Unit();
  const double memory = 0.3 + 0.6 * own.Unit();
  const double most_at = 0.55 + 0.1 * own.Unit();
  const double wave = (1 + std::cos(2 * std::numbers::pi * (of_day - most_at))) / 2;
  const double load = at_night + (1 - at_night) * wave;
  return {.cpu_milli = std::round(static_cast<double>(limit[Resource::kCpu]) * busiest * load),
          .memory_bytes = std::round(static_cast<double>(limit[Resource::kMemory]) * memory)};
}

}  // namespace berth
