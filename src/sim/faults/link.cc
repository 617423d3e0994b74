#include "sim/faults/link.h"

#include <utility>

#include "berth/check.h"

namespace berth::faults {

Link::Link(World& world, Rng rng, std::int64_t slowness, Executor& home, std::function<void()> lost)
    : home_(home),
      there_(world, rng.Fork("there"), slowness),
      back_(world, rng.Fork("back"), slowness),
      lost_(std::move(lost)) {}

void Link::Post(Task task) {
  if (!open_) return;
  back_.Send([self = shared_from_this(), task = std::move(task)] {
    if (self->open_) task();
  });
}

void Link::PostAt(Time /*at*/, Task /*task*/) {
  BERTH_CHECK(false);  // Stores answer as soon as they can; time is not theirs to choose.
}

void Link::Ask(Task arrive) {
  there_.Send([self = shared_from_this(), arrive = std::move(arrive)] {
    if (self->reaches_) arrive();
  });
}

void Link::HangUp(bool rest_arrives) {
  open_ = false;
  reaches_ = rest_arrives;
  watches.clear();
}

void Link::Lose() {
  reaches_ = false;
  watches.clear();
  if (std::exchange(open_, false)) lost_();
}

}  // namespace berth::faults
