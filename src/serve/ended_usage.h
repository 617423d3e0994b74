// Drops what is kept of the usage of instances once they end.
#pragma once

#include <memory>

#include "berth/store.h"
#include "serve/observer.h"

namespace berth {

class EndedUsage {
 public:
  // Follows the log from here on. All calls, and the store's, on the executor's thread.
  void Follow(Store& store, Executor& executor, Observer& observer, Revision from);
  void Stop() { watch_.reset(); }

 private:
  std::unique_ptr<Watch> watch_;
};

}  // namespace berth
