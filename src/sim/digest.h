// The unseed: a number over every decision of a run. Two runs of one seed that end on different
// numbers were not deterministic.
#pragma once

#include <cstdint>
#include <string_view>

#include "berth/decision.h"

namespace berth {

class Digest {
 public:
  void Add(const Decision& decision);
  void Add(std::uint64_t number);
  void Add(std::string_view text);

  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ULL;  // FNV-1a: stable, unlike std::hash.
};

}  // namespace berth
