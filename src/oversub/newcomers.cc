#include "oversub/newcomers.h"

#include <algorithm>
#include <vector>

#include "oversub/counter_draw.h"

namespace berth {
namespace {

// Limits are chosen by strangers.
constexpr std::size_t kKindsMax = 4096;

std::uint32_t Percentile(std::vector<std::uint32_t> values, std::uint32_t percent) {
  const std::size_t rank = (values.size() * percent + 99) / 100;  // The nearest rank, from 1.
  const auto nth = values.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::ranges::nth_element(values, nth);
  return *nth;
}

}  // namespace

std::size_t Newcomers::KindHash::operator()(const Kind& kind) const {
  using enum DemandResource;
  const std::uint64_t of_class =
      CounterDraw(kind.limit[kDisk], static_cast<std::uint32_t>(kind.tenant_class),
                  static_cast<std::uint32_t>(kind.role));
  return CounterDraw(of_class, kind.limit[kCpu], kind.limit[kMemory]);
}

void Newcomers::BeginEpoch(std::uint64_t epoch, Newcomer::Arrival within) {
  epoch_ = epoch;
  within_ = within;
  kinds_.clear();
  last_found_ = nullptr;
  known_.clear();
  drawn_known_.reset();
}

TenantClass Newcomers::ClassOf(TypeId type) const {
  const auto [known, is_new] = classes_.try_emplace(type, kNoClass);
  if (is_new) known->second = library_->ClassNamed(type.str());
  return known->second;
}

Demand Newcomers::InitialUsage(TenantClass tenant_class, TenantRole role,
                               const Demand& limit) const {
  const std::span<const DemandModel> models = library_->Group(tenant_class, role);
  if (models.empty()) return limit;
  const auto [known, is_new] = initial_.try_emplace({tenant_class, role});
  if (!is_new) return known->second;
  PerResource<std::vector<std::uint32_t>> grown;
  for (const DemandModel& model : models) {
    grown[DemandResource::kCpu].push_back(model.cpu_p90);
    grown[DemandResource::kMemory].push_back(model.memory.maximum);
    grown[DemandResource::kDisk].push_back(model.disk.maximum);
  }
  for (const DemandResource r : kAllDemandResources) {
    known->second[r] = Percentile(std::move(grown[r]), policy_.initial_percentile);
  }
  return known->second;
}

Demand Newcomers::InitialUsageOf(TypeId type, TenantRole role, const Demand& limit) const {
  const Asked asked{.type = type, .role = role, .limit = limit};
  if (!last_usage_ || last_usage_asked_ != asked) {
    last_usage_ = InitialUsage(ClassOf(type), role, limit);
    last_usage_asked_ = asked;
  }
  return *last_usage_;
}

const Newcomer& Newcomers::Of(TypeId type, TenantRole role, const Demand& limit) const {
  const Asked asked{.type = type, .role = role, .limit = limit};
  if (last_found_ != nullptr && last_asked_ == asked) return *last_found_;
  Kind kind{.tenant_class = ClassOf(type), .role = role, .limit = {}};
  if (!HasTraces(kind.tenant_class, role)) kind.limit = limit;
  if (kinds_.size() >= kKindsMax) kinds_.clear();
  const auto [known, is_new] = kinds_.try_emplace(kind, *library_, kind.tenant_class, role, epoch_,
                                                  within_, policy_.repetitions, limit);
  last_asked_ = asked;
  last_found_ = &known->second;
  return known->second;
}

std::uint64_t Newcomers::Know(const HostedTenant& tenant, const Demand& usage) const {
  std::uint64_t number = CounterDraw(tenant.key, static_cast<std::uint32_t>(tenant.tenant_class),
                                     static_cast<std::uint32_t>(tenant.role));
  number = CounterDraw(number, static_cast<std::uint32_t>(tenant.creation), 0);
  for (const DemandResource r : kAllDemandResources) {
    number = CounterDraw(number, tenant.observed_peak[r], usage[r]);
    number = CounterDraw(number, tenant.promised[r], 0);
  }
  number = std::max<std::uint64_t>(number, 1);
  known_.try_emplace(number, Observed{.tenant = tenant, .usage = usage});
  return number;
}

const Newcomer* Newcomers::Known(std::uint64_t number) const {
  if (drawn_known_ && drawn_as_ == number) return &*drawn_known_;
  if (number == 0) return nullptr;
  const auto found = known_.find(number);
  if (found == known_.end()) return nullptr;
  HostedTenant tenant = found->second.tenant;
  tenant.creation = std::min(tenant.creation, within_.begin);
  drawn_known_.emplace(*library_, tenant, within_, policy_.repetitions);
  drawn_as_ = number;
  return &*drawn_known_;
}

const Demand* Newcomers::KnownUsage(std::uint64_t number) const {
  if (number == 0) return nullptr;
  const auto found = known_.find(number);
  return found == known_.end() ? nullptr : &found->second.usage;
}

}  // namespace berth
