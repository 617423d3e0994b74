// Who is owed what: watch events and replies, each executor's in the one right order.
//
// A watch that asks for old revisions gets them from the log, a few at a time and no faster than
// its executor takes them, so that neither memory nor commits suffer from a long way back. Until it
// has caught up, everything else for the same executor waits behind it: a reply never overtakes an
// event up to its revision.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <variant>
#include <vector>

#include "berth/store.h"

namespace berth {

// One watch. Its owner ends it on any thread; everything else is the feed's.
struct Watching {
  Watching(Executor& executor, Store::OnEvent callback)
      : reply_on(executor), on_event(std::move(callback)) {}

  Executor& reply_on;
  const Store::OnEvent on_event;
  std::atomic<bool> alive{true};
  bool ended = false;  // It was told `compacted`; nothing more is owed. The feed's thread only.
};
std::unique_ptr<Watch> EndsWhenDestroyed(std::shared_ptr<Watching> watching);

// All calls from one thread.
class Feed {
 public:
  using ReadLog = std::function<Result<std::shared_ptr<const Committed>>(Revision)>;
  // Called on an executor's thread when it has taken what it was sent: have Advance called for it.
  using Taken = std::function<void(Executor&)>;

  Feed(Revision published, ReadLog read_log, Taken taken);

  // `log_start` is the oldest revision that the log holds.
  void Add(const std::shared_ptr<Watching>& watching, Revision from, Revision log_start);
  void Publish(const std::shared_ptr<const Committed>& committed);
  // The state jumped to this revision and nobody knows the way there: everyone reads a snapshot.
  void Restart(Revision published);
  void Send(Executor& executor, Executor::Task task);
  void Advance(Executor& executor);
  // Sends all that is still owed, whether taken or not.
  void Finish();

 private:
  struct Event {
    std::shared_ptr<Watching> watching;
    WatchEvent event;
  };
  struct CatchUp {
    std::shared_ptr<Watching> watching;
    Revision next{};
    Revision last{};
  };
  using Item = std::variant<Executor::Task, Event, CatchUp>;
  using Lane = std::deque<Item>;  // What waits behind a watch that catches up, itself included.

  void Deliver(Executor& executor, Item item);
  static void PostEvent(const Event& event);
  // How many events it sent; 0 when there is nothing more to catch up with.
  std::size_t Step(CatchUp& catch_up, std::size_t budget);
  void Drain(Executor& executor, Lane& lane, std::size_t budget);

  Revision published_;
  const ReadLog read_log_;
  const Taken taken_;
  std::vector<std::shared_ptr<Watching>> watchings_;
  std::map<Executor*, Lane> lanes_;  // Looked up, never walked where order could show.
};

}  // namespace berth
