#include "sim/recorded_log.h"

#include <optional>
#include <utility>

namespace berth {
namespace {

class LogReader {
 public:
  LogReader(StoreBridge& bridge, VirtualExecutor& executor)
      : bridge_(bridge), executor_(executor) {}

  Result<RecordedLog> Read() {
    RecordedLog log;
    BERTH_TRY(log.now, Snapshot());
    // The oldest revision from which the store still tells what came after. There is one: it always
    // tells what comes after the latest.
    std::uint64_t from = 0;
    std::uint64_t reached = ToNumber(log.now->revision());
    while (from < reached) {
      const std::uint64_t middle = from + (reached - from) / 2;
      if (ReachesBackTo(Revision{middle})) {
        reached = middle;
      } else {
        from = middle + 1;
      }
    }
    const std::unique_ptr<Watch> watch =
        bridge_.WatchFrom(Revision{reached}, executor_, [&](const WatchEvent& event) {
          if (event.committed != nullptr) log.commits.push_back(event.committed);
        });
    BERTH_TRY(log.now, Snapshot());  // Comes after all events up to it.
    return log;
  }

 private:
  Result<std::shared_ptr<const Inventory>> Snapshot() {
    Result<std::shared_ptr<const Inventory>> answer =
        Status(Code::kInternal, "the store did not answer");
    bridge_.Read(executor_,
                 [&](Result<std::shared_ptr<const Inventory>> read) { answer = std::move(read); });
    bridge_.Settle();
    return answer;
  }

  bool ReachesBackTo(Revision from) {
    bool reaches = true;
    std::unique_ptr<Watch> watch;
    watch = bridge_.WatchFrom(from, executor_, [&](const WatchEvent& event) {
      reaches = event.committed != nullptr;
      watch.reset();  // The first event says it; the rest need not be sent.
    });
    const DecisionId nobody;
    bridge_.ReadDecision(nobody, executor_, [](const Result<Decision>&) {});
    bridge_.Settle();  // An answer, whatever it is, comes after the event.
    return reaches;
  }

  StoreBridge& bridge_;
  VirtualExecutor& executor_;
};

}  // namespace

Result<RecordedLog> ReadRecordedLog(StoreBridge& bridge, VirtualExecutor& executor) {
  return LogReader(bridge, executor).Read();
}

}  // namespace berth
