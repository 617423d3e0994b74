// A client over a network that loses things: it asks with a key, asks again, perhaps another
// process, until it is told, and remembers what it was told.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/faults/history.h"
#include "sim/faults/network.h"
#include "sim/faults/server_process.h"
#include "sim/faults/workload.h"

namespace berth::faults {

class Client {
 public:
  struct Counts {
    std::uint64_t asked = 0;
    std::uint64_t retries = 0;
    std::uint64_t acknowledged = 0;  // Acceptances and refusals that the log holds.
    std::uint64_t errors = 0;        // Told that it makes no sense.
    std::uint64_t given_up = 0;

    Counts& operator+=(const Counts& other);
  };

  Client(World& world, std::vector<std::unique_ptr<ServerProcess>>& servers, Workload& workload,
         History& history, std::string name);

  // Asks for something now and then, until the world is healed.
  void Begin();
  const Counts& counts() const { return counts_; }

 private:
  struct Asked {
    Request request;
    std::uint32_t attempts = 0;
  };

  void Ask();
  void Attempt(const std::string& key);
  void OnTimeout(const std::string& key);
  void OnReply(const std::string& key, const Reply& reply);

  World& world_;
  std::vector<std::unique_ptr<ServerProcess>>& servers_;
  Workload& workload_;
  History& history_;
  const std::string name_;
  Rng rng_;
  LossyPath there_;
  LossyPath back_;
  std::uint64_t requests_ = 0;
  std::map<std::string, Asked> asked_;  // By key.
  Counts counts_;
};

}  // namespace berth::faults
