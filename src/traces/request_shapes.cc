#include "traces/request_shapes.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>

#include "berth/check.h"

namespace berth {
namespace {

// Numbers of VMs, even within a range.
struct CountRange {
  double share = 0;
  std::uint32_t min = 0;
  std::uint32_t max = 0;
};
constexpr std::array kCounts = {CountRange{0.94, 1, 1}, CountRange{0.05, 2, 5},
                                CountRange{0.0097, 6, 40}, CountRange{0.0003, 100, 400}};
constexpr std::uint32_t kFewVms = 5;

constexpr double kSameTypeAgain = 0.8;
constexpr std::int64_t kFleetPartMax = 50;
constexpr double kIsolated = 0.0025;  // Of all requests.
constexpr double kWithPrimary = 0.2;  // Of those for two to five VMs: one of a type of its own.
constexpr std::string_view kClass = "gold";  // Placed at once or refused, as in Protean.

// Of requests for several VMs.
enum class Kind : std::uint8_t { kNone, kSpread, kPerMachine, kPerRack, kTogether };
constexpr std::array kKinds = {0.35, 0.35, 0.15, 0.05, 0.10};
constexpr std::array kTogether = {std::pair{0.5, Scope::kDatacenter},
                                  std::pair{0.3, Scope::kCluster}, std::pair{0.2, Scope::kRow}};

std::uint32_t Between(Rng& rng, std::uint32_t min, std::uint32_t max) {
  return min + static_cast<std::uint32_t>(rng.Below(max - min + 1));
}

std::uint32_t DrawCount(Rng& rng) {
  std::array<double, kCounts.size()> shares{};
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = kCounts[i].share;
  const CountRange& range = kCounts[rng.Weighted(shares)];
  return Between(rng, range.min, range.max);
}

struct MachineKind {
  SkuId sku;
  std::array<std::int64_t, kResourceCount> amounts{};

  friend auto operator<=>(const MachineKind&, const MachineKind&) = default;
};
std::set<MachineKind> KindsOf(std::span<const Machine> machines) {
  std::set<MachineKind> kinds;
  for (const Machine& machine : machines) {
    MachineKind kind{.sku = machine.sku};
    for (const Resource r : kAllResources) {
      kind.amounts[static_cast<std::size_t>(r)] = machine.capacity[r];
    }
    kinds.insert(kind);
  }
  return kinds;
}

bool FitsOn(const MachineKind& kind, const InstanceType& type) {
  const bool may = type.skus.empty() || std::ranges::find(type.skus, kind.sku) != type.skus.end();
  return may && std::ranges::all_of(kAllResources, [&](Resource r) {
           return type.size[r] <= kind.amounts[static_cast<std::size_t>(r)];
         });
}

}  // namespace

std::vector<OfferedType> OfferTypes(ProteanZone zone, std::span<const Machine> machines) {
  const std::set<MachineKind> kinds = KindsOf(machines);
  std::set<SkuId> skus;
  Resources largest;
  for (const MachineKind& kind : kinds) {
    skus.insert(kind.sku);
    for (const Resource r : kAllResources) {
      largest[r] = std::max(largest[r], kind.amounts[static_cast<std::size_t>(r)]);
    }
  }
  std::vector<OfferedType> offered;
  for (const CatalogueEntry& entry : VmCatalogue()) {
    if (entry.percent(zone) == 0) continue;
    InstanceType type = TypeOf(entry);
    const auto here = [&](SkuId sku) { return skus.contains(sku); };
    if (std::ranges::none_of(type.skus, here)) type.skus.clear();
    for (const Resource r : kAllResources) {
      if (largest[r] == 0) type.size[r] = 0;
    }
    const auto takes = [&](const MachineKind& kind) { return FitsOn(kind, type); };
    if (std::ranges::none_of(kinds, takes)) continue;
    offered.push_back({.type = std::move(type), .weight = entry.percent(zone)});
  }
  return offered;
}

RequestShapes::RequestShapes(std::vector<OfferedType> types, std::vector<TenantId> tenants,
                             std::int64_t fleet_millicores, const Rng& rng)
    : types_(std::move(types)),
      tenants_(std::move(tenants)),
      millicores_max_(fleet_millicores / kFleetPartMax),
      sizes_(rng.Fork("sizes")),
      draws_(rng.Fork("types and tenants")),
      constraints_(rng.Fork("constraints")) {
  BERTH_CHECK(!types_.empty() && !tenants_.empty());
  for (const OfferedType& offered : types_) weights_.push_back(offered.weight);
}

std::uint32_t RequestShapes::CountMax(std::size_t type) const {
  const std::int64_t fit = millicores_max_ / types_[type].type.size[Resource::kCpu];
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(fit, kFewVms, kCounts.back().max));
}

double RequestShapes::MeanMillicores() const {
  const double weight_sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  double mean = 0;
  for (std::size_t type = 0; type < types_.size(); ++type) {
    double mean_count = 0;
    for (const CountRange& range : kCounts) {
      for (std::uint32_t count = range.min; count <= range.max; ++count) {
        mean_count += range.share / (range.max - range.min + 1) * std::min(count, CountMax(type));
      }
    }
    // A primary's type is drawn from the same shares, so it does not change the mean.
    mean += weights_[type] / weight_sum * mean_count *
            static_cast<double>(types_[type].type.size[Resource::kCpu]);
  }
  return mean;
}

std::size_t RequestShapes::NextType() {
  if (!last_type_ || draws_.Unit() >= kSameTypeAgain) last_type_ = draws_.Weighted(weights_);
  return *last_type_;
}

Service RequestShapes::Next() {
  Service service;
  service.klass = ClassId(kClass);
  // Below a number that is itself drawn: the first tenants ask most, none never.
  const std::uint64_t limit = draws_.Below(tenants_.size()) + 1;
  service.tenant = tenants_[draws_.Below(limit)];
  const std::size_t type = NextType();
  const std::uint32_t count = std::min(DrawCount(sizes_), CountMax(type));
  AddInstances(service, type, count);
  AddConstraints(service.constraints, count);
  return service;
}

void RequestShapes::AddInstances(Service& service, std::size_t type, std::uint32_t count) {
  const TypeId name = types_[type].type.name;
  if (count == 1 || count > kFewVms || sizes_.Unit() >= kWithPrimary) {
    service.groups = {{.type = name, .role = {}, .count = count}};
    return;
  }
  const TypeId primary = types_[draws_.Weighted(weights_)].type.name;
  service.groups = {{.type = primary, .role = RoleId("primary"), .count = 1},
                    {.type = name, .role = RoleId("secondary"), .count = count - 1}};
}

void RequestShapes::AddConstraints(Constraints& constraints, std::uint32_t count) {
  constraints.isolate = constraints_.Unit() < kIsolated;
  if (count == 1) return;
  switch (static_cast<Kind>(constraints_.Weighted(kKinds))) {
    case Kind::kNone:
      break;
    case Kind::kSpread:
      constraints.spread_racks = Between(constraints_, 2, std::min(count, kFewVms));
      break;
    case Kind::kPerMachine:
      constraints.max_per_machine = Between(constraints_, 1, 3);
      break;
    case Kind::kPerRack:
      constraints.max_per_rack = std::max(2U, count / 4);
      break;
    case Kind::kTogether: {
      std::array<double, kTogether.size()> shares{};
      for (std::size_t i = 0; i < shares.size(); ++i) shares[i] = kTogether[i].first;
      constraints.within = kTogether[constraints_.Weighted(shares)].second;
      if (count > kFewVms) constraints.within = Scope::kDatacenter;
      break;
    }
  }
}

}  // namespace berth
