// How long something takes in the real world: for threads that wait for a disk or a server and say
// so in metrics. What decides is handed an Executor and has no use for it.
#pragma once

#include <chrono>

#include "berth/time.h"

namespace berth {

class Stopwatch {
 public:
  Duration elapsed() const {
    return std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now() - begin_);
  }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

}  // namespace berth
