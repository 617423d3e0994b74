// Seconds of this thread on a core, so that what else runs does not count.
#pragma once

#include <ctime>

namespace berth {

class CpuWatch {
 public:
  double seconds() const { return Now() - begin_; }

 private:
  static double Now() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
  }

  double begin_ = Now();
};

}  // namespace berth
