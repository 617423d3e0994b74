#include "serve/commit_stream.h"

#include <utility>

namespace berth {

std::shared_ptr<CommitStream> CommitStream::Open(Zone& zone, Revision from, Tell tell) {
  std::shared_ptr<CommitStream> stream(new CommitStream(zone, std::move(tell)));
  zone.tells().Post([stream, from] {
    if (!stream->tell_) return;  // Ended before it began.
    stream->watch_ = stream->zone_.store().WatchFrom(
        from, stream->zone_.tells(), [weak = std::weak_ptr(stream)](const WatchEvent& event) {
          if (const auto alive = weak.lock()) alive->OnEvent(event);
        });
  });
  return stream;
}

void CommitStream::End() {
  zone_.tells().Post([self = shared_from_this()] {
    self->watch_.reset();
    self->tell_ = nullptr;
  });
}

void CommitStream::Stop() {
  zone_.tells().Post([self = shared_from_this()] {
    self->watch_.reset();
    if (const Tell tell = std::exchange(self->tell_, nullptr)) tell(nullptr);
  });
}

void CommitStream::OnEvent(const WatchEvent& event) {
  if (!tell_) return;
  v1::Commit commit;
  if (event.committed == nullptr) {
    commit.set_compacted(ToNumber(event.compacted));
  } else {
    ToMessage(*event.committed, commit);
  }
  const Tell tell = tell_;  // It may end the stream.
  tell(&commit);
}

}  // namespace berth
