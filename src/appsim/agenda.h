// The events of a run, and the time that it is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "appsim/event_queue.h"

namespace berth {

enum class AppEventKind : std::uint8_t { kDeadline, kChange, kArrival, kLane, kDone, kNodeDone };

// What happens seldom.
struct AppChange {
  enum class Kind : std::uint8_t {
    kNodeUp,
    kNodeGone,
    kInstanceReady,
    kInstanceGone,
    kStepEnds,
    kDecide,
    kPlanDue,
  };
  Kind kind{};
  std::uint32_t index = 0;
};

// At one time: what times out, then changes of the deployment, the end of a step, a decision, what
// is due of a plan, then the rest; each in the order in which it was put on the agenda.
class Agenda {
 public:
  explicit Agenda(std::int64_t end) : end_(end) {}

  std::int64_t now() const { return now_; }
  std::int64_t end() const { return end_; }
  std::uint64_t NextOrder() { return order_++; }

  void Push(AppEventKind kind, std::uint32_t index, std::int64_t at) {
    PushInOrder(kind, index, at, NextOrder());
  }
  void PushInOrder(AppEventKind kind, std::uint32_t index, std::int64_t at, std::uint64_t order) {
    BERTH_CHECK(index < kIndexMax);
    // What comes after the end never happens, so when it would does not matter.
    queue_.Push({.at = std::min(at, end_ + 1),
                 .order = order,
                 .what = static_cast<std::uint32_t>(kind) << kIndexBits | index});
  }
  void PushDeadline(std::uint32_t index, std::int64_t at) {
    PushInOrder(AppEventKind::kDeadline, index, at, 0);
  }
  void PushChange(AppChange::Kind kind, std::uint32_t index, std::int64_t at) {
    constexpr auto kDeployment = static_cast<std::uint64_t>(AppChange::Kind::kInstanceGone);
    const auto order = std::max(static_cast<std::uint64_t>(kind), kDeployment) - kDeployment + 1;
    PushInOrder(AppEventKind::kChange, static_cast<std::uint32_t>(changes_.size()), at, order);
    changes_.push_back({.kind = kind, .index = index});
  }
  const AppChange& change(std::uint32_t index) const { return changes_[index]; }

  struct Next {
    AppEventKind kind{};
    std::uint32_t index = 0;
  };
  // Takes the next event and turns the clock; false: there is none up to the end.
  bool Take(Next& next) {
    if (queue_.empty()) return false;
    const AppEvent event = queue_.Top();
    if (event.at > end_) return false;
    queue_.Pop();
    now_ = event.at;
    next = {.kind = static_cast<AppEventKind>(event.what >> kIndexBits),
            .index = event.what & (kIndexMax - 1)};
    return true;
  }

 private:
  static constexpr int kIndexBits = 29;
  static constexpr std::uint32_t kIndexMax = std::uint32_t{1} << kIndexBits;
  static constexpr std::uint64_t kFirstOrder = 5;

  EventQueue queue_;
  std::vector<AppChange> changes_;
  std::int64_t now_ = 0;
  std::int64_t end_;
  std::uint64_t order_ = kFirstOrder;
};

}  // namespace berth
