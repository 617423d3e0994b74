#include "sim/faults/world.h"

#include <fmt/format.h>

#include <utility>

namespace berth::faults {
namespace {

constexpr std::size_t kStoryLines = 20;
// Far from zero, so that no clock can jump before it.
constexpr Time kStart = Time(std::chrono::hours(1000));

}  // namespace

World::World(std::uint64_t seed, PlantedBug planted)
    : planted_(planted), rng_(seed), executor_(kStart) {}

void World::After(Duration delay, Executor::Task happens) {
  executor_.PostAt(executor_.now() + delay, [this, happens = std::move(happens)] {
    if (broken_) return;
    ++steps_;
    happens();
  });
}

void World::Tell(const std::string& line) {
  if (broken_) return;  // The story ends there.
  const std::int64_t micros = (executor_.now() - kStart).count();
  story_.push_back(
      fmt::format("step {:>5}  {:>4}.{:03} ms  {}", steps_, micros / 1000, micros % 1000, line));
  if (story_.size() > kStoryLines) story_.pop_front();
}

void World::Break(std::string sentence) {
  if (broken_) return;
  Tell("BROKEN: " + sentence);
  broken_ = std::move(sentence);
}

Duration DrawBetween(Rng& rng, Duration from, Duration to) {
  return from + Duration(static_cast<std::int64_t>(
                    rng.Below(static_cast<std::uint64_t>((to - from).count()))));
}

}  // namespace berth::faults
