#include "serve/commit_stream.h"

#include <utility>

namespace berth {

std::shared_ptr<CommitStream> CommitStream::Open(Zone& zone, Revision from, Tell tell) {
  std::shared_ptr<CommitStream> stream(new CommitStream(zone, from, std::move(tell)));
  zone.tells().Post([stream] {
    if (stream->tell_) stream->Follow();  // Otherwise it ended before it began.
  });
  return stream;
}

void CommitStream::Follow() {
  watch_ = zone_.store().WatchFrom(last_, zone_.tells(),
                                   [weak = weak_from_this()](const WatchEvent& event) {
                                     if (const auto alive = weak.lock()) alive->OnEvent(event);
                                   });
}

void CommitStream::Resume() {
  zone_.tells().Post([self = shared_from_this()] {
    if (!self->tell_ || !std::exchange(self->paused_, false)) return;
    self->Follow();
  });
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
    if (const Tell tell = std::exchange(self->tell_, nullptr)) tell({.end = Stopping()});
  });
}

void CommitStream::OnEvent(const WatchEvent& event) {
  if (!tell_ || paused_) return;
  v1::Commit commit;
  News news{.message = &commit};
  if (event.committed == nullptr) {
    commit.set_compacted(ToNumber(event.compacted));
    news.end = {Code::kOutOfRange,
                "the log no longer reaches back that far; read everything anew, then watch from "
                "the revision that `compacted` says"};
  } else {
    last_ = event.committed->revision;
    news.id = ToNumber(last_);
    ToMessage(*event.committed, commit);
  }
  const Tell tell = tell_;  // It may end the stream.
  if (tell(news) == Reader::kFull) Pause();
}

// Not within the watch's own call: it ends only once that has returned.
void CommitStream::Pause() {
  paused_ = true;
  zone_.tells().Post([self = shared_from_this()] {
    if (self->paused_) self->watch_.reset();
  });
}

}  // namespace berth
