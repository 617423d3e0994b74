// Opens a store by its name: "memory", "rocksdb:DIR", "etcd:HOST:PORT/PREFIX". `berth list stores`
// lists them.
#pragma once

#include <memory>
#include <string_view>

#include "berth/store.h"

namespace berth {

struct StoreOptions {
  LogRetention retention;
  bool must_exist = false;  // kNotFound where a place holds no store; otherwise it gets one.
};

Result<std::unique_ptr<Store>> OpenStore(std::string_view where, const StoreOptions& options = {});

}  // namespace berth
