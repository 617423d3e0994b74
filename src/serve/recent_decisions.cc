#include "serve/recent_decisions.h"

#include <algorithm>

namespace berth {

void RecentDecisions::Follow(Store& store, Executor& executor, Revision now) {
  const Revision from{ToNumber(now) - std::min<std::uint64_t>(ToNumber(now), kKept)};
  watch_ = store.WatchFrom(from, executor, [this, &store, &executor](const WatchEvent& event) {
    OnEvent(event, store, executor);
  });
}

void RecentDecisions::OnEvent(const WatchEvent& event, Store& store, Executor& executor) {
  if (event.committed == nullptr) {
    // The log begins later: whatever it holds from there on will do.
    const Revision from = event.compacted;
    watch_ = store.WatchFrom(from, executor, [this, &store, &executor](const WatchEvent& next) {
      OnEvent(next, store, executor);
    });
    return;
  }
  for (const Update& update : event.committed->updates) {
    if (update.key.kind != RecordKind::kDecision || !update.record) continue;
    entries_.push_back({event.committed->revision, std::get<Decision>(*update.record)});
    if (entries_.size() > kKept) entries_.pop_front();
  }
}

}  // namespace berth
