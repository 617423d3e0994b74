// At most so many calls a second from one caller, with a second's worth at once.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "berth/time.h"

namespace berth {

class RateLimit {
 public:
  // 0: no limit.
  explicit RateLimit(std::uint32_t per_second) : per_second_(per_second) {}

  // Whether one more call of theirs may come now; counts it if so. From any thread.
  bool Take(const std::string& caller, Time now);

 private:
  struct Bucket {
    std::int64_t micros = 0;  // Worth of calls that may come at once; a call takes 1s/per_second.
    Time filled;
  };

  const std::int64_t per_second_;
  std::mutex mutex_;
  std::map<std::string, Bucket, std::less<>> buckets_;  // As many as there are tokens.
};

}  // namespace berth
