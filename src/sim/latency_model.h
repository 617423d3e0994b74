// How long agents and their ways take in a rehearsal, so that views are stale and requests queue.
#pragma once

#include <cstdint>
#include <optional>

#include "berth/rng.h"
#include "berth/time.h"

namespace berth {

struct LatencyModel {
  // An agent thinks so long about a decision whose evaluations were all kept, or not. It decides on
  // its view at the start and commits at the end; the commit is under way while it thinks about the
  // next one. What needs no machine, such as a departure, takes no thought.
  Duration hit{};
  Duration miss{};
  // One way between agents and store: for a commit to arrive, for its answer and news to come back.
  Duration commit{};
  // Which thoughts are short: so many of a million, drawn, whatever is kept; none: as it was.
  std::optional<std::uint32_t> hits_per_million;

  bool any() const { return hit > Duration() || miss > Duration() || commit > Duration(); }
};

// Says how long the next thought takes.
class ThinkingTime {
 public:
  ThinkingTime(const LatencyModel& model, Rng rng) : model_(model), rng_(rng) {}

  Duration Next(bool hit) {
    if (model_.hits_per_million) hit = rng_.Below(1'000'000) < *model_.hits_per_million;
    ++(hit ? hits_ : misses_);
    return hit ? model_.hit : model_.miss;
  }
  std::uint64_t hits() const { return hits_; }
  std::uint64_t misses() const { return misses_; }

 private:
  LatencyModel model_;
  Rng rng_;
  std::uint64_t hits_ = 0;
  std::uint64_t misses_ = 0;
};

}  // namespace berth
