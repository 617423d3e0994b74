// What a recommendation meets on its way to an instance: head-room for fail-over, a service that
// may only grow, its owner's bounds, the largest machine and the quota. Each that changes something
// says so.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rightsize/recommender.h"

namespace berth {

struct SizeBounds {
  double headroom = 0;     // As a share: what instances must take over from others.
  bool grow_only = false;  // Never below what is asked for now.
  // What its replicas are counted by, where their number follows cpu: see scale/shared_cpu.h.
  std::optional<std::int64_t> counted_by = std::nullopt;
  std::optional<std::int64_t> min = std::nullopt;      // As its owner says,
  std::optional<std::int64_t> max = std::nullopt;      // and
  std::optional<std::int64_t> machine = std::nullopt;  // what the largest machine has.
  std::optional<std::int64_t> quota =
      std::nullopt;  // What the tenant may still ask for, by instance.
};

struct BoundedAdvice {
  SizeAdvice advice;
  std::vector<std::string> notes;  // In the order in which they apply.
};

// `now` is what an instance asks for so far; 0 if it is not known.
BoundedAdvice ApplyBounds(Resource resource, const SizeAdvice& advice, std::int64_t now,
                          const SizeBounds& bounds);

}  // namespace berth
