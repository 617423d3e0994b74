#include <fmt/format.h>

#include <algorithm>

#include "engine/replicator.h"
#include "sim/scenario_expect.h"

namespace berth {
namespace {

using Found = std::optional<std::string>;

constexpr std::int64_t kNotWritten = -1;

Result<Expectation> ReadOfMachine(Line& line) {
  BERTH_TRY(const std::string name, line.Name("a machine"));
  const auto of = [&](std::function<Found(const MachineState&)> check) -> Expectation {
    return [id = MachineId(name), check = std::move(check)](const Situation& now) -> Found {
      const MachineState* machine = now.view.Find(id);
      return machine == nullptr ? fmt::format("there is no machine {}", id.str()) : check(*machine);
    };
  };
  if (line.Take("free")) {
    BERTH_TRY(const Resources wanted, ReadSomeAmounts(line));
    return of([wanted](const MachineState& machine) -> Found {
      if (Agree(wanted, machine.Free())) return std::nullopt;
      return fmt::format("{} free", ShowAmounts(machine.Free()));
    });
  }
  if (line.Take("holds")) {
    BERTH_TRY(const std::uint32_t wanted, line.Count("a number of instances"));
    return of([wanted](const MachineState& machine) -> Found {
      const std::size_t found = machine.instances.size();
      return found == wanted ? Found() : fmt::format("holds {}", found);
    });
  }
  for (const Health health :
       {Health::kReady, Health::kDraining, Health::kDown, Health::kUpdating}) {
    if (!line.Take(ToString(health))) continue;
    return of([health](const MachineState& machine) -> Found {
      const Health found = machine.record.health;
      return found == health ? Found() : fmt::format("is {}", ToString(found));
    });
  }
  return line.ErrorAtNext("free, holds, ready, draining, down or updating must stand here");
}

Result<Expectation> ReadOfTenant(Line& line) {
  BERTH_TRY(const std::string name, line.Name("a tenant"));
  BERTH_RETURN_IF_ERROR(line.Expect("uses"));
  BERTH_TRY(const Resources wanted, ReadSomeAmounts(line));
  return Expectation([id = TenantId(name), wanted](const Situation& now) -> Found {
    const TenantState* tenant = now.view.Find(id);
    if (tenant == nullptr) return fmt::format("there is no tenant {}", id.str());
    Resources used;
    for (const Resource r : kAllResources) used[r] = static_cast<std::int64_t>(tenant->used[r]);
    return Agree(wanted, used) ? Found() : fmt::format("uses {}", ShowAmounts(used));
  });
}

Result<Expectation> ReadAbsence(Line& line) {
  for (const RecordKind kind :
       {RecordKind::kService, RecordKind::kMachine, RecordKind::kType, RecordKind::kTenant}) {
    if (!line.Take(ToString(kind))) continue;
    BERTH_TRY(const std::string name, line.Name("a name"));
    return Expectation([key = KeyOf(kind, name)](const Situation& now) -> Found {
      return now.view.Get(key) ? fmt::format("{} exists", ToString(key)) : Found();
    });
  }
  return line.ErrorAtNext("service, machine, type or tenant and a name must stand here");
}

// "last refused because fits cure smaller-ask".
Result<Expectation> ReadOfLast(Line& line) {
  std::string wanted;
  for (const std::string_view outcome : {"accepted", "refused", "waits", "duplicate"}) {
    if (line.Take(outcome)) wanted = outcome;
  }
  if (wanted.empty())
    return line.ErrorAtNext("accepted, refused, waits or duplicate must stand here");
  std::optional<RuleId> because;
  std::optional<Cure> cure;
  if (line.Take("because")) {
    BERTH_TRY(const std::string rule, line.Name("a rule"));
    because = RuleId(rule);
  }
  if (line.Take("cure")) {
    BERTH_TRY(cure, ReadCure(line));
  }
  return Expectation([=](const Situation& now) -> Found {
    const Reply& reply = now.last;
    if (!reply.status.ok()) return reply.status.message();
    const bool refusal = reply.decision && reply.decision->refusal;
    const bool waits = reply.accepted() && refusal;
    const bool holds = wanted == "duplicate" ? reply.duplicate
                       : wanted == "refused" ? !reply.accepted()
                       : wanted == "waits"   ? waits
                                             : reply.accepted() && !waits;
    if (!holds) {
      return std::string(reply.duplicate    ? "it is a duplicate"
                         : waits            ? "it waits"
                         : reply.accepted() ? "it was accepted"
                                            : "it was refused");
    }
    if (because && (!refusal || reply.decision->refusal->rule != *because)) {
      return fmt::format("because {}", refusal ? reply.decision->refusal->rule.str() : "nothing");
    }
    if (cure && (!refusal || reply.decision->refusal->cure != *cure)) {
      return fmt::format("cure {}", refusal ? ToString(reply.decision->refusal->cure) : "none");
    }
    return std::nullopt;
  });
}

template <std::uint64_t (*kNumber)(const Situation&)>
Result<Expectation> ReadNumber(Line& line) {
  BERTH_TRY(const std::uint32_t wanted, line.Count("a number"));
  return Expectation([wanted](const Situation& now) -> Found {
    const std::uint64_t found = kNumber(now);
    return found == wanted ? Found() : fmt::format("{} are counted", found);
  });
}
std::uint64_t Decisions(const Situation& now) { return now.decisions; }
std::uint64_t Waiting(const Situation& now) { return now.stats.pending; }
std::uint64_t Reallocated(const Situation& now) { return now.stats.reallocated; }
std::uint64_t Violations(const Situation& now) { return now.stats.violations; }
std::uint64_t ResolvingMoves(const Situation& now) { return now.stats.resolving_moves; }
std::uint64_t Resizes(const Situation& now) { return now.stats.resizes; }
std::uint64_t Scalings(const Situation& now) {
  const Replicator::Counts counts = now.replicator.counts();
  return counts.grown + counts.shrunk;
}
std::uint64_t RoomMakingMoves(const Situation& now) { return now.stats.room_making_moves; }

}  // namespace

Result<Resources> ReadSomeAmounts(Line& line) {
  Resources unwritten;
  for (const Resource r : kAllResources) unwritten[r] = kNotWritten;
  return line.Amounts(unwritten);
}
bool Agree(const Resources& wanted, const Resources& found) {
  return std::ranges::all_of(
      kAllResources, [&](Resource r) { return wanted[r] == kNotWritten || wanted[r] == found[r]; });
}
std::string ShowAmounts(const Resources& amounts) {
  return amounts.IsZero() ? "nothing" : FormatResources(amounts);
}

Result<Expectation> ReadExpectation(Line& line) {
  if (line.Take("machine")) return ReadOfMachine(line);
  if (line.Take("tenant")) return ReadOfTenant(line);
  if (line.Take("no")) return ReadAbsence(line);
  if (line.Take("last")) return ReadOfLast(line);
  if (line.Take("decisions")) return ReadNumber<Decisions>(line);
  if (line.Take("waiting")) return ReadNumber<Waiting>(line);
  if (line.Take("reallocated")) return ReadNumber<Reallocated>(line);
  if (line.Take("violations")) return ReadNumber<Violations>(line);
  if (line.Take("resolving-moves")) return ReadNumber<ResolvingMoves>(line);
  if (line.Take("resizes")) return ReadNumber<Resizes>(line);
  if (line.Take("scalings")) return ReadNumber<Scalings>(line);
  if (line.Take("room-making-moves")) return ReadNumber<RoomMakingMoves>(line);
  return ReadOfInstances(line);
}

}  // namespace berth
