// What the watch brought and the committer has not taken yet. Bounded: when the committer is held
// up for long, what came is dropped and it reads the log itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace berth {

// A key that was written, and by which of etcd's revisions.
struct Written {
  std::string key;
  std::string value;
  std::int64_t at = 0;
};

class Arrivals {
 public:
  explicit Arrivals(std::size_t bytes_max) : bytes_max_(bytes_max) {}

  // True: nothing waited before, so the committer must be woken.
  bool Push(std::vector<Written> written);
  // Something may have been missed.
  bool PushGap();

  struct Taken {
    std::vector<Written> written;
    bool gap = false;  // Before or among them.
  };
  Taken Take();

 private:
  const std::size_t bytes_max_;
  std::mutex mutex_;
  Taken waiting_;
  std::size_t bytes_ = 0;
};

}  // namespace berth
