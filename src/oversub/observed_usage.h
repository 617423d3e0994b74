// What instances were seen to take, by their keys (tenant_amounts.h): the last and the most.
//
// An instance is told from others that had its name before by when it was created.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "berth/resources.h"
#include "berth/time.h"
#include "oversub/demand_trace.h"

namespace berth {

class ObservedUsage {
 public:
  // Of a resource that was not seen, nothing.
  struct Seen {
    PerResource<bool> of;
    Demand last;
    Demand peak;
    PerResource<Time> at;  // Of the last.
    Time created;          // The instance.
  };

  // Of a resource with a negative amount nothing was seen: it is as before.
  void Note(std::uint64_t key, Time created, const Resources& usage, Time at) {
    Note(key, created, usage, usage, at);
  }
  // The same with the most that was seen until then.
  void Note(std::uint64_t key, Time created, const Resources& usage, const Resources& peak,
            Time at);
  // Null: nothing was.
  const Seen* Find(std::uint64_t key, Time created) const;
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
