// Who is on which machine, and the energy of that: the less the better.
//
// Section 7 of the tenant placement paper names three components and not how they are added; ours
// are all shares, so that they can be:
//   failovers      machines violated now, and moved replicas as a share of all;
//                  extended: and 0.10 times the expected violations to come (future_load.h), which
//                  so weigh more beside moves than in the paper, where both are counted
//   imbalance      the weighted mean, over resources, of the standard deviation of the machines'
//                  usage, as a share of their capacity
//   fragmentation  the usage of held-out machines, a mean over resources and all machines
// The accumulators are whole numbers, so that after any number of moves they are what they would be
// anew, and a move is scored in O(resources), extended O(resources x repetitions).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "oversub/balance_problem.h"
#include "oversub/future_load.h"
#include "oversub/kept_needs.h"

namespace berth {

struct BalanceOptions {
  // 0: the original energy, without expected violations.
  std::uint32_t repetitions = 100;
  double future_weight = 0.10;
  PerResource<double> resource_weights{1, 1, 1};
  // Of replicas that are somewhere. Newcomers are placed, not moved.
  std::uint64_t moves_max = UINT64_MAX;
  // What tenants drew at earlier steps, for whoever builds a state at every step. It outlives the
  // state.
  KeptNeeds* kept = nullptr;
};

// What an energy is made of.
struct BalanceFigures {
  std::uint64_t violated_now = 0;      // Machines.
  std::uint64_t moved = 0;             // Replicas that are not where they were.
  std::uint64_t violations_ahead = 0;  // Summed over machines and repetitions.
  // Of machines' usage in kLevelOne'ths of their capacity: sums, of squares too.
  PerResource<std::int64_t> levels;
  PerResource<std::int64_t> square_levels;
  std::int64_t held_out_levels = 0;

  friend bool operator==(const BalanceFigures&, const BalanceFigures&) = default;
};
inline constexpr std::int64_t kLevelOne = 1 << 16;
// Usage over 16 times the capacity counts as 16 times.
inline constexpr std::int64_t kLevelMax = 16 * kLevelOne;

class BalanceState {
 public:
  // Of the library only Add needs anything afterwards.
  static Result<BalanceState> Build(BalanceProblem problem, const TraceLibrary& library, Step now,
                                    const BalanceOptions& options);

  // One more replica, of a service of the problem, nowhere yet; its number.
  std::uint32_t Add(const BalanceReplica& newcomer, const TraceLibrary& library, Step now);

  const BalanceProblem& problem() const { return *problem_; }
  std::uint32_t MachineOf(std::uint32_t replica) const { return machine_of_[replica]; }
  std::span<const std::uint32_t> ReplicasOn(std::uint32_t machine) const {
    return on_machine_[machine];
  }
  bool ViolatedNow(std::uint32_t machine) const { return machines_[machine].violated; }
  // The expected number of violations to come, summed over machines; at least the exact one.
  double ExpectedViolations() const;
  double ExpectedViolations(std::uint32_t machine) const;

  const BalanceFigures& figures() const { return figures_; }
  double energy() const { return EnergyOf(figures_); }
  double EnergyOf(const BalanceFigures& figures) const;
  double Imbalance(const BalanceFigures& figures) const;
  double Fragmentation(const BalanceFigures& figures) const;

  // Whether it may go there: limits fit, nothing is violated by it, its service's replicas do not
  // share what they may not, and not too many move.
  bool Admits(std::uint32_t replica, std::uint32_t to) const;
  // Whether what the machine may come to need with it can still be reckoned with.
  bool Reckons(std::uint32_t replica, std::uint32_t to) const {
    return !future_ || future_->Admits(replica, to);
  }
  BalanceFigures With(std::uint32_t replica, std::uint32_t to) const;
  // The energy with the replica there, where it is not, but of the violations that it brings to
  // come each counts as a share of the repetitions that were still spared there; 1 where none was.
  // By the energy alone a newcomer is free of charge where all are violated anyway.
  double EnergyByHarm(std::uint32_t replica, std::uint32_t to) const;
  void Move(std::uint32_t replica, std::uint32_t to);

 private:
  using Amounts = PerResource<std::int64_t>;
  struct MachineNow {
    Amounts usage;
    Amounts levels;
    Resources allocated;
    bool violated = false;
  };
  // A machine's part of the figures.
  struct Part {
    Amounts levels;
    bool violated = false;
  };

  static constexpr std::uint32_t kNoReplica = UINT32_MAX;

  BalanceState() = default;
  void Join(std::uint32_t replica, std::uint32_t service);
  Part PartOf(std::uint32_t machine, const Amounts& usage) const;
  bool SharesTooMuch(std::uint32_t replica, std::uint32_t to) const;
  std::uint64_t MovedWith(std::uint32_t replica, std::uint32_t to) const;
  // Replaces a machine's part by another.
  void Exchange(std::uint32_t machine, const Part& by, BalanceFigures& figures) const;
  void Put(std::uint32_t replica, std::uint32_t machine);
  void Take(std::uint32_t replica);

  std::shared_ptr<BalanceProblem> problem_;  // Shared by copies; Add makes it its own.
  BalanceOptions options_;
  std::vector<Amounts> thresholds_;  // By machine: violated from here on.
  std::vector<MachineNow> machines_;
  std::vector<std::uint32_t> machine_of_;
  std::vector<std::vector<std::uint32_t>> on_machine_;
  std::vector<std::uint32_t> place_on_machine_;  // By replica, in that list.
  // The replicas of a service, as lists that end with kNoReplica.
  std::vector<std::uint32_t> first_of_service_;
  std::vector<std::uint32_t> next_of_service_;  // By replica.
  BalanceFigures figures_;
  std::optional<FutureLoad> future_;
};

}  // namespace berth
