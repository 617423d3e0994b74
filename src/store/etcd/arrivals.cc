#include "store/etcd/arrivals.h"

#include <iterator>
#include <utility>

namespace berth {

bool Arrivals::Push(std::vector<Written> written) {
  if (written.empty()) return false;
  const std::lock_guard lock(mutex_);
  const bool first = waiting_.written.empty() && !waiting_.gap;
  for (const Written& each : written) bytes_ += each.key.size() + each.value.size();
  if (bytes_ > bytes_max_) {
    waiting_ = {.written = {}, .gap = true};
    bytes_ = 0;
    return first;
  }
  waiting_.written.insert(waiting_.written.end(), std::make_move_iterator(written.begin()),
                          std::make_move_iterator(written.end()));
  return first;
}

bool Arrivals::PushGap() {
  const std::lock_guard lock(mutex_);
  const bool first = waiting_.written.empty() && !waiting_.gap;
  waiting_.gap = true;
  return first;
}

Arrivals::Taken Arrivals::Take() {
  const std::lock_guard lock(mutex_);
  bytes_ = 0;
  return std::exchange(waiting_, {});
}

}  // namespace berth
