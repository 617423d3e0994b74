#include "allocate/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "allocate/foresee.h"
#include "allocate/scratch.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr std::size_t kSummaryPlacementsMax = 8;
constexpr std::size_t kPlacementsShownMax = 50;

bool Waits(const Decision& decision) { return decision.kind == DecisionKind::kWait; }

std::string Placements(const Decision& decision, std::size_t most) {
  std::string text;
  const std::size_t shown = std::min(most, decision.placed.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Placement& placement = decision.placed[i];
    text += fmt::format("{}{}/{} on {}", i == 0 ? "" : ", ", decision.subject, placement.instance,
                        placement.machine.str());
  }
  if (decision.placed.size() > shown)
    text += fmt::format(" and {} more", decision.placed.size() - shown);
  return text;
}

void AddForeseen(MachineId machine, const Foreseen& foreseen, std::string& text) {
  if (foreseen.futures == 0) return;
  text += fmt::format("Probability that {} ever needs more than it has: {}\n", machine.str(),
                      InWords(foreseen));
}

// What was foreseen of the machines, one line for each.
void AddForeseen(const Decision& decision, std::string& text) {
  const std::size_t shown = std::min(kPlacementsShownMax, decision.placed.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const std::optional<Foreseen>& foreseen = decision.placed[i].foreseen;
    if (foreseen) AddForeseen(decision.placed[i].machine, *foreseen, text);
  }
}

std::string Evictions(const Decision& decision) {
  std::string text;
  const std::size_t shown = std::min(kPlacementsShownMax, decision.evicted.size());
  for (std::size_t i = 0; i < shown; ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", ToString(decision.evicted[i]));
  }
  if (decision.evicted.size() > shown)
    text += fmt::format(" and {} more", decision.evicted.size() - shown);
  return text;
}

// The rules in their order, how many machines each took away and how many it left.
void AddFunnel(const Funnel& funnel, std::string& text) {
  text += fmt::format("\nFor {} of type {}{}{}: {} in {}\n", Plural(funnel.instances, "instance"),
                      funnel.type.str(), funnel.role.empty() ? "" : ", role ", funnel.role.str(),
                      Plural(funnel.machines, "machine"), Plural(funnel.clusters, "cluster"));
  std::size_t width = std::string_view("rule").size();
  for (const FunnelStep& step : funnel.steps) width = std::max(width, step.rule.str().size());
  text += fmt::format("  {:<{}}  {:>7}  {:>7}\n", "rule", width, "refused", "left");
  std::uint32_t before = funnel.machines;
  for (const FunnelStep& step : funnel.steps) {
    text += fmt::format("  {:<{}}  {:>7}  {:>7}{}\n", step.rule.str(), width,
                        step.validator ? FormatCount(before - step.left) : "",
                        FormatCount(step.left), step.validator ? "" : "  preferred");
    before = step.left;
  }
  if (before > 1)
    text += fmt::format("  {} were equally good; one was drawn.\n", FormatCount(before));
  if (before == 1) text += "  One was best.\n";
}

void AddRefusal(const Refusal& refusal, std::string& text) {
  if (!refusal.nearest.empty()) {
    text += "\nNearest machines:\n";
    std::size_t width = 0;
    for (const NearMiss& miss : refusal.nearest) width = std::max(width, miss.machine.str().size());
    for (const NearMiss& miss : refusal.nearest) {
      text +=
          fmt::format("  {:<{}}  {}: {}\n", miss.machine.str(), width, miss.rule.str(), miss.lacks);
    }
  }
  text +=
      fmt::format("\nWhat would cure it: {} ({})\n", Advice(refusal.cure), ToString(refusal.cure));
}

// In the two largest units: "3 h 12 m".
std::string InWords(Duration length) {
  struct Unit {
    std::string_view name;
    std::int64_t micros;
  };
  constexpr std::array kUnits = {Unit{"d", 86'400'000'000}, Unit{"h", 3'600'000'000},
                                 Unit{"m", 60'000'000},     Unit{"s", 1'000'000},
                                 Unit{"ms", 1000},          Unit{"us", 1}};
  const std::int64_t micros = std::abs(length.count());
  for (std::size_t i = 0; i + 1 < kUnits.size(); ++i) {
    const std::int64_t whole = micros / kUnits[i].micros;
    if (whole == 0) continue;
    const std::int64_t rest = micros % kUnits[i].micros / kUnits[i + 1].micros;
    // What is less than a second of seconds says nothing to anybody.
    if (rest == 0 || kUnits[i].micros <= 1'000'000)
      return fmt::format("{} {}", whole, kUnits[i].name);
    return fmt::format("{} {} {} {}", whole, kUnits[i].name, rest, kUnits[i + 1].name);
  }
  return fmt::format("{} s", 0);
}

std::string AboveTarget(Duration spare) {
  return fmt::format("{} {} its target", InWords(spare), spare < Duration() ? "below" : "above");
}

std::string ToViolation(Duration left) {
  return fmt::format("{} {} violation", InWords(left), left < Duration() ? "past" : "to");
}

// Who yielded to whom, and what each had left: one clause for each.
std::string Preemptions(const Decision& decision, std::string_view between) {
  std::string text;
  const std::size_t shown = std::min(kPlacementsShownMax, decision.yielded.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const Yielded& yielded = decision.yielded[i];
    text += fmt::format("{}preempted {}, {}, ", i == 0 ? "" : between,
                        ToString(decision.evicted[i]), AboveTarget(yielded.spare));
    text +=
        decision.kind == DecisionKind::kResize
            ? fmt::format("so that {}/{} may grow", decision.subject, yielded.to)
            : fmt::format("for {}/{}, {}", decision.subject, yielded.to, ToViolation(yielded.left));
  }
  if (decision.yielded.size() > shown)
    text += fmt::format("{}{} more yielded", between, decision.yielded.size() - shown);
  return text;
}

std::string_view InWords(MoveReason reason) {
  switch (reason) {
    case MoveReason::kAsked:
      return "it was asked for";
    case MoveReason::kWaited:
      return "it waited and there was room";
    case MoveReason::kMachineFailed:
      return "its machine is down";
    case MoveReason::kDrained:
      return "its machine is to be emptied";
    case MoveReason::kViolation:
      return "its machine was asked for more than it has";
    case MoveReason::kFragmentation:
      return "its machine had room, but not enough for one that waits";
  }
  return "";
}

}  // namespace

std::string SummarizeDecision(const Decision& decision) {
  const std::string id = ToString(decision.id);
  if (decision.refusal) {
    const std::string_view verb = Waits(decision) ? "waits" : "refused";
    const Refusal& refusal = *decision.refusal;
    return fmt::format("{} {}: {} [{}, cure {}]", verb, id, refusal.because, refusal.rule.str(),
                       ToString(refusal.cure));
  }
  if (Waits(decision)) return fmt::format("waits {}", id);
  std::vector<std::string> effects;
  if (!decision.placed.empty()) effects.push_back(Placements(decision, kSummaryPlacementsMax));
  if (!decision.yielded.empty()) {
    effects.push_back(Preemptions(decision, "; "));
  } else if (!decision.evicted.empty()) {
    effects.push_back(fmt::format("evicts {}", Evictions(decision)));
  }
  if (effects.empty()) return fmt::format("accepted {}", id);
  return fmt::format("accepted {}: {}", id, fmt::join(effects, "; "));
}

std::string ExplainDecision(const Decision& decision) {
  const std::string_view came = !decision.refusal ? "accepted"
                                : Waits(decision) ? "waits for room"
                                                  : "refused";
  std::string text = fmt::format("Decision {}: {} {}, {}\n", ToString(decision.id),
                                 ToString(decision.kind), decision.subject, came);
  text +=
      fmt::format("Decided at {} on revision {}", FormatTime(decision.at), ToNumber(decision.seen));
  if (decision.conflicts > 0) {
    text += fmt::format(", after {} lost to others", Plural(decision.conflicts, "commit"));
  }
  if (!decision.arm.empty()) text += fmt::format(", in the arm {}", decision.arm.str());
  text += "\n";
  if (decision.kind == DecisionKind::kMove && decision.reason != MoveReason::kAsked &&
      decision.reason != MoveReason::kWaited) {
    text += fmt::format("Moved because {}{}{}\n", InWords(decision.reason),
                        decision.why.empty() ? "" : ": ", decision.why);
  } else if (!decision.why.empty()) {
    const std::string_view what = decision.kind == DecisionKind::kScale ? "Scaled so"
                                  : Waits(decision)                     ? "Asked for"
                                                                        : "Sized so";
    text += fmt::format("{} because {}\n", what, decision.why);
  }
  if (decision.room_for) text += fmt::format("Makes room for {}\n", ToString(*decision.room_for));
  if (decision.refusal) {
    text +=
        fmt::format("Because of {}: {}\n", decision.refusal->rule.str(), decision.refusal->because);
  }
  if (!decision.placed.empty()) {
    text += fmt::format("Placed: {}\n", Placements(decision, kPlacementsShownMax));
    AddForeseen(decision, text);
  }
  if (!decision.yielded.empty()) {
    text += fmt::format("Yielded: {}\n", Preemptions(decision, "\n         "));
  } else if (!decision.evicted.empty()) {
    text += fmt::format("Evicted: {}\n", Evictions(decision));
  }
  for (const Funnel& funnel : decision.funnels) AddFunnel(funnel, text);
  if (decision.refusal) AddRefusal(*decision.refusal, text);
  return text;
}

Result<WhyNot> AskWhyNot(const Asking& asking, Inventory& view, const Service& service,
                         std::optional<std::uint32_t> number, MachineId machine) {
  const std::optional<MachineIndex> index = view.IndexOf(machine);
  if (!index) {
    return Status(Code::kNotFound, fmt::format("there is no machine {}", machine.str()));
  }
  const std::optional<TenantIndex> tenant = view.IndexOf(service.tenant);
  if (!tenant) {
    return Status(Code::kNotFound, fmt::format("there is no tenant {}", service.tenant.str()));
  }
  Instance wanted;
  wanted.id = {service.name, service.next_number};
  Scratch scratch(view);
  if (number) {
    const Instance* found = view.Find(InstanceId{service.name, *number});
    if (found == nullptr) {
      return Status(Code::kNotFound,
                    fmt::format("there is no instance {}/{}", service.name, *number));
    }
    wanted = *found;
    wanted.machine = MachineId();
    wanted.state = InstanceState::kPending;
    scratch.Install(wanted);
  } else if (!service.groups.empty()) {
    wanted.type = service.groups.front().type;
    wanted.role = service.groups.front().role;
  }
  const InstanceType* type = view.Find(wanted.type);
  if (type == nullptr) {
    return Status(Code::kNotFound, fmt::format("there is no type {}", wanted.type.str()));
  }
  if (!number) wanted.limit = type->size;
  Footprint footprint;
  if (const ServiceState* state = view.FindService(service.name))
    footprint = Footprint(view, *state);
  return ExplainMachine(asking.policy, asking.chooser,
                        AskFor(view, service, wanted, footprint, asking.outlook), *index);
}

std::string ExplainWhyNot(const WhyNot& why, const std::string& instance, MachineId machine) {
  const std::string& name = machine.str();
  std::string text;
  if (why.among_best) {
    text = fmt::format("{} is among the best machines for {}.\n", name, instance);
  } else if (why.valid) {
    text = fmt::format("{} could take {}, but others are better:\n", name, instance);
  } else {
    text = fmt::format("{} cannot take {}:\n", name, instance);
  }
  for (const std::string& reason : why.reasons) text += fmt::format("  {}\n", reason);
  for (const WhyNot::Ahead& ahead : why.ahead) AddForeseen(ahead.machine, ahead.foreseen, text);
  if (why.blind) {
    text += "The policy looks ahead, and nothing is foreseen here: ask the server.\n";
  }
  return text;
}

}  // namespace berth
