// News that are looked up on the deciding thread, at a pace: however much happens in between, what
// came of it is told once.
#pragma once

#include <functional>
#include <memory>

#include "serve/news_stream.h"

namespace berth {

class PacedStream final : public NewsStream, public std::enable_shared_from_this<PacedStream> {
 public:
  // Asked on the thread that decides; null: there is nothing to tell.
  using Next = std::function<std::shared_ptr<const google::protobuf::Message>(Zone& zone)>;

  static std::shared_ptr<PacedStream> Open(Zone& zone, Duration pace, Next next, Tell tell);

  void Resume() override;
  void End() override;
  void Stop() override;

 private:
  PacedStream(Zone& zone, Duration pace, Next next, Tell tell)
      : zone_(zone), pace_(pace), next_(std::move(next)), tell_(std::move(tell)) {}
  // On the telling thread, both.
  void Ask();
  void OnNext(const std::shared_ptr<const google::protobuf::Message>& message);

  Zone& zone_;
  const Duration pace_;
  const Next next_;
  // The telling thread's.
  Tell tell_;
  bool paused_ = false;
};

}  // namespace berth
