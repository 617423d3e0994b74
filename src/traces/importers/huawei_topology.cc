// VMs of Huawei Cloud's topology-aware placement set, in their order and without times:
// flavor_vcpus,flavor_ram,numa,strategy,group,domain. A row may end after numa or group.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/csv.h"
#include "base/text.h"
#include "berth/change.h"
#include "traces/held_trace.h"
#include "traces/imported_types.h"
#include "traces/importers/builtin.h"
#include "traces/row_values.h"
#include "traces/seconds.h"

namespace berth {
namespace {

constexpr std::string_view kHuaweiTenant = "huawei";  // The set names no owner.
constexpr std::string_view kHuaweiClass = "gold";     // Nor classes. Placed at once or refused.
constexpr std::int64_t kVcpusMax = 100'000;
constexpr std::int64_t kRamGbMax = 1'000'000;
constexpr std::int64_t kNumberMax = 1'000'000;  // Of groups and of domains.
constexpr std::string_view kReadColumns[] = {"flavor_vcpus", "flavor_ram", "strategy", "group",
                                             "domain"};

enum class Strategy : std::uint8_t { kAffinity, kAntiAffinity, kFaultDomain };
constexpr std::array<std::string_view, 3> kStrategyNames = {"affinity", "anti-affinity",
                                                            "fault_domain"};

// Groups are numbered for each strategy anew.
struct GroupKey {
  Strategy strategy{};
  std::int64_t number = 0;

  friend auto operator<=>(const GroupKey&, const GroupKey&) = default;
};

class VmReader {
 public:
  static Result<VmReader> Open(LineReader lines) {
    BERTH_TRY(CsvReader csv, CsvReader::Open(std::move(lines)));
    csv.AllowShortRows();
    VmReader vms(std::move(csv));
    BERTH_TRY(vms.vcpus_, vms.csv_.Column("flavor_vcpus"));
    BERTH_TRY(vms.ram_, vms.csv_.Column("flavor_ram"));
    BERTH_TRY(vms.strategy_, vms.csv_.Column("strategy"));
    BERTH_TRY(vms.group_, vms.csv_.Column("group"));
    BERTH_TRY(vms.domain_, vms.csv_.Column("domain"));
    return vms;
  }

  Status ReadAll() {
    for (;;) {
      BERTH_TRY(const bool more, csv_.Next());
      if (!more) break;
      if (rows_ == static_cast<std::int64_t>(kHeldRowsMax)) {
        return csv_.Error(fmt::format("over {} VMs; cut the file in pieces", kHeldRowsMax));
      }
      BERTH_RETURN_IF_ERROR(ReadVm());
      ++rows_;
    }
    for (const auto& [key, group] : groups_) Constrain(key, group);
    return {};
  }

  std::vector<Arrival> TakeArrivals() { return std::move(arrivals_); }
  const ImportedTypes& types() const { return types_; }
  TraceNotes Notes() const;

 private:
  struct Group {
    std::size_t arrival = 0;  // Where in arrivals_.
    std::set<std::int64_t> domains;
  };

  explicit VmReader(CsvReader csv) : csv_(std::move(csv)) {}

  Status ReadVm() {
    BERTH_TRY(const TypeId type, ReadType());
    BERTH_TRY(const std::optional<GroupKey> key, ReadGroup());
    if (!key) {
      Add(fmt::format("vm-{}", rows_), {.type = type, .role = {}, .count = 1});
      return {};
    }
    const auto [group, fresh] = groups_.try_emplace(*key);
    InstanceGroup instance{.type = type, .role = {}, .count = 1};
    if (key->strategy == Strategy::kFaultDomain) {
      BERTH_TRY(const std::int64_t domain, IntegerIn(csv_, domain_, {.min = 0, .max = kNumberMax}));
      group->second.domains.insert(domain);
      instance.role = RoleId(fmt::format("domain-{}", domain));
    }
    if (!fresh) return Join(arrivals_[group->second.arrival].service, instance);
    group->second.arrival = arrivals_.size();
    const std::string_view strategy = kStrategyNames[static_cast<std::size_t>(key->strategy)];
    Add(fmt::format("{}-{}", strategy, key->number), instance);
    return {};
  }

  Result<TypeId> ReadType() {
    ImportedSize size;
    BERTH_TRY(const std::int64_t vcpus, IntegerIn(csv_, vcpus_, {.min = 1, .max = kVcpusMax}));
    BERTH_TRY(const std::int64_t ram_gb, IntegerIn(csv_, ram_, {.min = 1, .max = kRamGbMax}));
    size.cpu_milli = vcpus * 1000;
    size.memory_mib = ram_gb * 1024;
    return types_.Of(csv_, size);
  }

  Result<std::optional<GroupKey>> ReadGroup() const {
    if (IsEmpty(csv_, strategy_)) return std::optional<GroupKey>();
    const std::string_view text = Trim(csv_.Text(strategy_));
    const auto* const known = std::ranges::find(kStrategyNames, text);
    if (known == kStrategyNames.end()) {
      return csv_.Error(strategy_, fmt::format("{} is not known; write affinity, anti-affinity, "
                                               "fault_domain or nothing",
                                               Quoted(text)));
    }
    BERTH_TRY(const std::int64_t number, IntegerIn(csv_, group_, {.min = 0, .max = kNumberMax}));
    return std::optional(GroupKey{.strategy = static_cast<Strategy>(known - kStrategyNames.begin()),
                                  .number = number});
  }

  void Add(std::string name, const InstanceGroup& instance) {
    Arrival& arrival = arrivals_.emplace_back();
    arrival.at = Time(rows_ * kOrderOnlySpacing);
    arrival.service.name = std::move(name);
    arrival.service.tenant = TenantId(kHuaweiTenant);
    arrival.service.klass = ClassId(kHuaweiClass);
    arrival.service.groups.push_back(instance);
  }

  Status Join(Service& service, const InstanceGroup& instance) const {
    if (service.InstanceCount() == kGangMax) {
      return csv_.Error(group_,
                        fmt::format("{} has over {} VMs, too many to place whole; leave some out",
                                    service.name, kGangMax));
    }
    const auto same = std::ranges::find_if(service.groups, [&](const InstanceGroup& group) {
      return group.type == instance.type && group.role == instance.role;
    });
    if (same != service.groups.end()) {
      ++same->count;
    } else {
      service.groups.push_back(instance);
    }
    return {};
  }

  void Constrain(const GroupKey& key, const Group& group) {
    Constraints& constraints = arrivals_[group.arrival].service.constraints;
    switch (key.strategy) {
      case Strategy::kAffinity:
        constraints.within = Scope::kRow;  // The narrowest there is.
        return;
      case Strategy::kAntiAffinity:
        constraints.max_per_machine = 1;
        return;
      case Strategy::kFaultDomain:
        constraints.spread_racks = static_cast<std::uint32_t>(group.domains.size());
        return;
    }
  }

  CsvReader csv_;
  CsvColumn vcpus_{};
  CsvColumn ram_{};
  CsvColumn strategy_{};
  CsvColumn group_{};
  CsvColumn domain_{};
  std::int64_t rows_ = 0;
  std::map<GroupKey, Group> groups_;
  std::vector<Arrival> arrivals_;
  ImportedTypes types_;
};

TraceNotes VmReader::Notes() const {
  TraceNotes notes;
  notes.lines.push_back(fmt::format("{} VMs of {} sizes, {} groups", FormatCount(rows_),
                                    types_.size(),
                                    FormatCount(static_cast<std::int64_t>(groups_.size()))));
  if (std::string ignored = IgnoredColumns(csv_, kReadColumns); !ignored.empty()) {
    notes.lines.push_back(std::move(ignored));
  }
  notes.lines.push_back("flavor_ram is taken as GiB; nodes of NUMA within a machine are ignored");
  notes.lines.push_back(
      "a group is one service, placed whole where its first VM stands in the file; a VM without a "
      "group is a service of its own");
  notes.lines.push_back(
      "affinity: all in one row; anti-affinity: at most one on a machine; fault_domain: spread "
      "over as many racks as the group has domains, the domain is the role");
  notes.lines.push_back(fmt::format("there are no times: a row stands for {} s, and every VM stays",
                                    FormatSeconds(kOrderOnlySpacing)));
  notes.lines.push_back(
      fmt::format("there are no owners and classes: the tenant is {}, the class {}", kHuaweiTenant,
                  kHuaweiClass));
  return notes;
}

}  // namespace

Result<std::unique_ptr<Trace>> NewHuaweiTopology(const TraceSource& source, const TraceOptions&) {
  BERTH_TRY(LineReader lines, source.Open());
  BERTH_TRY(VmReader vms, VmReader::Open(std::move(lines)));
  BERTH_RETURN_IF_ERROR(vms.ReadAll());
  TraceNotes notes = vms.Notes();
  return std::unique_ptr<Trace>(
      std::make_unique<HeldTrace>(vms.TakeArrivals(), vms.types().All(), std::move(notes)));
}

}  // namespace berth
