#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/text.h"
#include "fleet/predicates.h"
#include "sim/scenario_expect.h"

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

Result<Expectation> ReadLimit(Line& line, const Subject& subject) {
  BERTH_TRY(const Compared wanted, ReadCompared(line));
  std::optional<TypeId> type;
  if (line.Take("of")) {
    BERTH_TRY(const std::string name, line.Name("a type"));
    type = TypeId(name);
  }
  return OfInstances(subject, [=](const Situation&, const std::vector<Instance>& all) -> Found {
    for (const Instance& instance : all) {
      if (type && instance.type != *type) continue;
      if (!wanted.Holds(instance.limit)) {
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

Result<Expectation> ReadAdvisedOf(Line& line, const Subject& subject) {
  return ReadAdvised(line, subject.service);
}
Result<Expectation> ReadHeldBackOf(Line& line, const Subject& subject) {
  return ReadHeldBack(line, subject.service);
}

Result<Expectation> ReadCountedOf(Line& line, const Subject& subject) {
  return ReadCounted(line, subject.service);
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
    Predicate{"advised", ReadAdvisedOf},
    Predicate{"held-back", ReadHeldBackOf},
    Predicate{"counted", ReadCountedOf},
    Predicate{"failures", ReadCounter<&Timeline::failures>},
    Predicate{"oom", ReadCounter<&Timeline::out_of_memory>},
    Predicate{"preemptions", ReadCounter<&Timeline::preemptions>},
    Predicate{"waited", ReadSpan<&Timeline::waited>},
    Predicate{"ran", ReadSpan<&Timeline::ran>},
};

}  // namespace

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

}  // namespace berth
