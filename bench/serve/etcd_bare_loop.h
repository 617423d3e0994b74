// etcd with no store before it: the rate that a store over it is measured against.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

namespace berth {

// What is written, by the same stub as the store's and beside one watcher, as the store has one.
struct BareLoop {
  std::size_t in_flight = 1;  // A transaction that is answered is followed by the next.
  std::size_t puts = 1;       // In each, all of other keys than before but the first,
  std::size_t watched = 1;    // so many of them where the watcher looks,
  std::size_t bytes = 0;      // and so many in all.
};

double BareTransactionsPerSecond(const std::string& endpoint, const BareLoop& loop,
                                 std::chrono::milliseconds length);

}  // namespace berth
