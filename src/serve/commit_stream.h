// One client that follows the log.
#pragma once

#include <functional>
#include <memory>

#include "serve/messages.h"
#include "serve/zone.h"

namespace berth {

class CommitStream : public std::enable_shared_from_this<CommitStream> {
 public:
  // Told on the zone's telling thread. After one that says `compacted` nothing more comes; none at
  // all, null, says that the server is about to stop.
  using Tell = std::function<void(const v1::Commit* commit)>;

  // Every commit after `from`, until it is ended.
  static std::shared_ptr<CommitStream> Open(Zone& zone, Revision from, Tell tell);
  CommitStream(const CommitStream&) = delete;
  CommitStream& operator=(const CommitStream&) = delete;

  // From any thread; a few more may be told while it takes effect. Lets go of who is told.
  void End();
  // Says that the server stops, and ends.
  void Stop();

 private:
  CommitStream(Zone& zone, Tell tell) : zone_(zone), tell_(std::move(tell)) {}
  void OnEvent(const WatchEvent& event);

  Zone& zone_;
  // The telling thread's, both.
  Tell tell_;
  std::unique_ptr<Watch> watch_;
};

}  // namespace berth
