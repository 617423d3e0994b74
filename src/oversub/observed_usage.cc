#include "oversub/observed_usage.h"

namespace berth {

void ObservedUsage::Note(std::uint64_t key, const Demand& usage, Time at) {
  const auto [entry, is_new] = seen_.try_emplace(key, Seen{usage, usage, at});
  if (is_new) return;
  Seen& seen = entry->second;
  seen.peak = Greater(seen.peak, usage);
  if (at < seen.at) return;  // It came late.
  seen.last = usage;
  seen.at = at;
}

const ObservedUsage::Seen* ObservedUsage::Find(std::uint64_t key) const {
  const auto found = seen_.find(key);
  return found == seen_.end() ? nullptr : &found->second;
}

}  // namespace berth
