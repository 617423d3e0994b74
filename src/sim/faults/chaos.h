// What goes wrong besides the messages, and when. Faults are dealt from a shuffled deck, so that
// none is left out.
#pragma once

#include <memory>
#include <vector>

#include "sim/faults/server_process.h"
#include "sim/faults/watcher.h"

namespace berth::faults {

class Chaos {
 public:
  Chaos(World& world, StoreProcess& store, std::vector<std::unique_ptr<ServerProcess>>& servers,
        std::vector<std::unique_ptr<Watcher>>& watchers);

  // Until the world is healed.
  void Begin();

 private:
  void Deal();
  // Whether it could be done now.
  bool Happens(Fault fault);
  bool CutConnection();
  bool CrashProcess();
  bool JumpClock(Fault fault);
  bool LeaveWatcherBehind();

  World& world_;
  StoreProcess& store_;
  std::vector<std::unique_ptr<ServerProcess>>& servers_;
  std::vector<std::unique_ptr<Watcher>>& watchers_;
  Rng rng_;
  std::vector<Fault> deck_;
};

}  // namespace berth::faults
