// Who watches a store: hands each of them every revision after the one they asked for, in order.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "berth/store.h"
#include "store/feed.h"

namespace berth {

// Not thread-safe: the store calls it under its own lock. Ended watches may end on any thread.
class Watchers {
 public:
  // `backlog` is every revision after `from` that exists; with a gap before it, `compacted_at` is
  // the revision to read a snapshot at instead.
  std::unique_ptr<Watch> Add(Executor& reply_on, Store::OnEvent on_event,
                             std::span<const std::shared_ptr<const Committed>> backlog);
  // Tells a would-be watcher that the log no longer reaches back; it gets nothing more.
  static std::unique_ptr<Watch> Compacted(Executor& reply_on, Store::OnEvent on_event,
                                          Revision snapshot);
  void Publish(const std::shared_ptr<const Committed>& committed);

 private:
  static void Send(const std::shared_ptr<Watching>& watching, WatchEvent event);

  std::vector<std::shared_ptr<Watching>> watchings_;
};

}  // namespace berth
