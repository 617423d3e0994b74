// How often machines are expected to be violated, for the balancer: an upper bound that a move
// changes in O(resources x repetitions).
//
// In every repetition each replica draws a trace, as in violation.h, and is taken to need the
// trace's maximum from now on, as if all lived long enough to reach it together. So a repetition
// violated by violation.h is violated here too, and a machine needs one number a resource and
// repetition: the slack, what is left below the threshold. It is kept less one, so that violated is
// negative, and a lane is 32 bits.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "oversub/balance_problem.h"
#include "oversub/kept_needs.h"
#include "oversub/trace_library.h"
#include "oversub/violation.h"

namespace berth {

// Lanes of machines and replicas together: 4 GiB.
inline constexpr std::uint64_t kFutureLanesMax = std::uint64_t{1} << 30;

// Copies share what replicas need, which no move changes.
class FutureLoad {
 public:
  // Of a valid problem. Refuses machines whose replicas may need 32 times the largest capacity, and
  // more lanes than there may be. With what was kept, of as many repetitions, it is the same and
  // takes less time.
  static Result<FutureLoad> Build(const BalanceProblem& problem, const TraceLibrary& library,
                                  Step now, std::uint32_t repetitions, KeptNeeds* kept = nullptr);

  std::uint32_t repetitions() const { return repetitions_; }
  // In how many repetitions the machine is violated, and in how many of all machines'.
  std::uint32_t violations(std::uint32_t machine) const { return violations_[machine]; }
  std::uint64_t violations() const { return violations_in_all_; }

  // One more replica, which is nowhere yet.
  void Add(const HostedTenant& tenant, const TraceLibrary& library, Step now,
           KeptNeeds* kept = nullptr);

  // Asks for what the next question about the replica reads, to be there by then.
  void Prefetch(std::uint32_t replica) const;
  // False: the sums would be more than a lane holds.
  bool Admits(std::uint32_t replica, std::uint32_t to) const;
  // Of all machines, were the replica to go from one to the other. Either may be kNowhere.
  std::uint64_t ViolationsWith(std::uint32_t replica, std::uint32_t from, std::uint32_t to) const;
  void Move(std::uint32_t replica, std::uint32_t from, std::uint32_t to);

 private:
  using Lane = NeedLane;
  static constexpr std::uint32_t kLanes = kNeedLanesTogether;
  // A resource after the other, each of stride_ lanes.
  using Lanes = std::span<const Lane>;
  struct Needs {
    std::vector<Lane> lanes;
    std::vector<PerResource<Lane>> greatest;  // Of the repetitions.
  };

  FutureLoad() = default;
  Lanes SlacksOf(std::uint32_t machine) const;
  Lanes NeedsOf(std::uint32_t replica) const;
  const PerResource<Lane>& GreatestNeedOf(std::uint32_t replica) const {
    return needs_->greatest[replica];
  }
  // In how many repetitions the lane is negative for any of the resources.
  template <typename LaneAt>
  std::uint32_t CountNegative(const LaneAt& lane_at) const;
  std::uint32_t CountWith(std::uint32_t machine, std::uint32_t replica) const;
  std::uint32_t CountWithout(std::uint32_t machine, std::uint32_t replica) const;
  void Change(std::uint32_t machine, std::uint32_t replica, bool comes);
  void Summarise(std::uint32_t machine);

  std::uint32_t repetitions_ = 0;
  std::size_t stride_ = 0;
  std::shared_ptr<Needs> needs_;  // By replica; Add makes it its own.
  std::vector<Lane> slacks_;      // By machine.
  std::vector<std::uint32_t> violations_;
  std::uint64_t violations_in_all_ = 0;
  std::vector<PerResource<Lane>> least_slack_;  // Of the repetitions.
};

}  // namespace berth
