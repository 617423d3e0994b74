#include "sim/scenario_verbs.h"

#include <fmt/format.h>

#include <array>
#include <filesystem>

#include "base/text.h"
#include "fleet/fleet_file.h"
#include "fleet/service_file.h"

namespace berth {
namespace {

std::vector<Deed> AskFor(Action action) { return {Request{.what = std::move(action)}}; }

Result<Scope> ReadScope(Line& line) {
  for (const Scope scope : {Scope::kZone, Scope::kDatacenter, Scope::kCluster, Scope::kRow}) {
    if (line.Take(ToString(scope))) return scope;
  }
  return line.ErrorAtNext("zone, datacenter, cluster or row must stand here");
}

Status ReadConstraints(Line& line, Service& service) {
  Constraints& constraints = service.constraints;
  for (;;) {
    if (line.Take("spread")) {
      BERTH_TRY(constraints.spread_racks, line.Count("a number of racks"));
    } else if (line.Take("per-machine")) {
      BERTH_TRY(constraints.max_per_machine, line.Count("a number per machine"));
    } else if (line.Take("per-rack")) {
      BERTH_TRY(constraints.max_per_rack, line.Count("a number per rack"));
    } else if (line.Take("per-update-domain")) {
      BERTH_TRY(constraints.max_per_update_domain, line.Count("a number per update domain"));
    } else if (line.Take("within")) {
      BERTH_TRY(constraints.within, ReadScope(line));
    } else if (line.Take("label")) {
      BERTH_TRY(const Labels::value_type label, line.Label());
      AddLabel(constraints.labels, label);
    } else if (line.Take("isolate")) {
      constraints.isolate = true;
    } else if (line.Take("yield-whole")) {
      service.yield_whole = true;
    } else {
      return {};
    }
  }
}

Result<std::vector<Deed>> ReadScale(Line& line) {
  ScaleService scale;
  BERTH_TRY(scale.service, line.Name("a service"));
  BERTH_RETURN_IF_ERROR(line.Expect(":"));
  BERTH_TRY(scale.groups, line.Groups());
  return AskFor(std::move(scale));
}

Result<std::vector<Deed>> ReadResize(Line& line) {
  ResizeService resize;
  BERTH_TRY(resize.service, line.Name("a service"));
  BERTH_TRY(const std::string type, line.Name("a type"));
  resize.type = TypeId(type);
  BERTH_RETURN_IF_ERROR(line.Expect(":"));
  BERTH_TRY(resize.limit, line.Amounts());
  return AskFor(std::move(resize));
}

Result<std::vector<Deed>> ReadDelete(Line& line) {
  DeleteService remove;
  BERTH_TRY(remove.service, line.Name("a service"));
  return AskFor(std::move(remove));
}

Result<std::vector<Deed>> ReadMove(Line& line) {
  MoveInstance move;
  BERTH_TRY(move.instance, line.Instance());
  if (line.Take("to")) {
    BERTH_TRY(const std::string to, line.Name("a machine"));
    move.to = MachineId(to);
  }
  return AskFor(std::move(move));
}

Result<std::vector<Deed>> ReadPlace(Line& line) {
  PlacePending place;
  BERTH_TRY(place.service, line.Name("a service"));
  return AskFor(std::move(place));
}

Result<std::vector<Deed>> ReadSuspend(Line& line) {
  SuspendInstance suspend{.instance = {}, .reason = WaitReason::kPreempted};
  BERTH_TRY(suspend.instance, line.Instance());
  return AskFor(std::move(suspend));
}

Result<std::vector<Deed>> ReadReport(Line& line) {
  struct Named {
    std::string_view name;
    Reported report;
  };
  static constexpr std::array kReports = {
      Named{"started", Reported::kStarted}, Named{"ended", Reported::kEnded},
      Named{"failed", Reported::kFailed}, Named{"oom", Reported::kOutOfMemory}};
  ReportInstance report;
  BERTH_TRY(report.instance, line.Instance());
  for (const Named& named : kReports) {
    if (!line.Take(named.name)) continue;
    report.report = named.report;
    return AskFor(std::move(report));
  }
  return line.ErrorAtNext("started, ended, failed or oom must stand here");
}

template <Health kHealth>
Result<std::vector<Deed>> ReadHealth(Line& line) {
  std::vector<Deed> deeds;
  do {
    BERTH_TRY(const std::string machine, line.Name("a machine"));
    deeds.emplace_back(Request{.what = SetHealth{MachineId(machine), kHealth}});
  } while (!line.AtEnd() && line.Peek() != "because" && line.Peek() != "says");
  return deeds;
}

Result<std::vector<Deed>> ReadDecommission(Line& line) {
  BERTH_TRY(const std::string machine, line.Name("a machine"));
  return std::vector<Deed>{Decommission{MachineId(machine)}};
}

Result<std::vector<Deed>> ReadObserve(Line& line) {
  ObserveUsage observe;
  BERTH_TRY(observe.instance, line.Instance());
  BERTH_RETURN_IF_ERROR(line.Expect(":"));
  BERTH_TRY(observe.usage, line.Amounts());
  return std::vector<Deed>{observe};
}

Result<std::vector<Deed>> ReadRemove(Line& line) {
  ChangeFleet change;
  for (const RecordKind kind : {RecordKind::kMachine, RecordKind::kType, RecordKind::kTenant}) {
    if (!line.Take(ToString(kind))) continue;
    BERTH_TRY(const std::string name, line.Name("a name"));
    change.remove.push_back(KeyOf(kind, name));
    return AskFor(std::move(change));
  }
  return line.ErrorAtNext("machine, type or tenant and a name must stand here");
}

// Files are looked for beside the scenario.
std::string Beside(const Line& line, const std::string& name) {
  return (std::filesystem::path(line.file()).parent_path() / name).string();
}

Result<std::vector<Deed>> ReadFleet(Line& line) {
  BERTH_TRY(const std::string name, line.Next("a fleet file"));
  BERTH_TRY(const FleetFile fleet, ReadFleetFile(Beside(line, name)));
  std::vector<Deed> deeds;
  for (ChangeSet& change : ToChanges(fleet)) {
    ChangeFleet put;
    for (Operation& operation : change.operations) {
      put.put.push_back(std::move(std::get<Put>(operation).record));
    }
    deeds.emplace_back(Request{.what = std::move(put)});
  }
  return deeds;
}

Result<std::vector<Deed>> ReadServices(Line& line) {
  BERTH_TRY(const std::string name, line.Next("a service file"));
  BERTH_TRY(std::vector<Service> services, ReadServiceFile(Beside(line, name)));
  std::vector<Deed> deeds;
  deeds.reserve(services.size());
  for (Service& service : services) {
    deeds.emplace_back(Request{.what = CreateService{std::move(service)}});
  }
  return deeds;
}

constexpr std::array kVerbs = {
    Verb{"service", "service NAME: TENANT CLASS N x TYPE [as ROLE] [+ ...] [CONSTRAINTS]",
         ReadService},
    Verb{"scale", "scale NAME: N x TYPE [as ROLE] [+ ...]", ReadScale},
    Verb{"resize", "resize NAME TYPE: AMOUNTS", ReadResize},
    Verb{"delete", "delete NAME", ReadDelete},
    Verb{"move", "move NAME/N [to MACHINE]", ReadMove},
    Verb{"place", "place NAME", ReadPlace},
    Verb{"suspend", "suspend NAME/N", ReadSuspend},
    Verb{"report", "report NAME/N started|ended|failed|oom", ReadReport},
    Verb{"observe", "observe NAME/N: AMOUNTS", ReadObserve},
    Verb{"fail", "fail MACHINE...", ReadHealth<Health::kDown>},
    Verb{"drain", "drain MACHINE...", ReadHealth<Health::kDraining>},
    Verb{"update", "update MACHINE...", ReadHealth<Health::kUpdating>},
    Verb{"restore", "restore MACHINE...", ReadHealth<Health::kReady>},
    Verb{"decommission", "decommission MACHINE", ReadDecommission},
    Verb{"remove", "remove machine|type|tenant NAME", ReadRemove},
    Verb{"fleet", "fleet FILE", ReadFleet},
    Verb{"services", "services FILE", ReadServices},
    Verb{"machines", "machines RACK/NAME...: AMOUNTS [sku SKU] [domain D] [label K=V]",
         ReadMachines},
    Verb{"type", "type NAME: AMOUNTS [on SKU] [needs K=V]", ReadType},
    Verb{"tenant", "tenant NAME [quota AMOUNTS]", ReadTenant},
};

}  // namespace

std::span<const Verb> Verbs() { return kVerbs; }

Result<std::vector<Deed>> ReadService(Line& line) {
  CreateService create;
  Service& service = create.service;
  BERTH_TRY(service.name, line.Name("a name for a service"));
  BERTH_RETURN_IF_ERROR(line.Expect(":"));
  BERTH_TRY(const std::string tenant, line.Name("a tenant"));
  BERTH_TRY(const std::string klass, line.Name("a class"));
  service.tenant = TenantId(tenant);
  service.klass = ClassId(klass);
  BERTH_TRY(service.groups, line.Groups());
  BERTH_RETURN_IF_ERROR(ReadConstraints(line, service));
  return AskFor(std::move(create));
}

Result<Cure> ReadCure(Line& line) {
  std::string known;
  for (const Cure cure : {Cure::kNothing, Cure::kMoreMachines, Cure::kSmallerAsk, Cure::kOtherRules,
                          Cure::kMoreQuota, Cure::kRetry}) {
    if (line.Take(ToString(cure))) return cure;
    known += (known.empty() ? "" : ", ") + std::string(ToString(cure));
  }
  return line.ErrorAtNext(fmt::format("a cure must stand here; they are {}", known));
}

}  // namespace berth
