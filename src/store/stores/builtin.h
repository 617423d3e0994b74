// Declares the factory of every store in stores.def; each store's .cc includes it.
#pragma once

#include <memory>
#include <string_view>

#include "berth/store.h"
#include "store/open.h"

namespace berth {

#define BERTH_STORE(file, factory, contents, observations, usage, about)                       \
  Result<std::unique_ptr<Store>> factory(std::string_view where, const StoreOptions& options); \
  std::unique_ptr<StoreContents> contents(std::string_view where);                             \
  Result<std::unique_ptr<Observations>> observations(std::string_view where);
#include "store/stores/stores.def"
#undef BERTH_STORE

}  // namespace berth
