// When records went, so that a change made before that does not bring them back unseen.
//
// Bounded: of what went long ago only the latest revision is kept, and any record that is not there
// may have gone as late as that. A view so old conflicts, reads again and is right the next time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <utility>

#include "berth/records.h"

namespace berth {

inline constexpr std::size_t kRemovalsMax = 65'536;

class Removals {
 public:
  explicit Removals(std::size_t most = kRemovalsMax) : most_(most) {}

  void Add(const RecordKey& key, Revision revision);
  // The record is back.
  void Erase(const RecordKey& key) { at_.erase(key); }
  // Whatever went at this revision or before is no longer known one by one.
  void Forget(Revision revision) { forgotten_ = std::max(forgotten_, revision); }
  // When a record that is not there went, at the latest.
  Revision When(const RecordKey& key) const;

 private:
  std::size_t most_;
  std::map<RecordKey, Revision> at_;
  std::deque<std::pair<RecordKey, Revision>> in_order_;  // Those that came back included.
  Revision forgotten_{};
};

}  // namespace berth
