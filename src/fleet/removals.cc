#include "fleet/removals.h"

#include <algorithm>

namespace berth {

void Removals::Add(const RecordKey& key, Revision revision) {
  at_[key] = revision;
  in_order_.emplace_back(key, revision);
  if (in_order_.size() <= most_) return;
  const auto& [oldest, when] = in_order_.front();
  if (const auto at = at_.find(oldest); at != at_.end() && at->second == when) {
    forgotten_ = std::max(forgotten_, when);
    at_.erase(at);
  }
  in_order_.pop_front();
}

Revision Removals::When(const RecordKey& key) const {
  const auto at = at_.find(key);
  return at == at_.end() ? forgotten_ : at->second;
}

}  // namespace berth
