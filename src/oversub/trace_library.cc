#include "oversub/trace_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "oversub/counter_draw.h"

namespace berth {
namespace {

// Apart from every attempt: the random numbers of the models when all attempts failed.
constexpr std::uint64_t kFallbackKey = 0x6f766572737562ULL;

Status CheckGrowth(const GrowthModel& growth, Step lifetime) {
  if (growth.maximum > kDemandMax || growth.initial > growth.maximum) {
    return Status(Code::kInvalidArgument,
                  fmt::format("A demand model grows from {} to {}, at most to {}", growth.initial,
                              growth.maximum, kDemandMax));
  }
  if (growth.growth_steps < 0 || growth.growth_steps >= lifetime) {
    return Status(Code::kInvalidArgument, fmt::format("A demand model of {} steps grows for {}",
                                                      lifetime, growth.growth_steps));
  }
  return {};
}

Status CheckModel(const DemandModel& model) {
  if (model.lifetime < 1 || model.lifetime > kLifetimeStepsMax) {
    return Status(Code::kInvalidArgument, fmt::format("A demand model lives {} steps, 1 to {}",
                                                      model.lifetime, kLifetimeStepsMax));
  }
  if (model.cpu_p90 > model.cpu_peak || model.cpu_peak > kDemandMax) {
    return Status(Code::kInvalidArgument,
                  fmt::format("A demand model has cpu {} at its 90th percentile and {} at its peak",
                              model.cpu_p90, model.cpu_peak));
  }
  BERTH_RETURN_IF_ERROR(CheckGrowth(model.memory, model.lifetime));
  return CheckGrowth(model.disk, model.lifetime);
}

auto GroupKey(const DemandModel& model) { return std::tuple(model.tenant_class, model.role); }

// The one with the least random number.
TraceIndex LeastOf(std::span<const std::uint32_t> eligible, const HostedTenant& tenant,
                   std::uint32_t repetition) {
  TraceIndex least = kNoTrace;
  std::uint64_t least_bits = UINT64_MAX;
  for (const std::uint32_t at : eligible) {
    const std::uint64_t bits = CounterDraw(tenant.key ^ kFallbackKey, repetition, at);
    if (least != kNoTrace && bits >= least_bits) continue;
    least = TraceIndex{at};
    least_bits = bits;
  }
  return least;
}

}  // namespace

Result<TraceLibrary> TraceLibrary::Build(std::vector<DemandModel> models,
                                         std::vector<std::string> class_names) {
  if (class_names.size() > static_cast<std::size_t>(kNoClass)) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} classes of tenants, a library holds {}", class_names.size(),
                              static_cast<std::size_t>(kNoClass)));
  }
  if (models.size() > kLibraryModelsMax) {
    return Status(Code::kInvalidArgument, fmt::format("{} demand models, a library holds {}",
                                                      models.size(), kLibraryModelsMax));
  }
  for (const DemandModel& model : models) BERTH_RETURN_IF_ERROR(CheckModel(model));
  SortAsInLibrary(models);
  models.shrink_to_fit();

  TraceLibrary library;
  library.class_names_ = std::move(class_names);
  library.models_ = std::move(models);
  const std::vector<DemandModel>& all = library.models_;
  for (std::uint32_t i = 0; i < all.size(); ++i) {
    if (i == 0 || GroupKey(all[i - 1]) != GroupKey(all[i])) {
      library.groups_.push_back({all[i].tenant_class, all[i].role, i, i});
    }
    library.groups_.back().end = i + 1;
  }
  library.reaches_.reserve(all.size());
  for (const DemandModel& model : all) library.reaches_.push_back({model.lifetime, model.Peak()});
  return library;
}

TenantClass TraceLibrary::ClassNamed(std::string_view name) const {
  const auto found = std::ranges::find(class_names_, name);
  if (found == class_names_.end()) return kNoClass;
  return TenantClass{static_cast<std::uint16_t>(found - class_names_.begin())};
}

const TraceLibrary::GroupRange* TraceLibrary::Find(TenantClass tenant_class,
                                                   TenantRole role) const {
  const auto key = [](const GroupRange& group) {
    return std::tuple(group.tenant_class, group.role);
  };
  const auto found =
      std::ranges::lower_bound(groups_, std::tuple(tenant_class, role), std::ranges::less{}, key);
  if (found == groups_.end() || key(*found) != std::tuple(tenant_class, role)) return nullptr;
  return &*found;
}

std::span<const DemandModel> TraceLibrary::Group(TenantClass tenant_class, TenantRole role) const {
  const GroupRange* group = Find(tenant_class, role);
  if (group == nullptr) return {};
  return std::span(models_).subspan(group->begin, group->end - group->begin);
}

bool TraceLibrary::Eligible(const DemandModel& model, const HostedTenant& tenant, Step now) {
  return Reach{model.lifetime, model.Peak()}.Explains(tenant, now);
}

// Without branches: which of these fails is as chance has it.
bool TraceLibrary::Reach::Explains(const HostedTenant& tenant, Step now) const {
  using enum DemandResource;
  const auto reaches = [&](DemandResource r) {
    return static_cast<int>(peak[r] >= tenant.observed_peak[r]);
  };
  const auto lives = static_cast<int>(lifetime >= now - tenant.creation);
  return (lives & reaches(kCpu) & reaches(kMemory) & reaches(kDisk)) != 0;
}

TraceIndex TraceLibrary::Draw(const HostedTenant& tenant, Step now,
                              std::uint32_t repetition) const {
  return TraceDraws(*this, tenant, now).In(repetition);
}

void TraceLibrary::DrawAll(const HostedTenant& tenant, Step now,
                           std::span<TraceIndex> drawn) const {
  std::ranges::fill(drawn, kNoTrace);
  DrawAgain(tenant, now, drawn);
}

void TraceLibrary::DrawAgain(const HostedTenant& tenant, Step now,
                             std::span<TraceIndex> drawn) const {
  TraceDraws draws(*this, tenant, now);
  for (std::uint32_t repetition = 0; repetition < drawn.size(); ++repetition) {
    TraceIndex& draw = drawn[repetition];
    if (draw != kNoTrace && Eligible(model(draw), tenant, now)) continue;
    draw = draws.In(repetition);
  }
}

TraceIndex TraceDraws::In(std::uint32_t repetition) {
  if (group_ == nullptr) return kNoTrace;
  const TraceIndex tried = library_->Try(*group_, tenant_, now_, repetition);
  if (tried != kNoTrace) return tried;
  if (!eligible_) eligible_ = library_->AllEligible(*group_, tenant_, now_);
  return LeastOf(*eligible_, tenant_, repetition);
}

TraceIndex TraceLibrary::Try(const GroupRange& group, const HostedTenant& tenant, Step now,
                             std::uint32_t repetition) const {
  const std::size_t size = group.end - group.begin;
  for (std::uint32_t attempt = 0; attempt < kAttempts; ++attempt) {
    const std::size_t at =
        group.begin + Bounded(CounterDraw(tenant.key, repetition, attempt), size);
    if (reaches_[at].Explains(tenant, now)) {
      return TraceIndex{static_cast<std::uint32_t>(at)};
    }
  }
  return kNoTrace;
}

std::vector<std::uint32_t> TraceLibrary::AllEligible(const GroupRange& group,
                                                     const HostedTenant& tenant, Step now) const {
  constexpr std::uint32_t kTogether = 128;
  std::vector<std::uint32_t> eligible;
  std::uint32_t found[kTogether];
  for (std::uint32_t begin = group.begin; begin < group.end; begin += kTogether) {
    // Written whether or not it is one: a branch would be taken as chance has it.
    std::size_t count = 0;
    for (std::uint32_t at = begin; at < std::min(begin + kTogether, group.end); ++at) {
      found[count] = at;
      count += reaches_[at].Explains(tenant, now) ? 1 : 0;
    }
    eligible.insert(eligible.end(), found, found + count);
  }
  return eligible;
}

std::size_t TraceLibrary::bytes() const {
  return models_.capacity() * sizeof(DemandModel) + groups_.capacity() * sizeof(GroupRange) +
         reaches_.capacity() * sizeof(Reach);
}

}  // namespace berth
