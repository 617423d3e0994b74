// When each call should have been sent and was answered.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

#include "bench/serve/load.h"

namespace berth {

class Latencies {
 public:
  using Clock = std::chrono::steady_clock;

  explicit Latencies(const CallLoad& load) : load_(load), start_(Clock::now()) {
    millis_.reserve(load.calls);
  }

  bool done() const { return answered_ == load_.calls; }
  bool all_sent() const { return sent_ == load_.calls; }
  // When the next call is to be sent: a late client does not make a server look fast.
  Clock::time_point NextAt() const {
    if (load_.per_second == 0) return Clock::now();
    const std::chrono::duration<double> after(static_cast<double>(sent_) / load_.per_second);
    return start_ + std::chrono::duration_cast<Clock::duration>(after);
  }
  std::size_t Send() { return sent_++; }
  void Answer(Clock::time_point meant_at, bool ok) {
    ++answered_;
    failed_ += ok ? 0 : 1;
    millis_.push_back(std::chrono::duration<double, std::milli>(Clock::now() - meant_at).count());
  }

  Served Result() {
    std::ranges::sort(millis_);
    const std::chrono::duration<double> took = Clock::now() - start_;
    return {.rate = static_cast<double>(answered_) / took.count(),
            .p50_ms = millis_[millis_.size() / 2],
            .p99_ms = millis_[millis_.size() * 99 / 100],
            .failed = failed_};
  }

 private:
  const CallLoad load_;
  const Clock::time_point start_;
  std::size_t sent_ = 0;
  std::size_t answered_ = 0;
  std::size_t failed_ = 0;
  std::vector<double> millis_;
};

}  // namespace berth
