#include <fmt/format.h>

#include <utility>

#include "allocate/propose_service.h"

namespace berth {
namespace {

// Of a large fleet all may be alike, and none will do.
constexpr std::uint32_t kTriedMax = 100;

Refusal ToBeAvoided(const std::string& what) {
  return {.rule = RuleId("avoids"),
          .because = what + " is to be avoided",
          .cure = Cure::kMoreMachines,
          .nearest = {}};
}

// The best of those that are not to be avoided, where the best of all is.
GangResult PassOverAvoided(const Proposing& context, const Service& service,
                           const Instance& instance, MachineIndex leaving, GangResult best) {
  if (!context.avoids || best.refusal || !context.avoids(best.placed.front().machine)) return best;
  const Footprint footprint(context.view, *context.view.FindService(service.name));
  Ask ask = AskFor(context.view, service, instance, footprint, context.outlook);
  ask.leaving = leaving;
  context.chooser.Find(ask, context.chooser.Order(ask));
  std::vector<MachineIndex> others = context.chooser.Top(ask, kTriedMax);
  if (others.size() > kTriedMax) others.resize(kTriedMax);
  for (const MachineIndex other : others) {
    const MachineId name = context.view[other].record.name;
    if (context.avoids(name)) continue;
    GangResult there = PlaceOn(ChoosingOf(context), context.view, service, instance, name);
    there.funnels = std::move(best.funnels);
    return there;
  }
  return {.placed = {},
          .evicted = {},
          .funnels = std::move(best.funnels),
          .refusal = ToBeAvoided("every machine that could take it")};
}

}  // namespace

Result<Proposal> ProposeAction(const Proposing& context, const MoveInstance& move) {
  const Instance* found = context.view.Find(move.instance);
  if (found == nullptr) return NoSuch("instance", ToString(move.instance));
  Instance instance = *found;
  if (!instance.HoldsRoom()) {
    return Status(Code::kFailedPrecondition,
                  fmt::format("instance {} is {}, on no machine", ToString(move.instance),
                              ToString(instance.state)));
  }
  if (!move.to.empty() && context.view.Find(move.to) == nullptr)
    return NoSuch("machine", move.to.str());
  const Service service = context.view.FindService(move.instance.service)->record;
  const MachineId from = instance.machine;
  instance.machine = MachineId();
  instance.state = InstanceState::kPending;
  Decision decision = NewDecision(context, DecisionKind::kMove, move.instance.service);
  decision.reason = move.reason;
  decision.room_for = move.room_for;
  decision.why = move.why;
  Proposal proposal;
  // Asked while the instance is still where it is.
  if (!move.to.empty() && context.avoids && context.avoids(move.to)) {
    decision.refusal = ToBeAvoided("machine " + move.to.str());
    proposal.decision = std::move(decision);
    return proposal;
  }
  Scratch scratch(context.view);
  scratch.Install(instance);
  const MachineIndex leaving = *context.view.IndexOf(from);
  GangResult gang = move.to.empty()
                        ? PassOverAvoided(context, service, instance, leaving,
                                          PlaceGang(ChoosingOf(context), context.view, service,
                                                    {&instance, 1}, leaving))
                        : PlaceOn(ChoosingOf(context), context.view, service, instance, move.to);
  decision.funnels = std::move(gang.funnels);
  decision.refusal = std::move(gang.refusal);
  decision.placed = std::move(gang.placed);
  NoteEvictions(gang, decision, proposal.operations);
  if (!decision.refusal) {
    proposal.operations.emplace_back(Move{move.instance, from, decision.placed.front().machine});
  }
  proposal.decision = std::move(decision);
  return proposal;
}

}  // namespace berth
