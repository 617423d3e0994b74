// What changed since: an inventory's machines in the order of their last change.
//
// Each machine stands in it once, at its latest change, so that asking "what changed since p" costs
// what changed, however long ago p was.
#pragma once

#include <cstdint>
#include <vector>

#include "fleet/index.h"

namespace berth {

class Journal {
 public:
  // The number of changes so far; keep it to ask later what came after.
  std::uint64_t position() const { return position_; }

  void Touch(MachineIndex machine);

  // Calls f(MachineIndex) once for every machine touched after `position`, latest first.
  template <typename F>
  void ForEachSince(std::uint64_t position, F&& f) const {
    for (std::uint32_t at = latest_; at != kNone && links_[at].position > position;
         at = links_[at].older) {
      f(MachineIndex{at});
    }
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;
  struct Link {
    std::uint64_t position = 0;  // 0: never touched, not in the list.
    std::uint32_t older = kNone;
    std::uint32_t newer = kNone;
  };
  void Unlink(std::uint32_t at);

  std::vector<Link> links_;
  std::uint32_t latest_ = kNone;
  std::uint64_t position_ = 0;
};

}  // namespace berth
