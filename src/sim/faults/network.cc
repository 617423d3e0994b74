#include "sim/faults/network.h"

#include <algorithm>
#include <utility>

namespace berth::faults {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr std::uint64_t kLateOneIn = 20;
constexpr std::uint64_t kDroppedOneIn = 12;
constexpr std::uint64_t kDuplicatedOneIn = 12;

Duration DrawDelay(World& world, Rng& rng) {
  const bool late = !world.healed() && rng.Below(kLateOneIn) == 0;
  if (!late) return DrawBetween(rng, microseconds(100), milliseconds(2));
  world.Count(Fault::kDelayed);
  return DrawBetween(rng, milliseconds(10), milliseconds(60));
}

}  // namespace

void LossyPath::Send(const Executor::Task& arrive) {
  const bool dropped = rng_.Below(kDroppedOneIn) == 0;
  const bool duplicated = rng_.Below(kDuplicatedOneIn) == 0;
  if (dropped && !world_.healed()) return world_.Count(Fault::kDropped);
  Travel(arrive);
  if (!duplicated || world_.healed()) return;
  world_.Count(Fault::kDuplicated);
  Travel(arrive);
}

void LossyPath::Travel(const Executor::Task& arrive) {
  const Duration delay = DrawDelay(world_, rng_);
  const Time arrival = world_.now() + delay;
  if (arrival < latest_arrival_) world_.Count(Fault::kReordered);
  latest_arrival_ = std::max(latest_arrival_, arrival);
  world_.After(delay, arrive);
}

void OrderedPath::Send(Executor::Task arrive) {
  const Duration delay = DrawDelay(world_, rng_) * slowness_;
  latest_arrival_ = std::max(latest_arrival_, world_.now() + delay);
  world_.After(latest_arrival_ - world_.now(), std::move(arrive));
}

}  // namespace berth::faults
