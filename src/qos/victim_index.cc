#include "qos/victim_index.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {

void VictimIndex::AddHost(HostIndex host) {
  on_hosts_.resize(std::max(on_hosts_.size(), (ToNumber(host) + 1) * classes_));
  in_short_.resize(on_hosts_.size());
}

void VictimIndex::Shorten(HostIndex host, std::size_t klass) {
  const ClassOnHost& on_host = Of(host, klass);
  ClassInShort& in_short = in_short_[PlaceOf(host, klass)];
  in_short = {.cpu = on_host.held[Resource::kCpu], .memory = on_host.held[Resource::kMemory]};
  if (on_host.running.empty()) return;
  const RunningEntry& first = on_host.running.front();
  in_short.first = first.key;
  in_short.first_cpu = first.demand[Resource::kCpu];
  in_short.first_memory = first.demand[Resource::kMemory];
  if (on_host.running.size() > 1) in_short.second = on_host.running[1].key;
}

void VictimIndex::Insert(HostIndex host, std::uint32_t klass, const RunningEntry& entry) {
  ClassOnHost& on_host = on_hosts_[PlaceOf(host, klass)];
  std::vector<RunningEntry>& running = on_host.running;
  const auto at = std::ranges::upper_bound(running, entry, std::less<>());
  if (at == running.begin()) {
    if (!running.empty()) tops_[klass].erase({running.front().key, host});
    tops_[klass].insert({entry.key, host});
  }
  running.insert(at, entry);
  on_host.held += entry.demand;
  Shorten(host, klass);
}

void VictimIndex::Erase(HostIndex host, std::uint32_t klass, const RunningEntry& entry) {
  ClassOnHost& on_host = on_hosts_[PlaceOf(host, klass)];
  std::vector<RunningEntry>& running = on_host.running;
  const auto at = std::ranges::lower_bound(running, entry, std::less<>());
  BERTH_CHECK(at != running.end() && at->request == entry.request);
  if (at == running.begin()) {
    tops_[klass].erase({at->key, host});
    if (running.size() > 1) tops_[klass].insert({running[1].key, host});
  }
  running.erase(at);
  on_host.held -= entry.demand;
  Shorten(host, klass);
}

}  // namespace berth
