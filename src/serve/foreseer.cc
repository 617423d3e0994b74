#include "serve/foreseer.h"

#include <fmt/format.h>

#include <utility>

#include "base/run_on.h"

namespace berth {

Status Foreseer::Post(Time deadline, Work work) {
  if (waiting_.fetch_add(1) >= kForecastsWaitMax) {
    --waiting_;
    return {Code::kResourceExhausted,
            fmt::format("{} forecasts wait already; ask for one after the other, or again in some "
                        "seconds",
                        kForecastsWaitMax)};
  }
  thread_.Post([this, deadline, work = std::move(work)] {
    --waiting_;
    work(Turn(deadline));
  });
  return {};
}

Status Foreseer::Turn(Time deadline) const {
  if (closing_) {
    return {Code::kUnavailable, "this server is stopping; ask another, or again in a moment"};
  }
  if (thread_.now() > deadline) {
    return {Code::kDeadlineExceeded,
            "the deadline passed before the forecast's turn came; nothing was done"};
  }
  return {};
}

void Foreseer::Flush() {
  RunOn(thread_, [] {});
}

}  // namespace berth
