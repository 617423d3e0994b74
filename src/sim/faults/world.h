// What all simulated parts share: time, randomness, the count of faults, the story so far, and
// whether an invariant is broken.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "base/virtual_executor.h"
#include "berth/rng.h"
#include "sim/digest.h"
#include "sim/faults/fault.h"

namespace berth::faults {

class World {
 public:
  World(std::uint64_t seed, PlantedBug planted);

  VirtualExecutor& executor() { return executor_; }
  Time now() const { return executor_.now(); }
  Rng Stream(std::string_view name) const { return rng_.Fork(name); }
  PlantedBug planted() const { return planted_; }

  // One step of the simulation, later: a message arrives, a sync ends, something fails. Nothing
  // happens any more once an invariant is broken.
  void After(Duration delay, Executor::Task happens);
  std::uint64_t steps() const { return steps_; }

  // Once healed, no more faults happen, so that everything must come to a good end.
  void Heal() { healed_ = true; }
  bool healed() const { return healed_; }

  void Count(Fault fault) { ++counts_[static_cast<std::size_t>(fault)]; }
  const FaultCounts& counts() const { return counts_; }

  // A line of the story; the last few are kept.
  void Tell(const std::string& line);
  // The first invariant that breaks ends the run; `sentence` says which and how.
  void Break(std::string sentence);
  const std::optional<std::string>& broken() const { return broken_; }
  const std::deque<std::string>& story() const { return story_; }

  // Over all that was committed and told: same seed, same number.
  Digest& digest() { return digest_; }

 private:
  const PlantedBug planted_;
  const Rng rng_;
  VirtualExecutor executor_;
  std::uint64_t steps_ = 0;
  bool healed_ = false;
  FaultCounts counts_{};
  std::deque<std::string> story_;
  std::optional<std::string> broken_;
  Digest digest_;
};

// Uniform over [from, to).
Duration DrawBetween(Rng& rng, Duration from, Duration to);

}  // namespace berth::faults
