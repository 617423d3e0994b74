// Commits under load: several in flight, from a view that follows the store, as agents do it.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "berth/store.h"
#include "fleet/inventory.h"
#include "random_changes.h"
#include "support.h"

namespace berth {

class Load {
 public:
  using OnAcknowledged = std::function<void(const DecisionId& id, Revision revision)>;

  Load(Store& store, std::uint64_t seed, const std::string& agent, OnAcknowledged on_acknowledged);

  // Keeps so many commits waiting until `commits` were answered or one failed. False: it failed.
  bool Run(std::size_t commits, std::size_t in_flight);
  const Status& failure() const { return failure_; }

 private:
  void CommitOne();

  Store& store_;
  const std::string agent_;
  const OnAcknowledged on_acknowledged_;
  RandomChanges changes_;
  Mailbox mailbox_;
  Inventory view_;
  std::unique_ptr<Watch> watch_;
  std::size_t waiting_ = 0;
  std::size_t answered_ = 0;
  Status failure_;
};

}  // namespace berth
