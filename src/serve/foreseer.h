// Works out forecasts on a thread of its own, one after the other: neither a decision nor a plan
// waits for somebody who looks at them.
#pragma once

#include <atomic>
#include <functional>

#include "base/thread_executor.h"
#include "berth/status.h"

namespace berth {

class Foreseer {
 public:
  // A fit may take seconds, so few wait; the one that is worked out no longer does.
  static constexpr std::size_t kForecastsWaitMax = 8;

  // From any thread. Unless it is refused, `work` is called once, on the foreseer's own thread, and
  // told whether its turn came in time.
  using Work = std::function<void(const Status& turn)>;
  Status Post(Time deadline, Work work);

  // Turns away all whose turn comes from here on.
  void Close() { closing_ = true; }
  // Waits until all that was to be worked out before is answered; not from its own thread.
  void Flush();

 private:
  Status Turn(Time deadline) const;

  std::atomic<std::size_t> waiting_ = 0;
  std::atomic<bool> closing_ = false;
  ThreadExecutor thread_;  // Last: it uses everything above.
};

}  // namespace berth
