// The fleet of a fault simulation and what is asked of it: small, so that requests meet each other
// on every machine.
#pragma once

#include <string>
#include <vector>

#include "berth/request.h"
#include "berth/rng.h"

namespace berth::faults {

class Workload {
 public:
  // With a scheduler, those with time to spare yield.
  Workload(Rng rng, bool scheduler);

  // The policy, tenants, types and machines to begin with.
  std::vector<ChangeSet> Fleet() const;
  // One under which everything comes to rest: a scheduler goes on for as long as anybody waits.
  static std::string RestfulPolicy();
  // Anything a client might ask; much of it makes no sense, as with real clients.
  Action Draw();

 private:
  std::string AnyService();
  Service DrawService();
  std::vector<InstanceGroup> DrawGroups();
  Constraints DrawConstraints();
  InstanceId AnyInstance();

  Rng rng_;
  const bool scheduler_;
  std::vector<Machine> machines_;
  std::uint64_t services_ = 0;  // Named so far.
};

}  // namespace berth::faults
