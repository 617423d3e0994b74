// Finds out whether everything on a machine could go to others in use, and where to.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "allocate/evaluator.h"
#include "allocate/what_if/defragment.h"

namespace berth {

class Emptier {
 public:
  // Works on its own copy of the fleet. The policy must outlive it.
  Emptier(const AllocatePolicy& policy, Inventory fleet);
  Emptier(const Emptier&) = delete;
  Emptier& operator=(const Emptier&) = delete;

  // Makes moves that empty the machine and answers them; none if no way was found.
  std::optional<std::vector<PlannedMove>> Empty(MachineIndex machine);

 private:
  struct Target {
    MachineId machine;
    std::uint32_t could_take = 0;
    std::uint32_t choice = 0;
  };

  // Takes a machine out of the choice.
  void Close(MachineIndex machine);
  std::vector<InstanceId> LargestFirst(MachineIndex machine) const;
  // Where an instance could go, in the order of the policy's preferences.
  std::vector<Target> TargetsFor(const Instance& instance);
  bool MoveAll(const std::vector<InstanceId>& left, std::vector<PlannedMove>& moves);
  bool MoveThenRest(const InstanceId& id, const std::vector<InstanceId>& left,
                    std::vector<PlannedMove>& moves);
  // Whether the validator allows it; then it is made.
  bool TryMove(const Instance& instance, MachineId to);
  void Install(const Record& record);

  const AllocatePolicy& policy_;
  Inventory fleet_;
  Evaluator evaluator_;
  std::uint64_t taken_back_in_all_ = 0;
  std::uint64_t taken_back_ = 0;  // For the machine at hand.
};

}  // namespace berth
