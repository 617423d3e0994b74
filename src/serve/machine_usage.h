// What the instances of each machine were last seen to take, and which machines that changed.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "berth/engine.h"
#include "fleet/inventory.h"

namespace berth {

class MachineUsage {
 public:
  // Of an instance that the view has; of a resource that was not seen it is less than nothing.
  void Note(const Inventory& view, const InstanceId& id, const Resources& usage, Time at);

  // The sum over those on the machine that were seen. Of a resource that none of them was seen to
  // take it is less than nothing, unless nobody is there.
  Resources On(const Inventory& view, MachineIndex machine) const;

  // The number of changes so far; keep it to ask later what came after.
  std::uint64_t position() const { return position_; }
  template <typename F>
  void ForEachSince(std::uint64_t position, F&& f) const {
    touched_.ForEachSince(position, latest_, [&](std::uint32_t at) { f(MachineIndex{at}); });
  }

 private:
  struct Seen {
    Resources usage = NothingObserved();
    std::array<Time, kResourceCount> at{};
  };
  static std::uint64_t KeyOf(ServiceIndex service, std::uint32_t number) {
    return std::uint64_t{At(service)} << 32 | number;
  }

  // Places of services are used again: what is older than an instance is not of it.
  std::unordered_map<std::uint64_t, Seen> seen_;
  Recency touched_;
  std::uint32_t latest_ = Recency::kNone;
  std::uint64_t position_ = 0;
};

}  // namespace berth
