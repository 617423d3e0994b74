// Finds other machines for instances that are to leave theirs, and moves them there on a copy of
// the fleet.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "allocate/evaluator.h"
#include "allocate/what_if/defragment.h"

namespace berth {

class Mover {
 public:
  // Works on its own copy of the fleet. The policy, and the outlook if there is one, must outlive
  // it.
  Mover(const AllocatePolicy& policy, Inventory fleet, const Outlook* outlook = nullptr);
  Mover(const Mover&) = delete;
  Mover& operator=(const Mover&) = delete;

  const Inventory& fleet() const { return fleet_; }

  // Takes a machine out of the choice.
  void Close(MachineIndex machine);
  // Moves all of them, each off the machine that it is on, and answers how; none: no way was found,
  // and nothing moved. Those that have the fewest machines to go to stand first.
  std::optional<std::vector<PlannedMove>> MoveAway(const std::vector<InstanceId>& instances);

 private:
  struct Target {
    MachineId machine;
    std::uint32_t could_take = 0;
    std::uint32_t choice = 0;
  };

  // Where an instance could go after these moves, in the order of the policy's preferences.
  std::vector<Target> TargetsFor(const Instance& instance, const std::vector<PlannedMove>& moves);
  // Whether what is foreseen of the machine is of it as it will be after these moves. The outlook
  // does not see them, so that where theta bounds a risk, one plan sends one to a machine.
  bool IsForeseen(MachineId machine, const std::vector<PlannedMove>& moves) const;
  bool MoveAll(const std::vector<InstanceId>& left, std::vector<PlannedMove>& moves);
  bool MoveThenRest(const InstanceId& id, const std::vector<InstanceId>& left,
                    std::vector<PlannedMove>& moves);
  // Whether the validator allows it; then it is made.
  bool TryMove(const Instance& instance, MachineId to);
  void Install(const Record& record);

  const AllocatePolicy& policy_;
  Inventory fleet_;
  const Outlook* outlook_;
  Evaluator evaluator_;
  std::uint64_t taken_back_in_all_ = 0;
  std::uint64_t taken_back_ = 0;  // For those at hand.
};

// Whether the machine stays as safe with the instance as the policy wants it, where it looks ahead:
// below the theta of its rule `violation_probability`.
bool StaysBelowTheta(const AllocatePolicy& policy, const Ask& ask, const Candidate& machine);

}  // namespace berth
