// What a recommendation meets on its way to an instance: head-room for fail-over, a kill that one
// sample among many would not show, a service that may only grow, its owner's bounds, the largest
// machine and the quota. Each that changes something says so. Memory is rounded up to whole MiB
// before it meets them, so that a limit reads well and does not flutter.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rightsize/recommender.h"

namespace berth {

struct SizeBounds {
  double headroom = 0;  // As a share: what instances must take over from others.
  // What it had when it was killed for want of memory, of late: it needs a fifth more at least.
  std::optional<std::int64_t> killed_with = std::nullopt;
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
  bool cut = false;                // Something gave it less than is recommended.
};

// `now` is what an instance asks for so far; 0 if it is not known.
BoundedAdvice ApplyBounds(Resource resource, const SizeAdvice& advice, std::int64_t now,
                          const SizeBounds& bounds);

}  // namespace berth
