// A server process: a whole engine over its own connection to the store and its own clock. It
// crashes with all that it knows and comes back knowing nothing.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "berth/engine.h"
#include "sim/faults/connection.h"
#include "sim/faults/jumping_clock.h"

namespace berth::faults {

class ServerProcess {
 public:
  ServerProcess(World& world, StoreProcess& store, std::string name);
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;

  void Start();
  // Ends it at once; it returns after a while.
  void Crash();
  // A request arrives. It is answered unless the process ends first.
  void Serve(const Request& request, const ReplyDone& answer);

  bool up() const { return engine_ != nullptr; }
  const std::string& name() const { return name_; }
  JumpingClock& clock() { return clock_; }
  // While it is up.
  Connection& connection() { return *connection_; }
  const Engine& engine() const { return *engine_; }

 private:
  World& world_;
  StoreProcess& store_;
  const std::string name_;
  Rng rng_;
  Rng thoughts_;
  JumpingClock clock_;
  std::uint64_t lives_ = 0;
  std::string agents_;  // What its agents are called.
  std::unique_ptr<Connection> connection_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace berth::faults
