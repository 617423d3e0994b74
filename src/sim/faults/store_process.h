// The process that the store runs in: it crashes and comes back, and knows who is connected.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "sim/faults/jumping_clock.h"
#include "sim/faults/logged_store.h"

namespace berth::faults {

class Link;

class StoreProcess {
 public:
  // Who must know what the store does. `recovered` is told whenever it is back, before anyone can
  // reach it.
  struct Observers {
    std::function<void(const Disk::Entry&)> durable;
    std::function<void(const Inventory&)> read;
    std::function<void()> recovered;
  };
  StoreProcess(World& world, Observers observers);
  ~StoreProcess();

  // Before anything runs.
  void Load(std::vector<ChangeSet> changes);

  // Null while it is down.
  LoggedStore* store() { return store_.get(); }
  const std::vector<Disk::Entry>& log() const { return disk_.log(); }
  JumpingClock& clock() { return clock_; }
  const LoggedStore::Counts& counts() const { return counts_; }
  SyncFaults& sync_faults() { return sync_faults_; }

  // Ends it at once, and every connection with it; it returns after a while. Nothing happens if it
  // is down.
  void Crash(Fault fault);

  // Only while it is up. `lost` is told if it goes down before the link is hung up.
  std::shared_ptr<Link> NewLink(Executor& home, std::int64_t slowness, std::function<void()> lost);

 private:
  // Ends it; it returns after a while.
  void End();
  void Return();

  World& world_;
  Rng rng_;
  JumpingClock clock_;
  const Observers observers_;
  Disk disk_;
  LoggedStore::Counts counts_;
  SyncFaults sync_faults_;
  std::unique_ptr<LoggedStore> store_;
  std::vector<std::shared_ptr<Link>> links_;  // Hung up ones too: it may still owe them something.
};

}  // namespace berth::faults
