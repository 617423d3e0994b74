#include "serve/paced_stream.h"

#include <utility>

namespace berth {

using google::protobuf::Message;

std::shared_ptr<PacedStream> PacedStream::Open(Zone& zone, Duration pace, Next next, Tell tell) {
  std::shared_ptr<PacedStream> stream(
      new PacedStream(zone, pace, std::move(next), std::move(tell)));
  zone.tells().Post([stream] { stream->Ask(); });
  return stream;
}

void PacedStream::Ask() {
  if (!tell_) return;
  zone_.decides().Post([weak = weak_from_this()] {
    const auto self = weak.lock();
    if (self == nullptr || !self->zone_.decides_still()) return;
    self->zone_.tells().Post([weak, message = self->next_(self->zone_)] {
      if (const auto alive = weak.lock()) alive->OnNext(message);
    });
  });
}

void PacedStream::OnNext(const std::shared_ptr<const Message>& message) {
  if (!tell_) return;
  const Tell tell = tell_;  // It may end the stream.
  if (message != nullptr && tell({.message = message.get()}) == Reader::kFull) {
    paused_ = true;
    return;
  }
  zone_.tells().PostAt(zone_.tells().now() + pace_, [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->Ask();
  });
}

void PacedStream::Resume() {
  zone_.tells().Post([self = shared_from_this()] {
    if (std::exchange(self->paused_, false)) self->Ask();
  });
}

void PacedStream::End() {
  zone_.tells().Post([self = shared_from_this()] { self->tell_ = nullptr; });
}

void PacedStream::Stop() {
  zone_.tells().Post([self = shared_from_this()] {
    if (const Tell tell = std::exchange(self->tell_, nullptr)) tell({.end = Stopping()});
  });
}

}  // namespace berth
