// What instances were seen to take, by their keys (tenant_amounts.h): the last and the most.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "berth/resources.h"
#include "berth/time.h"
#include "oversub/demand_trace.h"

namespace berth {

class ObservedUsage {
 public:
  struct Seen {
    Demand last;
    Demand peak;
    Time at;  // Of the last.
  };

  // Of a resource with a negative amount nothing was seen: it is as before.
  void Note(std::uint64_t key, const Resources& usage, Time at);
  // Null: nothing was.
  const Seen* Find(std::uint64_t key) const;
  std::size_t size() const { return seen_.size(); }

  // Forgets those of which is_gone(key).
  template <typename F>
  void Forget(F&& is_gone) {
    std::erase_if(seen_, [&](const auto& entry) { return is_gone(entry.first); });
  }

 private:
  std::unordered_map<std::uint64_t, Seen> seen_;
};

}  // namespace berth
