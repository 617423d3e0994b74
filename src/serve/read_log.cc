#include "serve/read_log.h"

#include <memory>

#include "fleet/inventory.h"

namespace berth {
namespace {

// Keeps itself by what the store holds of it, until the log is read.
class LogReader : public std::enable_shared_from_this<LogReader> {
 public:
  LogReader(Zone& zone, std::function<void(Result<RecordedLog>)> done)
      : zone_(zone), done_(std::move(done)) {}

  void Begin() {
    zone_.store().Read(
        zone_.ponders(),
        [self = shared_from_this()](const Result<std::shared_ptr<const Inventory>>& snapshot) {
          if (!snapshot.ok()) return self->done_(snapshot.status());
          self->log_.now = snapshot.value();
          self->From(Revision{});
        });
  }

 private:
  void From(Revision from) {
    if (from >= log_.now->revision()) return done_(std::move(log_));
    watch_ = zone_.store().WatchFrom(
        from, zone_.ponders(),
        [self = shared_from_this()](const WatchEvent& event) { self->OnEvent(event); });
  }

  void OnEvent(const WatchEvent& event) {
    const auto keep = shared_from_this();  // The watch holds the last reference.
    if (event.committed == nullptr) {
      log_.commits.clear();
      return From(event.compacted);
    }
    if (event.committed->revision > log_.now->revision()) return;
    log_.commits.push_back(event.committed);
    if (event.committed->revision < log_.now->revision()) return;
    watch_.reset();
    done_(std::move(log_));
  }

  Zone& zone_;
  const std::function<void(Result<RecordedLog>)> done_;
  RecordedLog log_;
  std::unique_ptr<Watch> watch_;
};

}  // namespace

void ReadLog(Zone& zone, std::function<void(Result<RecordedLog>)> done) {
  zone.ponders().Post([&zone, done = std::move(done)]() mutable {
    std::make_shared<LogReader>(zone, std::move(done))->Begin();
  });
}

}  // namespace berth
