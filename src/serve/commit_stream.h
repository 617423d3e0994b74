// One client that follows the log.
#pragma once

#include <functional>
#include <memory>

#include "serve/messages.h"
#include "serve/zone.h"

namespace berth {

class CommitStream : public std::enable_shared_from_this<CommitStream> {
 public:
  enum class Reader : std::uint8_t { kReady, kFull };
  // Told on the zone's telling thread. After one that says `compacted` nothing more comes; none at
  // all, null, says that the server is about to stop. A reader that is full is told no more until
  // Resume: what it has not taken stays in the log.
  using Tell = std::function<Reader(const v1::Commit* commit)>;

  // Every commit after `from`, until it is ended.
  static std::shared_ptr<CommitStream> Open(Zone& zone, Revision from, Tell tell);
  CommitStream(const CommitStream&) = delete;
  CommitStream& operator=(const CommitStream&) = delete;

  // From any thread, all of them.
  void Resume();
  // A few more may be told while it takes effect. Lets go of who is told.
  void End();
  // Says that the server stops, and ends.
  void Stop();

 private:
  CommitStream(Zone& zone, Revision from, Tell tell)
      : zone_(zone), last_(from), tell_(std::move(tell)) {}
  void Follow();
  void OnEvent(const WatchEvent& event);
  void Pause();

  Zone& zone_;
  // The telling thread's.
  Revision last_;  // That was told.
  Tell tell_;
  std::unique_ptr<Watch> watch_;
  bool paused_ = false;
};

}  // namespace berth
