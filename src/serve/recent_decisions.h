// The latest decisions of all agents, kept in memory to be listed.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>

#include "berth/store.h"

namespace berth {

class RecentDecisions {
 public:
  static constexpr std::size_t kKept = 10'000;

  struct Entry {
    Revision revision{};
    Decision decision;
  };

  // Follows the log from some way back. All calls, and the store's, on the executor's thread.
  void Follow(Store& store, Executor& executor, Revision now);
  void Stop() { watch_.reset(); }

  // The oldest first.
  const std::deque<Entry>& entries() const { return entries_; }

 private:
  void OnEvent(const WatchEvent& event, Store& store, Executor& executor);

  std::deque<Entry> entries_;
  std::unique_ptr<Watch> watch_;
};

}  // namespace berth
