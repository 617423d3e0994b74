#include "oversub/balance_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "allocate/refusing.h"
#include "fleet/judge.h"
#include "oversub/anneal.h"
#include "oversub/tenant_amounts.h"

namespace berth {
namespace {

// Makes moves on its own copy of a fleet, if the policy and the validator let it.
class Rehearsal {
 public:
  Rehearsal(const AllocatePolicy& policy, Inventory fleet)
      : policy_(policy), fleet_(std::move(fleet)) {}

  // Why not; empty: the move was made.
  std::string Move(const InstanceId& id, MachineId to) {
    const Instance instance = *fleet_.Find(id);
    std::string refused = RefusedByRules(instance, to);
    if (!refused.empty()) return refused;
    const ChangeSet change{.operations = {berth::Move{id, instance.machine, to}},
                           .seen = fleet_.revision(),
                           .at = instance.timeline.since,
                           .guard = {}};
    const Judgement judgement = Judge(fleet_, change, change.at, Wanted::kToInstall);
    if (judgement.violation) return judgement.violation->because;
    for (const Update& update : judgement.updates) Install(*update.record);
    return {};
  }

 private:
  void Install(const Record& record) {
    const RecordKey key = KeyOf(record);
    fleet_.Install({.key = key, .record = record, .revision = fleet_.OwnRevision(key)});
  }

  // As if it were to be placed anew.
  std::string RefusedByRules(const Instance& instance, MachineId to) {
    Instance waiting = instance;
    waiting.machine = MachineId();
    waiting.state = InstanceState::kPending;
    Install(waiting);
    const ServiceState& service = *fleet_.FindService(instance.id.service);
    const Footprint footprint(fleet_, service);
    Ask ask = AskFor(fleet_, service.record, waiting, footprint);
    ask.leaving = fleet_.IndexOf(instance.machine);
    const MachineIndex index = *fleet_.IndexOf(to);
    const Candidate machine{.index = index, .state = fleet_[index]};
    std::string because;
    ForEachRefusing(policy_, ask, machine, [&](const Refusing& refusing) {
      if (!because.empty()) return;
      because = fmt::format("{}: {}", refusing.rule().str(), refusing.Lacks(ask, machine));
    });
    Install(instance);
    return because;
  }

  const AllocatePolicy& policy_;
  Inventory fleet_;
};

BalanceSummary Summary(const BalanceState& state) {
  return {.violated_now = state.figures().violated_now,
          .expected_violations = state.ExpectedViolations(),
          .imbalance = state.Imbalance(state.figures()),
          .fragmentation = state.Fragmentation(state.figures()),
          .energy = state.energy()};
}

// The replicas to be moved: first those that leave violated machines.
std::vector<std::uint32_t> ViolatedFirst(const BalanceState& start, const BalanceState& wanted) {
  std::vector<std::uint32_t> moved;
  for (std::uint32_t i = 0; i < start.problem().replicas.size(); ++i) {
    if (start.MachineOf(i) != wanted.MachineOf(i)) moved.push_back(i);
  }
  std::ranges::stable_sort(
      moved, {}, [&](std::uint32_t i) { return start.ViolatedNow(start.MachineOf(i)) ? 0 : 1; });
  return moved;
}

constexpr std::string_view kNoRoomYet =
    "it would be violated, or holds what must be apart, while those stay that no move takes away";

// One after the other, as soon as those before have made room for it: no step on the way violates a
// machine. What is left has no such order.
void MakeMoves(const BalanceRequest& request, const FleetBalance& balance,
               const BalanceState& wanted, BalanceState& state, BalancePlan& plan) {
  Rehearsal rehearsal(request.policy, request.fleet);
  std::vector<std::uint32_t> left = ViolatedFirst(state, wanted);
  for (bool made = true; made && !left.empty();) {
    made = false;
    plan.refused.clear();
    std::vector<std::uint32_t> again;
    for (const std::uint32_t replica : left) {
      const std::uint32_t to = wanted.MachineOf(replica);
      const InstanceId& id = balance.replicas[replica];
      std::string refused = state.Admits(replica, to) ? rehearsal.Move(id, balance.machines[to])
                                                      : std::string(kNoRoomYet);
      if (!refused.empty()) {
        plan.refused.push_back({id, balance.machines[to], std::move(refused)});
        again.push_back(replica);
        continue;
      }
      const MachineId from = balance.machines[state.MachineOf(replica)];
      state.Move(replica, to);
      plan.moves.push_back({.instance = id,
                            .type = request.fleet.Find(id)->type,
                            .from = from,
                            .to = balance.machines[to],
                            .expected_violations = state.ExpectedViolations()});
      made = true;
    }
    left = std::move(again);
  }
}

std::vector<MachineOutlook> Outlooks(const FleetBalance& balance, const BalanceState& before,
                                     const BalanceState& after) {
  std::vector<MachineOutlook> outlooks;
  std::vector<bool> touched(balance.machines.size());
  for (std::uint32_t i = 0; i < balance.replicas.size(); ++i) {
    if (before.MachineOf(i) == after.MachineOf(i)) continue;
    touched[before.MachineOf(i)] = true;
    touched[after.MachineOf(i)] = true;
  }
  for (std::uint32_t i = 0; i < balance.machines.size(); ++i) {
    if (!touched[i] && !before.ViolatedNow(i) && before.ExpectedViolations(i) == 0) continue;
    outlooks.push_back({.machine = balance.machines[i],
                        .violated_now = before.ViolatedNow(i),
                        .violated_after = after.ViolatedNow(i),
                        .probability_now = before.ExpectedViolations(i),
                        .probability_after = after.ExpectedViolations(i)});
  }
  std::ranges::sort(outlooks, {}, &MachineOutlook::machine);
  return outlooks;
}

}  // namespace

Result<BalancePlan> PlanBalance(const BalanceRequest& request) {
  const Newcomers newcomers(request.demand, request.oversub);
  FleetBalance balance = BalanceOf(request.fleet, request.usage, newcomers);
  balance.problem.threshold_thousandths = request.oversub.threshold_thousandths;
  HoldOutEmptiest(balance.problem, request.oversub.held_out_per_cluster,
                  request.oversub.held_out_by);
  BalanceOptions options;
  options.repetitions = request.oversub.repetitions;
  options.moves_max = request.moves_max;
  BERTH_TRY(const BalanceState start,
            BalanceState::Build(std::move(balance.problem), request.demand, StepOf(request.now),
                                options));

  BalanceState wanted = start;
  Rng rng(request.seed);
  Anneal(wanted, {.steps = request.steps, .on_progress = request.on_progress}, rng);

  BalancePlan plan;
  plan.machines = balance.machines.size();
  plan.instances = balance.replicas.size();
  plan.not_observed = balance.not_observed;
  plan.before = Summary(start);
  BalanceState state = start;
  MakeMoves(request, balance, wanted, state, plan);
  // What is left of a plan when moves were refused may be worse than none.
  if (state.energy() >= start.energy()) {
    plan.moves.clear();
    state = start;
  }
  plan.after = Summary(state);
  plan.outlooks = Outlooks(balance, start, state);
  return plan;
}

}  // namespace berth
