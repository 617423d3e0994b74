#include "allocate/what_if/mover.h"

#include <algorithm>
#include <utility>

#include "fleet/judge.h"
#include "fleet/predicates.h"

namespace berth {
namespace {

// Of the machines that could take an instance, so many are tried.
constexpr std::uint32_t kTargetsMax = 8;
// When the policy's first choices lead nowhere others are tried, until so many moves were taken
// back at one time, or for the whole plan: enough for small puzzles, and large fleets have other
// machines to empty.
constexpr std::uint64_t kTakenBackAtOnceMax = 1'000;
constexpr std::uint64_t kTakenBackMax = 20'000;

std::uint32_t ValidIn(const Funnel& funnel) {
  std::uint32_t left = funnel.machines;
  for (const FunnelStep& step : funnel.steps) {
    if (step.validator) left = step.left;
  }
  return left;
}

}  // namespace

bool StaysBelowTheta(const AllocatePolicy& policy, const Ask& ask, const Candidate& machine) {
  static const RuleId kLooksAhead("violation_probability");
  const auto rule = std::ranges::find(policy.preferences, kLooksAhead, &RankedPreference::id);
  return rule == policy.preferences.end() || rule->machine->Points(ask, machine) == 0;
}

Mover::Mover(const AllocatePolicy& policy, Inventory fleet, const Outlook* outlook)
    : policy_(policy), fleet_(std::move(fleet)), outlook_(outlook), evaluator_(policy_, outlook_) {}

void Mover::Install(const Record& record) {
  const RecordKey key = KeyOf(record);
  fleet_.Install({.key = key, .record = record, .revision = fleet_.OwnRevision(key)});
}

// In this copy such machines drain, so that the rules themselves leave them out; nothing else about
// them changes.
void Mover::Close(MachineIndex machine) {
  Machine record = fleet_[machine].record;
  if (!TakesPlacements(record.health)) return;
  record.health = Health::kDraining;
  Install(record);
}

std::optional<std::vector<PlannedMove>> Mover::MoveAway(const std::vector<InstanceId>& instances) {
  taken_back_ = 0;
  std::vector<PlannedMove> moves;
  if (!MoveAll(instances, moves)) return std::nullopt;
  return moves;
}

bool Mover::IsForeseen(MachineId machine, const std::vector<PlannedMove>& moves) const {
  const bool looks_ahead = outlook_ != nullptr && policy_.theta();
  return !looks_ahead || std::ranges::find(moves, machine, &PlannedMove::to) == moves.end();
}

std::vector<Mover::Target> Mover::TargetsFor(const Instance& instance,
                                             const std::vector<PlannedMove>& moves) {
  Instance waiting = instance;
  waiting.machine = MachineId();
  waiting.state = InstanceState::kPending;
  Install(waiting);
  const ServiceState& service = *fleet_.FindService(instance.id.service);
  const Footprint footprint(fleet_, service);
  Ask ask = AskFor(fleet_, service.record, waiting, footprint, outlook_);
  ask.leaving = fleet_.IndexOf(instance.machine);
  const Chooser::Found found = evaluator_.Find(ask, evaluator_.Order(ask));
  std::vector<Target> targets;
  if (found.best > 0) {
    for (const MachineIndex index : evaluator_.Top(ask, kTargetsMax)) {
      if (targets.size() == kTargetsMax) break;
      if (!IsForeseen(fleet_[index].record.name, moves)) continue;
      if (!StaysBelowTheta(policy_, ask, {index, fleet_[index]})) continue;
      targets.push_back({.machine = fleet_[index].record.name,
                         .could_take = ValidIn(found.funnel),
                         .choice = static_cast<std::uint32_t>(targets.size()) + 1});
    }
  }
  Install(instance);
  return targets;
}

bool Mover::MoveAll(const std::vector<InstanceId>& left, std::vector<PlannedMove>& moves) {
  if (left.empty()) return true;
  // In which order they go matters only among those of one service, which bind each other: all
  // others merely share room, and what fits in the end fits on the way.
  for (const InstanceId& id : left) {
    if (id.service == left.front().service && MoveThenRest(id, left, moves)) return true;
  }
  return false;
}

bool Mover::MoveThenRest(const InstanceId& id, const std::vector<InstanceId>& left,
                         std::vector<PlannedMove>& moves) {
  const Instance before = *fleet_.Find(id);
  std::vector<InstanceId> rest = left;
  std::erase(rest, id);
  for (const Target& target : TargetsFor(before, moves)) {
    if (taken_back_ >= kTakenBackAtOnceMax || taken_back_in_all_ >= kTakenBackMax) return false;
    if (!TryMove(before, target.machine)) continue;
    moves.push_back({.instance = id,
                     .type = before.type,
                     .from = before.machine,
                     .to = target.machine,
                     .could_take = target.could_take,
                     .choice = target.choice});
    if (MoveAll(rest, moves)) return true;
    moves.pop_back();
    Install(before);
    ++taken_back_;
    ++taken_back_in_all_;
  }
  return false;
}

bool Mover::TryMove(const Instance& instance, MachineId to) {
  const ChangeSet change{.operations = {Move{instance.id, instance.machine, to}},
                         .seen = fleet_.revision(),
                         .at = instance.timeline.since,
                         .guard = {}};
  const Judgement judgement = Judge(fleet_, change, change.at, Wanted::kToInstall);
  if (judgement.violation) return false;
  for (const Update& update : judgement.updates) Install(*update.record);
  return true;
}

}  // namespace berth
