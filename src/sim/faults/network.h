// How messages travel: each takes a time of its own, so that one may overtake another.
#pragma once

#include <functional>

#include "sim/faults/world.h"

namespace berth::faults {

// One way between two who do not keep a connection: messages may be lost, come twice or overtake.
class LossyPath {
 public:
  LossyPath(World& world, Rng rng) : world_(world), rng_(rng) {}

  void Send(const Executor::Task& arrive);

 private:
  void Travel(const Executor::Task& arrive);

  World& world_;
  Rng rng_;
  Time latest_arrival_;  // Of all sent so far.
};

// One way of a connection: messages may be late but arrive in order, until it is cut.
class OrderedPath {
 public:
  // Every message takes so many times as long as usual.
  OrderedPath(World& world, Rng rng, std::int64_t slowness = 1)
      : world_(world), rng_(rng), slowness_(slowness) {}

  void Send(Executor::Task arrive);

 private:
  World& world_;
  Rng rng_;
  std::int64_t slowness_;
  Time latest_arrival_;
};

}  // namespace berth::faults
