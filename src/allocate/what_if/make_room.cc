#include "allocate/what_if/make_room.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "allocate/points.h"
#include "allocate/refusing.h"
#include "allocate/what_if/mover.h"

namespace berth {
namespace {

// Of the machines that lack nothing but room, so many that lack least.
constexpr std::size_t kMachinesMax = 64;
// Where one instance is not enough, the largest so many of a machine.
constexpr std::size_t kTogetherMax = 32;
// So many ways are tried to their end.
constexpr std::size_t kWaysMax = 200;

struct Tight {
  MachineIndex machine;
  std::uint32_t shortage = 0;  // Of what is asked, in points.
  Resources lacks = {};
};

struct Leaver {
  InstanceId id;
  Resources limit;
  double size = 0;  // Its share of the machine, all resources together.
};

// A set of instances whose leaving would be enough.
struct Way {
  double size = 0;
  std::vector<InstanceId> leaving;
};
bool IsSmaller(const Way& a, const Way& b) {
  return std::tie(a.size, a.leaving) < std::tie(b.size, b.leaving);
}

bool Covers(const Resources& room, const Resources& lacks) { return lacks.FitsIn(room); }

// What the machine lacks of what is asked, if that is all that keeps it from taking it.
std::optional<Tight> LacksOnlyRoom(const AllocatePolicy& policy, const Ask& ask,
                                   const Candidate& machine) {
  static const RuleId kFits("fits");
  bool lacks_more = false;
  ForEachRefusing(policy, ask, machine, [&](const Refusing& refusing) {
    lacks_more = lacks_more || refusing.rule() != kFits;
  });
  if (lacks_more || !ask.traits.limit.FitsIn(machine.state.usable)) return std::nullopt;
  Tight tight{.machine = machine.index};
  const Resources free = machine.state.Free();
  for (const Resource r : kAllResources) {
    tight.lacks[r] = std::max<std::int64_t>(ask.traits.limit[r] - free[r], 0);
    if (tight.lacks[r] == 0) continue;
    tight.shortage = std::max(tight.shortage, ShareInPoints(tight.lacks[r], ask.traits.limit[r]));
  }
  return tight;
}

// Those that lack least first. Empty too when one of them takes it as it is.
std::vector<Tight> TightMachines(const AllocatePolicy& policy, const Ask& ask) {
  std::vector<Tight> tight;
  const auto machines = ask.inventory.machines();
  for (std::uint32_t i = 0; i < machines.size(); ++i) {
    if (machines[i].vacant()) continue;
    const Candidate machine{MachineIndex{i}, machines[i]};
    const std::optional<Tight> lacking = LacksOnlyRoom(policy, ask, machine);
    if (!lacking) continue;
    if (lacking->lacks == Resources()) return {};
    tight.push_back(*lacking);
  }
  const auto name_of = [&](const Tight& t) { return ask.inventory[t.machine].record.name; };
  const auto nearer = [&](const Tight& a, const Tight& b) {
    return std::tuple(a.shortage, name_of(a)) < std::tuple(b.shortage, name_of(b));
  };
  const std::size_t kept = std::min(kMachinesMax, tight.size());
  std::ranges::partial_sort(tight, tight.begin() + static_cast<std::ptrdiff_t>(kept), nearer);
  tight.resize(kept);
  return tight;
}

// Who could leave and would help, the largest first. Those of the service that waits stay: where
// they are decides where it may be.
std::vector<Leaver> LeaversOf(const Inventory& fleet, const Tight& tight,
                              const std::string& waiting) {
  const MachineState& machine = fleet[tight.machine];
  std::vector<Leaver> leavers;
  for (const InstanceRef& ref : machine.instances) {
    const std::string& service = fleet[ref.service].record.name;
    if (service == waiting) continue;
    Leaver leaver{.id = {service, ref.number}, .limit = {}, .size = 0};
    leaver.limit = fleet.Find(leaver.id)->limit;
    bool helps = false;
    for (const Resource r : kAllResources) {
      helps = helps || (tight.lacks[r] > 0 && leaver.limit[r] > 0);
      if (machine.usable[r] <= 0) continue;
      leaver.size += static_cast<double>(leaver.limit[r]) / static_cast<double>(machine.usable[r]);
    }
    if (helps) leavers.push_back(std::move(leaver));
  }
  std::ranges::sort(leavers, [](const Leaver& a, const Leaver& b) {
    return std::tie(b.size, a.id) < std::tie(a.size, b.id);
  });
  return leavers;
}

// Adds the sets of just `count` leavers from `from` on that are enough with those in `way`. One
// that is enough without its last is no way: if it cannot be gone without that one, it cannot with
// it.
void AddWays(const std::vector<Leaver>& leavers, const Resources& lacks, std::size_t from,
             std::size_t count, const Resources& freed, const Way& way, std::vector<Way>& ways) {
  for (std::size_t i = from; i < leavers.size(); ++i) {
    const Resources room = freed + leavers[i].limit;
    Way next = way;
    next.size += leavers[i].size;
    next.leaving.push_back(leavers[i].id);
    const bool enough = Covers(room, lacks);
    if (count > 1) {
      if (!enough) AddWays(leavers, lacks, i + 1, count - 1, room, next, ways);
    } else if (enough) {
      ways.push_back(std::move(next));
    }
  }
}

std::vector<Way> WaysOn(const Inventory& fleet, const Tight& tight, const std::string& waiting,
                        std::size_t count) {
  std::vector<Leaver> leavers = LeaversOf(fleet, tight, waiting);
  if (count > 1 && leavers.size() > kTogetherMax) leavers.resize(kTogetherMax);
  std::vector<Way> ways;
  AddWays(leavers, tight.lacks, 0, count, Resources(), Way(), ways);
  return ways;
}

}  // namespace

std::optional<RoomPlan> PlanRoom(const AllocatePolicy& policy, const Inventory& fleet,
                                 const Instance& waiting, const Outlook* outlook) {
  const ServiceState& service = *fleet.FindService(waiting.id.service);
  const Footprint footprint(fleet, service);
  const Ask ask = AskFor(fleet, service.record, waiting, footprint, outlook);
  const std::vector<Tight> tight = TightMachines(policy, ask);
  if (tight.empty()) return std::nullopt;
  Mover mover(policy, fleet, outlook);
  std::size_t tried = 0;
  for (std::size_t count = 1; count <= kRoomMovesMax; ++count) {
    std::vector<Way> ways;
    for (const Tight& machine : tight) {
      std::ranges::move(WaysOn(fleet, machine, waiting.id.service, count),
                        std::back_inserter(ways));
    }
    std::ranges::sort(ways, IsSmaller);
    for (const Way& way : ways) {
      if (tried++ == kWaysMax) return std::nullopt;
      auto moves = mover.MoveAway(way.leaving);
      if (moves) return RoomPlan{moves->front().from, *std::move(moves)};
    }
  }
  return std::nullopt;
}

}  // namespace berth
