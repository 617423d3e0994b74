#include "allocate/refusal.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>

#include "allocate/foresee.h"
#include "allocate/points.h"
#include "allocate/refusing.h"

namespace berth {
namespace {

constexpr std::size_t kNearestMax = 3;

// How hard a cure is to come by, the easiest first.
int Hardness(Cure cure) {
  switch (cure) {
    case Cure::kRetry:
      return 0;
    case Cure::kMoreMachines:
      return 1;
    case Cure::kOtherRules:
      return 2;
    case Cure::kMoreQuota:
      return 3;
    case Cure::kSmallerAsk:
      return 4;
    case Cure::kNothing:
      return 5;
  }
  return 5;
}

// How much of what is asked a machine lacks, in points of its size: 0 when all of it is there.
std::uint32_t Shortage(const Ask& ask, const MachineState& machine) {
  std::uint32_t most = 0;
  const Resources free = machine.Free();
  for (const Resource r : kAllResources) {
    if (ask.traits.limit[r] > free[r])
      most = std::max(most, ShareInPoints(ask.traits.limit[r] - free[r], ask.traits.limit[r]));
  }
  return most;
}

struct Miss {
  MachineIndex index;
  std::size_t failing = 0;  // How many validators refuse it.
  std::optional<Refusing> first = std::nullopt;
  int hardness = 0;  // Of the hardest cure among them.
  Cure cure = Cure::kNothing;
  std::uint32_t shortage = 0;
};

Miss LookAt(const AllocatePolicy& policy, const Ask& ask, MachineIndex index) {
  const Candidate machine{index, ask.inventory[index]};
  Miss miss{.index = index};
  ForEachRefusing(policy, ask, machine, [&](const Refusing& refusing) {
    ++miss.failing;
    if (!miss.first) miss.first = refusing;
    const Cure cure = refusing.CureFor(ask, machine);
    if (Hardness(cure) >= miss.hardness) {
      miss.hardness = Hardness(cure);
      miss.cure = cure;
    }
  });
  miss.shortage = Shortage(ask, machine.state);
  return miss;
}

// The last step that still took machines away.
RuleId LastObstacle(const Funnel& funnel) {
  std::uint32_t before = funnel.machines;
  RuleId last("fits");
  for (const FunnelStep& step : funnel.steps) {
    if (step.left < before) last = step.rule;
    before = step.left;
  }
  return last;
}

}  // namespace

Refusal ExplainRefusal(const AllocatePolicy& policy, const Ask& ask, const Funnel& funnel) {
  std::vector<Miss> misses;
  const auto machines = ask.inventory.machines();
  for (std::uint32_t i = 0; i < machines.size(); ++i) {
    if (machines[i].vacant() || MachineIndex{i} == ask.leaving) continue;
    misses.push_back(LookAt(policy, ask, MachineIndex{i}));
  }
  const auto name_of = [&](const Miss& m) { return ask.inventory[m.index].record.name; };
  const auto nearer = [&](const Miss& a, const Miss& b) {
    return std::tuple(a.hardness, a.failing, a.shortage, name_of(a)) <
           std::tuple(b.hardness, b.failing, b.shortage, name_of(b));
  };
  const std::size_t kept = std::min(kNearestMax, misses.size());
  std::ranges::partial_sort(misses, misses.begin() + static_cast<std::ptrdiff_t>(kept), nearer);

  Refusal refusal{
      .rule = LastObstacle(funnel), .because = {}, .cure = Cure::kMoreMachines, .nearest = {}};
  if (!misses.empty()) refusal.cure = misses.front().cure;
  for (std::size_t i = 0; i < kept; ++i) {
    const Miss& miss = misses[i];
    if (!miss.first) continue;
    std::string lacks = miss.first->Lacks(ask, {miss.index, ask.inventory[miss.index]});
    if (const std::optional<Foreseen> foreseen = Foresee(policy, ask, miss.index)) {
      lacks += fmt::format("; would ever need more than it has: {}", InWords(*foreseen));
    }
    refusal.nearest.push_back(
        {.machine = name_of(miss), .rule = miss.first->rule(), .lacks = std::move(lacks)});
  }
  const std::string wanted =
      fmt::format("take an instance of type {} ({})", ask.traits.type.name.str(),
                  FormatResources(ask.traits.limit));
  if (!misses.empty()) {
    refusal.because = fmt::format("none of {} machines can {}", misses.size(), wanted);
  } else if (ask.leaving) {
    refusal.because = fmt::format("there is no other machine than {} to {}",
                                  ask.inventory[*ask.leaving].record.name.str(), wanted);
  } else {
    refusal.because = fmt::format("there is no machine to {}", wanted);
  }
  return refusal;
}

WhyNot ExplainMachine(const AllocatePolicy& policy, Chooser& chooser, const Ask& ask,
                      MachineIndex index) {
  WhyNot why;
  const Candidate machine{index, ask.inventory[index]};
  const auto look_ahead = [&](const Candidate& at) {
    if (const std::optional<Foreseen> foreseen = Foresee(policy, ask, at.index)) {
      why.ahead.push_back({at.state.record.name, *foreseen});
    }
  };
  why.blind = LooksAhead(policy) && ask.outlook == nullptr;
  look_ahead(machine);
  ForEachRefusing(policy, ask, machine, [&](const Refusing& refusing) {
    why.reasons.push_back(
        fmt::format("{}: {}", refusing.rule().str(), refusing.Lacks(ask, machine)));
  });
  why.valid = why.reasons.empty();
  if (!why.valid) return why;

  const Chooser::Found found = chooser.Find(ask, chooser.Order(ask));
  if (found.best == 0) return why;
  const std::vector<MachineIndex> all_best = chooser.Top(ask, found.best);
  why.among_best = std::ranges::find(all_best, index) != all_best.end();
  if (why.among_best) return why;
  const Candidate best{all_best.front(), ask.inventory[all_best.front()]};
  look_ahead(best);
  for (const RankedPreference& preference : policy.preferences) {
    const std::uint64_t mine = preference.KeyPart(ask, machine) >> preference.place.shift;
    const std::uint64_t theirs = preference.KeyPart(ask, best) >> preference.place.shift;
    if (mine == theirs) continue;
    why.reasons.push_back(
        mine > theirs
            ? fmt::format("{}: scores {} where the best, such as {}, score {} (lower is better)",
                          preference.rule().name(), mine, best.state.record.name.str(), theirs)
            : fmt::format("its cluster {} was not among the {} that were looked at",
                          machine.state.record.cluster.str(), found.funnel.clusters));
    return why;
  }
  why.reasons.push_back(fmt::format("its cluster {} was not among the {} that were looked at",
                                    machine.state.record.cluster.str(), found.funnel.clusters));
  return why;
}

}  // namespace berth
