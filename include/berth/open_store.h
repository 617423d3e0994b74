// Opens a store by its name: "memory", "rocksdb:DIR". `berth list stores` lists them.
#pragma once

#include <memory>
#include <string_view>

#include "berth/store.h"

namespace berth {

struct StoreOptions {
  LogRetention retention;
};

// A place that holds no store yet gets one.
Result<std::unique_ptr<Store>> OpenStore(std::string_view where, const StoreOptions& options = {});

}  // namespace berth
