// The right to decide what only one process at a time may: a lease in the store, taken when it is
// needed and renewed while it is used. What is decided under it commits only while it is held.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "berth/executor.h"
#include "berth/store.h"
#include "fleet/inventory.h"

namespace berth {

class ControllerLease {
 public:
  static constexpr Duration kLength = std::chrono::seconds(30);

  // `view` is kept up to date on the executor. All of them outlive it.
  ControllerLease(Store& store, Executor& executor, const Inventory& view, std::string name,
                  std::string holder);

  // With the guard for what is decided now; none: another holds it, ask again after `held_until`.
  using Done = std::function<void(std::optional<LeaseGuard>)>;
  void Hold(Done done);
  Time held_until() const;

 private:
  const Lease* Find() const;
  bool IsOurs(const Lease* lease) const;

  Store& store_;
  Executor& executor_;
  const Inventory& view_;
  const std::string name_;
  const std::string holder_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace berth
