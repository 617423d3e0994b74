// The stores that OpenStore knows, and what they keep.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "berth/open_store.h"
#include "berth/store.h"
#include "store/contents.h"
#include "store/observations.h"

namespace berth {

struct StoreKind {
  std::string_view name;   // Before the colon.
  std::string_view usage;  // How it is written; with a colon, something must follow it.
  std::string_view about;
  Result<std::unique_ptr<Store>> (*open)(std::string_view where, const StoreOptions& options);
  std::unique_ptr<StoreContents> (*contents)(std::string_view where);
  Result<std::unique_ptr<Observations>> (*observations)(std::string_view where);

  // One that is given a place still knows everything when it is opened there again.
  bool TakesPlace() const { return usage.size() > name.size(); }
};

// Every store there is, as stores/stores.def lists them.
std::span<const StoreKind> StoreKinds();

// The observations that belong to the store of that name.
Result<std::unique_ptr<Observations>> OpenObservations(std::string_view where);

// What the store of that name keeps, without opening it.
Result<std::unique_ptr<StoreContents>> ContentsOf(std::string_view where);

}  // namespace berth
