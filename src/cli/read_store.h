// Reading a store from the command line: opens what exists and waits for the answers.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "base/virtual_executor.h"
#include "berth/store.h"
#include "fleet/inventory.h"
#include "sim/recorded_log.h"
#include "sim/store_bridge.h"

namespace berth {

class StoreReader {
 public:
  // What --store says. A directory without a store is an error, not a new store.
  static Result<std::unique_ptr<StoreReader>> Open(std::string_view given);

  const Inventory& inventory() const { return *inventory_; }
  Result<Decision> ReadDecision(const DecisionId& id);
  // The latest of all agents' that the log still holds, latest first.
  std::vector<Decision> LatestDecisions(std::size_t most);
  Result<RecordedLog> ReadLog() { return ReadRecordedLog(bridge_, executor_); }

 private:
  explicit StoreReader(std::unique_ptr<Store> store);
  Status ReadAll();

  std::unique_ptr<Store> store_;
  VirtualExecutor executor_;
  StoreBridge bridge_;
  std::shared_ptr<const Inventory> inventory_;
};

}  // namespace berth
