// Records a life of a fleet in a real store: requests through the engine, in virtual time.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "berth/rng.h"
#include "fleet/inventory.h"
#include "sim/recorded_log.h"
#include "sim/store_bridge.h"
#include "support.h"
#include "support/paths.h"
#include "support/temp_folder.h"

namespace berth {

class Recorder {
 public:
  explicit Recorder(LogRetention retention = {});

  // Answered when all that follows from it has happened. Time passes before it.
  Reply Submit(Action action);
  void Decommission(MachineId machine);
  // As random as the seed, of every kind that there is.
  void LiveRandomly(std::uint64_t seed, int requests);

  const Inventory& view() const { return engine_->view(); }
  // The fleet after each revision that was the last of a request.
  const std::map<Revision, Inventory>& history() const { return history_; }
  // Reads the log with the directory opened anew.
  RecordedLog ReadLog();

 private:
  void Open();
  void Settle();
  Action AnyAction(Rng& rng);
  Action AnyActionOn(Rng& rng, const ServiceState& service);

  testing::TempFolder directory_{testing::BinaryDir()};
  LogRetention retention_;
  VirtualExecutor executor_{TimeFromMicros(1'000'000)};
  std::unique_ptr<Store> store_;
  std::unique_ptr<StoreBridge> bridge_;
  std::unique_ptr<Engine> engine_;
  std::map<Revision, Inventory> history_;
  std::uint64_t services_ = 0;
};

}  // namespace berth
