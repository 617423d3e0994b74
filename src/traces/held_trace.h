// A trace that is read whole before its first arrival: for formats whose rows are not in the order
// of time, or where what belongs together is apart.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "traces/trace.h"

namespace berth {

class HeldTrace final : public Trace {
 public:
  // `arrivals` in any order; those of one time stay in theirs. Time starts with the first.
  HeldTrace(std::vector<Arrival> arrivals, std::vector<InstanceType> types, TraceNotes notes)
      : arrivals_(std::move(arrivals)), types_(std::move(types)), notes_(std::move(notes)) {
    std::ranges::stable_sort(arrivals_, {}, &Arrival::at);
    if (!arrivals_.empty()) start_ = arrivals_.front().at;
  }

  Result<std::optional<Arrival>> Next() override {
    if (next_ == arrivals_.size()) return std::optional<Arrival>();
    Arrival arrival = std::move(arrivals_[next_++]);
    arrival.at = Time(arrival.at - start_);
    return std::optional(std::move(arrival));
  }

  std::vector<InstanceType> Types() const override { return types_; }
  TraceNotes Notes() const override { return notes_; }

 private:
  std::vector<Arrival> arrivals_;
  std::vector<InstanceType> types_;
  TraceNotes notes_;
  Time start_;
  std::size_t next_ = 0;
};

}  // namespace berth
