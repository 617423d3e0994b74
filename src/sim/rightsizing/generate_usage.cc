#include "sim/rightsizing/generate_usage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <ostream>

#include "berth/rng.h"
#include "usage/window.h"

namespace berth {
namespace {

constexpr std::int64_t kBeginMillis = 1'704'067'200'000;  // A Monday.
constexpr std::int64_t kStepMillis =
    std::chrono::duration_cast<std::chrono::milliseconds>(kWindowLength).count();
constexpr int kStepsADay = static_cast<int>(std::chrono::hours(24) / kWindowLength);

// What makes one service unlike another.
struct Habits {
  explicit Habits(Rng& rng)
      : cpu(100 * std::exp(1.3 * rng.Normal())),
        memory(0x1p29 * std::exp(rng.Normal())),
        instances(static_cast<int>(1 + rng.Below(3))),
        swing(0.9 * rng.Unit()),
        noise(0.05 + 0.25 * rng.Unit()),
        weekend(0.3 + 0.7 * rng.Unit()),
        burst_chance(rng.Below(3) == 0 ? 0.004 : 0.0002),
        growth(rng.Below(4) == 0 ? rng.Unit() : 0),
        restart_steps(static_cast<int>(kStepsADay * (1 + rng.Below(6)))),
        cpu_limit(std::ceil(cpu * (1.5 + 6 * rng.Unit()))),
        memory_limit(std::ceil(memory * (1.3 + 3 * rng.Unit()))) {}

  double cpu, memory;
  int instances;
  double swing, noise, weekend, burst_chance;
  double growth;  // Of memory, until the next restart.
  int restart_steps;
  double cpu_limit, memory_limit;
};

double LoadAt(const Habits& habits, int step) {
  const double day = static_cast<double>(step % kStepsADay) / kStepsADay;
  const int weekday = step / kStepsADay % 7;
  const double wave = 1 + habits.swing * std::sin(2 * std::numbers::pi * (day - 0.25));
  return wave * (weekday >= 5 ? habits.weekend : 1);
}

void GenerateService(std::uint32_t number, const UsageShape& shape, Rng rng, std::ostream& out) {
  const Habits habits(rng);
  int burst = 0;  // So many more steps.
  for (int step = 0; step < static_cast<int>(shape.days) * kStepsADay; ++step) {
    if (burst > 0) {
      --burst;
    } else if (rng.Unit() < habits.burst_chance) {
      burst = static_cast<int>(1 + rng.Below(12));
    }
    const double load = LoadAt(habits, step) * (burst > 0 ? 2.5 : 1);
    const double age = static_cast<double>(step % habits.restart_steps) / habits.restart_steps;
    for (int i = 0; i < habits.instances; ++i) {
      const double cpu = habits.cpu * load * std::exp(habits.noise * rng.Normal());
      const double memory = habits.memory * (0.7 + 0.3 * load + habits.growth * age) *
                            std::exp(0.1 * habits.noise * rng.Normal());
      out << fmt::format("{},service-{}/{},{:.0f},{:.0f},{:.0f},{:.0f}\n",
                         kBeginMillis + step * kStepMillis, number, i,
                         std::min(cpu, habits.cpu_limit), std::min(memory, habits.memory_limit),
                         habits.cpu_limit, habits.memory_limit);
    }
  }
}

}  // namespace

void GenerateUsage(const UsageShape& shape, std::uint64_t seed, std::ostream& out) {
  out << "at_ms,instance,cpu_milli,memory_bytes,cpu_limit_milli,memory_limit_bytes\n";
  const Rng rng(seed);
  for (std::uint32_t number = 0; number < shape.services; ++number) {
    GenerateService(number, shape, rng.Fork(number), out);
  }
}

}  // namespace berth
