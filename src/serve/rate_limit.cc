#include "serve/rate_limit.h"

#include <algorithm>

namespace berth {

bool RateLimit::Take(const std::string& caller, Time now) {
  if (per_second_ == 0) return true;
  constexpr std::int64_t kSecond = 1'000'000;
  const std::int64_t cost = kSecond / per_second_;
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = buckets_.try_emplace(caller, Bucket{kSecond, now});
  Bucket& bucket = at->second;
  // A clock that was set back adds nothing.
  const std::int64_t passed = std::max<std::int64_t>((now - bucket.filled).count(), 0);
  bucket.micros = std::min(kSecond, bucket.micros + std::min(passed, kSecond));
  bucket.filled = now;
  if (bucket.micros < cost) return false;
  bucket.micros -= cost;
  return true;
}

}  // namespace berth
