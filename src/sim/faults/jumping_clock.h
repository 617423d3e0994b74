// A clock of one's own over the one virtual time: it may be ahead or behind, and jump.
#pragma once

#include <utility>

#include "berth/executor.h"

namespace berth::faults {

// Outlives everything that was posted.
class JumpingClock final : public Executor {
 public:
  explicit JumpingClock(Executor& true_time) : true_time_(true_time) {}

  Time now() const override { return true_time_.now() + ahead_; }
  void Post(Task task) override { true_time_.Post(std::move(task)); }
  void PostAt(Time at, Task task) override {
    true_time_.PostAt(at - ahead_, [this, at, task = std::move(task)]() mutable {
      // It may have jumped back meanwhile.
      if (now() < at) return PostAt(at, std::move(task));
      task();
    });
  }

  Duration ahead() const { return ahead_; }
  void Jump(Duration by) { ahead_ += by; }

 private:
  Executor& true_time_;
  Duration ahead_{};
};

}  // namespace berth::faults
