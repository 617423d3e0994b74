#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "fleet/predicates.h"
#include "sim/scenario_verbs.h"

namespace berth {
namespace {

using Found = std::optional<std::string>;

// What is expected of the instances of a service, or of one of them.
struct Subject {
  std::string service;
  std::optional<std::uint32_t> number;

  std::string Text() const { return number ? ToString(InstanceId{service, *number}) : service; }
};
// Looks at instances that are there; at least one.
using InstanceCheck = std::function<Found(const Situation&, const std::vector<Instance>&)>;

Expectation OfInstances(const Subject& subject, InstanceCheck check) {
  return [subject, check = std::move(check)](const Situation& now) -> Found {
    const ServiceState* service = now.view.FindService(subject.service);
    if (service == nullptr) return fmt::format("there is no service {}", subject.service);
    std::vector<Instance> instances;
    for (const Instance& instance : service->instances) {
      if (!subject.number || instance.id.number == *subject.number) instances.push_back(instance);
    }
    if (instances.empty()) return fmt::format("there is no {}", subject.Text());
    return check(now, instances);
  };
}

std::string WhereIs(const Instance& instance) {
  return instance.HoldsRoom()
             ? fmt::format("{} is on {}", ToString(instance.id), instance.machine.str())
             : fmt::format("{} is {}", ToString(instance.id), ToString(instance.state));
}

std::string WhereAre(const std::vector<Instance>& instances) {
  constexpr std::size_t kShownMax = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(kShownMax, instances.size()); ++i) {
    text += (i == 0 ? "" : ", ") + WhereIs(instances[i]);
  }
  return instances.size() > kShownMax ? text + "..." : text;
}

Result<std::vector<MachineId>> ReadMachineNames(Line& line) {
  std::vector<MachineId> names;
  do {
    BERTH_TRY(const std::string name, line.Name("a machine"));
    names.emplace_back(name);
  } while (!line.AtEnd());
  return names;
}

// "placed", "pending 2": all of them, or so many.
template <bool (*kCounts)(const Instance&)>
Result<Expectation> ReadState(Line& line, const Subject& subject) {
  std::optional<std::uint32_t> wanted;
  if (!line.AtEnd()) {
    BERTH_TRY(wanted, line.Count("a number of instances"));
  }
  return OfInstances(
      subject, [wanted](const Situation&, const std::vector<Instance>& all) -> Found {
        const auto count = static_cast<std::size_t>(std::ranges::count_if(all, kCounts));
        if (count == (wanted ? *wanted : all.size())) return std::nullopt;
        return fmt::format("{} of {} are: {}", count, all.size(), WhereAre(all));
      });
}
bool IsPlaced(const Instance& instance) { return instance.HoldsRoom(); }
bool IsPending(const Instance& instance) { return instance.state == InstanceState::kPending; }
bool IsRunning(const Instance& instance) { return instance.state == InstanceState::kRunning; }
bool IsEnded(const Instance& instance) { return instance.state == InstanceState::kEnded; }

Result<Expectation> ReadOn(Line& line, const Subject& subject) {
  BERTH_TRY(const std::vector<MachineId> names, ReadMachineNames(line));
  return OfInstances(subject, [names](const Situation&, const std::vector<Instance>& all) -> Found {
    std::set<MachineId> used;
    for (const Instance& instance : all) {
      if (std::ranges::find(names, instance.machine) == names.end()) return WhereIs(instance);
      used.insert(instance.machine);
    }
    const std::set<MachineId> wanted(names.begin(), names.end());
    return used == wanted ? Found() : WhereAre(all);
  });
}

Result<Expectation> ReadNotOn(Line& line, const Subject& subject) {
  BERTH_RETURN_IF_ERROR(line.Expect("on"));
  BERTH_TRY(const std::vector<MachineId> names, ReadMachineNames(line));
  return OfInstances(subject, [names](const Situation&, const std::vector<Instance>& all) -> Found {
    for (const Instance& instance : all) {
      if (std::ranges::find(names, instance.machine) != names.end()) return WhereIs(instance);
    }
    return std::nullopt;
  });
}

// What lies around a machine, as a key: its rack, its cluster, itself.
using Around = std::uint32_t (*)(const Inventory&, MachineIndex);
std::uint32_t RackAround(const Inventory& view, MachineIndex m) {
  return static_cast<std::uint32_t>(view[m].rack);
}
std::uint32_t ClusterAround(const Inventory& view, MachineIndex m) {
  return static_cast<std::uint32_t>(view[m].cluster);
}
std::uint32_t MachineAround(const Inventory& /*view*/, MachineIndex m) {
  return static_cast<std::uint32_t>(m);
}

std::map<std::uint32_t, std::uint32_t> CountBy(Around around, const Inventory& view,
                                               const std::vector<Instance>& instances) {
  std::map<std::uint32_t, std::uint32_t> counts;
  for (const Instance& instance : instances) {
    if (instance.HoldsRoom()) ++counts[around(view, *view.IndexOf(instance.machine))];
  }
  return counts;
}

// "over 3 racks".
Result<Expectation> ReadOver(Line& line, const Subject& subject) {
  BERTH_TRY(const std::uint32_t wanted, line.Count("a number"));
  Around around = nullptr;
  if (line.Take("machines") || line.Take("machine")) around = MachineAround;
  if (line.Take("racks") || line.Take("rack")) around = RackAround;
  if (line.Take("clusters") || line.Take("cluster")) around = ClusterAround;
  if (around == nullptr) return line.ErrorAtNext("machines, racks or clusters must stand here");
  return OfInstances(subject, [=](const Situation& now, const std::vector<Instance>& all) -> Found {
    const std::size_t found = CountBy(around, now.view, all).size();
    return found == wanted ? Found() : fmt::format("over {}: {}", found, WhereAre(all));
  });
}

// "at most 2 per rack".
Result<Expectation> ReadAtMost(Line& line, const Subject& subject) {
  BERTH_RETURN_IF_ERROR(line.Expect("most"));
  BERTH_TRY(const std::uint32_t most, line.Count("a number"));
  BERTH_RETURN_IF_ERROR(line.Expect("per"));
  Around around = nullptr;
  if (line.Take("machine")) around = MachineAround;
  if (line.Take("rack")) around = RackAround;
  if (around == nullptr) return line.ErrorAtNext("machine or rack must stand here");
  return OfInstances(subject, [=](const Situation& now, const std::vector<Instance>& all) -> Found {
    for (const auto& [key, count] : CountBy(around, now.view, all)) {
      if (count > most) return fmt::format("{} are together: {}", count, WhereAre(all));
    }
    return std::nullopt;
  });
}

Result<Expectation> ReadWithin(Line& line, const Subject& subject) {
  Scope scope = Scope::kZone;
  for (const Scope named : {Scope::kDatacenter, Scope::kCluster, Scope::kRow}) {
    if (line.Take(ToString(named))) scope = named;
  }
  if (scope == Scope::kZone) return line.ErrorAtNext("datacenter, cluster or row must stand here");
  return OfInstances(subject, [=](const Situation& now, const std::vector<Instance>& all) -> Found {
    const MachineState* first = nullptr;
    for (const Instance& instance : all) {
      const MachineState* machine = now.view.Find(instance.machine);
      if (machine == nullptr) continue;
      if (first == nullptr) first = machine;
      if (!SameScope(scope, *first, *machine)) return WhereAre(all);
    }
    return std::nullopt;
  });
}

// Only the amounts that were written are compared.
constexpr std::int64_t kNotWritten = -1;
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

Result<Expectation> ReadLimit(Line& line, const Subject& subject) {
  BERTH_TRY(const Resources wanted, ReadSomeAmounts(line));
  std::optional<TypeId> type;
  if (line.Take("of")) {
    BERTH_TRY(const std::string name, line.Name("a type"));
    type = TypeId(name);
  }
  return OfInstances(subject, [=](const Situation&, const std::vector<Instance>& all) -> Found {
    for (const Instance& instance : all) {
      if (type && instance.type != *type) continue;
      if (!Agree(wanted, instance.limit)) {
        return fmt::format("{} has {}", ToString(instance.id), ShowAmounts(instance.limit));
      }
    }
    return std::nullopt;
  });
}

// "failures 2", "oom 1", "preemptions 1": summed over the instances.
template <std::uint32_t Timeline::*kCounter>
Result<Expectation> ReadCounter(Line& line, const Subject& subject) {
  BERTH_TRY(const std::uint32_t wanted, line.Count("a number"));
  return OfInstances(subject, [=](const Situation&, const std::vector<Instance>& all) -> Found {
    std::uint32_t sum = 0;
    for (const Instance& instance : all) sum += instance.timeline.*kCounter;
    return sum == wanted ? Found() : fmt::format("{} are counted", sum);
  });
}

// "waited 10s": before it entered the state it is in.
template <Duration Timeline::*kSpan>
Result<Expectation> ReadSpan(Line& line, const Subject& subject) {
  BERTH_TRY(const std::string text, line.Next("a length of time"));
  const Result<Duration> wanted = ParseDuration(text);
  if (!wanted.ok()) return line.Error(wanted.status().message());
  return OfInstances(
      subject,
      [wanted = wanted.value()](const Situation&, const std::vector<Instance>& all) -> Found {
        for (const Instance& instance : all) {
          if (instance.timeline.*kSpan != wanted) {
            return fmt::format("{}: {}", ToString(instance.id),
                               FormatDuration(instance.timeline.*kSpan));
          }
        }
        return std::nullopt;
      });
}

struct Predicate {
  std::string_view word;
  Result<Expectation> (*read)(Line& line, const Subject& subject);
};
constexpr std::array kPredicates = {
    Predicate{"placed", ReadState<IsPlaced>},
    Predicate{"pending", ReadState<IsPending>},
    Predicate{"running", ReadState<IsRunning>},
    Predicate{"ended", ReadState<IsEnded>},
    Predicate{"on", ReadOn},
    Predicate{"not", ReadNotOn},
    Predicate{"over", ReadOver},
    Predicate{"at", ReadAtMost},
    Predicate{"within", ReadWithin},
    Predicate{"limit", ReadLimit},
    Predicate{"failures", ReadCounter<&Timeline::failures>},
    Predicate{"oom", ReadCounter<&Timeline::out_of_memory>},
    Predicate{"preemptions", ReadCounter<&Timeline::preemptions>},
    Predicate{"waited", ReadSpan<&Timeline::waited>},
    Predicate{"ran", ReadSpan<&Timeline::ran>},
};

Result<Expectation> ReadOfInstances(Line& line) {
  Subject subject;
  if (line.Peek().find('/') != std::string_view::npos) {
    BERTH_TRY(InstanceId id, line.Instance());
    subject = {.service = std::move(id.service), .number = id.number};
  } else {
    BERTH_TRY(subject.service, line.Name("a service"));
  }
  std::string known;
  for (const Predicate& predicate : kPredicates) {
    if (line.Take(predicate.word)) return predicate.read(line, subject);
    known += (known.empty() ? "" : ", ") + std::string(predicate.word);
  }
  return line.ErrorAtNext(fmt::format("what is expected of {} is not understood; write one of {}",
                                      subject.Text(), known));
}

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

}  // namespace

Result<Expectation> ReadExpectation(Line& line) {
  if (line.Take("machine")) return ReadOfMachine(line);
  if (line.Take("tenant")) return ReadOfTenant(line);
  if (line.Take("no")) return ReadAbsence(line);
  if (line.Take("last")) return ReadOfLast(line);
  if (line.Take("decisions")) return ReadNumber<Decisions>(line);
  if (line.Take("waiting")) return ReadNumber<Waiting>(line);
  if (line.Take("reallocated")) return ReadNumber<Reallocated>(line);
  return ReadOfInstances(line);
}

}  // namespace berth
