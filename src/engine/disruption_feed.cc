#include "engine/disruption_feed.h"

#include <algorithm>

namespace berth {

void DisruptionFeed::Follow(Revision now) {
  if (!ledger_.policy().limits()) {
    watch_.reset();
    ledger_.Clear();
    return;
  }
  if (watch_ != nullptr) return;
  const std::uint64_t newest = ToNumber(now);
  WatchFrom(Revision{newest - std::min(newest, kRevisionsBack)});
}

void DisruptionFeed::WatchFrom(Revision from) {
  known_ = from;
  watch_ = store_.WatchFrom(from, executor_, [this](const WatchEvent& event) { OnEvent(event); });
}

void DisruptionFeed::OnEvent(const WatchEvent& event) {
  if (event.committed == nullptr) {
    // The log begins later than that; what is in it counts.
    executor_.Post([this, from = event.compacted, alive = std::weak_ptr<bool>(alive_)] {
      if (!alive.expired()) WatchFrom(from);
    });
    return;
  }
  const Committed& committed = *event.committed;
  known_ = committed.revision;
  for (const Update& update : committed.updates) {
    if (update.key.kind != RecordKind::kDecision || !update.record) continue;
    ledger_.Note(std::get<Decision>(*update.record), committed.revision);
  }
}

}  // namespace berth
