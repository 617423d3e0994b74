// One client that follows the log.
#pragma once

#include <memory>

#include "serve/messages.h"
#include "serve/news_stream.h"

namespace berth {

// What a reader that is full has not taken stays in the log.
class CommitStream final : public NewsStream, public std::enable_shared_from_this<CommitStream> {
 public:
  // Every commit after `from`, until it is ended.
  static std::shared_ptr<CommitStream> Open(Zone& zone, Revision from, Tell tell);

  void Resume() override;
  void End() override;
  void Stop() override;

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
