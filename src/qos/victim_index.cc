#include "qos/victim_index.h"

#include <algorithm>

#include "berth/check.h"

namespace berth {

void VictimIndex::AddHost(HostIndex host) {
  on_hosts_.resize(std::max(on_hosts_.size(), (ToNumber(host) + 1) * classes_));
  most_.resize(on_hosts_.size(), kNobody);
}

void VictimIndex::NoteTop(HostIndex host, std::size_t klass) {
  const std::vector<RunningEntry>& running = Of(host, klass).running;
  most_[PlaceOf(host, klass)] = running.empty() ? kNobody : running.front().key;
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
  NoteTop(host, klass);
  on_host.held += entry.demand;
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
  NoteTop(host, klass);
  on_host.held -= entry.demand;
}

}  // namespace berth
