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
  explicit Workload(Rng rng);

  // The policy, tenants, types and machines to begin with.
  std::vector<ChangeSet> Fleet() const;
  // Anything a client might ask; much of it makes no sense, as with real clients.
  Action Draw();

 private:
  std::string AnyService();
  Service DrawService();
  std::vector<InstanceGroup> DrawGroups();
  Constraints DrawConstraints();
  InstanceId AnyInstance();

  Rng rng_;
  std::vector<Machine> machines_;
  std::uint64_t services_ = 0;  // Named so far.
};

}  // namespace berth::faults
