// What a sizer recommends: the recommenders' advice within its bounds, and what of it is wanted.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "engine/sizer.h"

namespace berth {
std::string WhyBounded(const Recommender& recommender, const BoundedAdvice& bounded) {
  std::string why = recommender.Why();
  for (const std::string& note : bounded.notes) why += fmt::format("; {}", note);
  return why;
}

void Sizer::MeasureMachines() {
  largest_.clear();
  for (const MachineState& machine : means_.view.machines()) {
    if (machine.vacant()) continue;
    Resources& most = largest_[machine.record.sku];
    for (const Resource r : kAllResources) most[r] = std::max(most[r], machine.record.capacity[r]);
  }
}

// Zero: there is no machine that it may run on.
std::int64_t Sizer::LargestFor(const InstanceType* type, Resource r) const {
  std::int64_t most = 0;
  for (const auto& [sku, capacity] : largest_) {
    const bool may_run = type == nullptr || type->skus.empty() ||
                         std::ranges::find(type->skus, sku) != type->skus.end();
    if (may_run) most = std::max(most, capacity[r]);
  }
  return most;
}

// By what its owner asks for, so that sizing changes nothing about who is small.
SizingMode Sizer::ModeOf(const Service& service, Time created) const {
  RightsizingPolicy::Known known{.machines = 0, .created = created};
  if (policy_.small) {
    for (const Resource r : kSizedResources) {
      const auto largest = static_cast<double>(LargestFor(nullptr, r));
      double asked = 0;
      for (const InstanceGroup& group : service.groups) {
        const InstanceType* type = means_.view.Find(group.type);
        if (type != nullptr) asked += static_cast<double>(type->size[r]) * group.count;
      }
      if (largest > 0) known.machines = std::max(known.machines, asked / largest);
    }
  }
  return policy_.ModeOf(service.name, known);
}

SizingMode Sizer::ModeOf(const ServiceState& service) const {
  Time created = Time::max();
  if (policy_.fresh) {
    for (const Instance& instance : service.instances) {
      created = std::min(created, instance.timeline.created);
    }
  }
  return ModeOf(service.record, created);
}

bool Sizer::IsCandidate(const ServiceState& service) const {
  if (!policy_.rollout || !rollout_.rolled_back.empty() || ModeOf(service) != SizingMode::kAuto) {
    return false;
  }
  ClusterId cluster;
  for (const Instance& instance : service.instances) {
    const MachineState* machine = means_.view.Find(instance.machine);
    if (machine == nullptr) continue;
    cluster = machine->record.cluster;
    break;
  }
  return policy_.rollout->Includes(service.record.name, cluster, means_.executor.now());
}

std::optional<Sizer::InForce> Sizer::InForceOf(const Key& key, const ServiceState& service) const {
  InForce now;
  for (const Instance& instance : service.instances) {
    if (instance.type != key.type || instance.state == InstanceState::kEnded) continue;
    now.alike = now.alike && (now.instances == 0 || now.limit == instance.limit);
    now.limit = instance.limit;
    now.sum += instance.limit;
    for (const Resource r : kAllResources) now.most[r] = std::max(now.most[r], instance.limit[r]);
    ++now.instances;
  }
  return now.instances == 0 ? std::nullopt : std::optional(now);
}

BoundedAdvice Sizer::Bounded(const Key& key, const Followed& followed, const InForce& now,
                             Resource r, const SizeAdvice& advice) const {
  SizeBounds bounds = policy_.settings.Of(key.service).of(r);
  if (r == Resource::kCpu) bounds = means_.beside_scaler(key.service, key.type, bounds);
  if (r == Resource::kMemory && followed.killed_until > means_.executor.now()) {
    bounds.killed_with = followed.killed_with;
  }
  const std::int64_t largest = LargestFor(means_.view.Find(key.type), r);
  if (largest > 0) bounds.machine = largest;
  const TenantState* state = means_.view.Find(followed.tenant);
  if (state != nullptr && state->record.quota && (*state->record.quota)[r] != kUnlimited) {
    const ResourceTotals::Wide left = (*state->record.quota)[r] - (state->used[r] - now.sum[r]);
    const auto each = static_cast<std::int64_t>(std::max<ResourceTotals::Wide>(0, left) /
                                                std::max(1U, now.instances));
    bounds.quota = std::min(bounds.quota.value_or(each), each);
  }
  return ApplyBounds(r, advice, now.most[r], bounds);
}

std::optional<Sizer::Wanted> Sizer::WantedFor(const Key& key, const Followed& followed) const {
  const ServiceState* service = means_.view.FindService(key.service);
  const std::optional<InForce> now = service == nullptr ? std::nullopt : InForceOf(key, *service);
  if (!now) return std::nullopt;
  Wanted wanted{.limit = now->limit, .why = {}};
  for (const Resource r : kSizedResources) {
    const Recommender* recommender = followed.of(r).InForce();
    if (recommender == nullptr) continue;
    const BoundedAdvice bounded = Bounded(key, followed, *now, r, *recommender->Recommend());
    if (IsKept(followed, *now, r, bounded.advice)) continue;
    if (!HeldBack(followed, r, *now, bounded).empty()) continue;
    wanted.limit[r] = bounded.advice.target;
    wanted.why += fmt::format("{}{} {}", wanted.why.empty() ? "" : "; ", ResourceName(r),
                              WhyBounded(*recommender, bounded));
  }
  if (wanted.why.empty() || (now->alike && wanted.limit == now->limit)) return std::nullopt;
  return wanted;
}

bool Sizer::IsKept(const Followed& followed, const InForce& now, Resource r,
                   const SizeAdvice& advice) {
  if (followed.Exceeded(r) && now.most[r] < advice.target) return false;
  return now.alike && advice.lower <= now.most[r] && now.most[r] <= advice.upper;
}

// Not for the ledger's sake or for want of room, but by itself.
std::string Sizer::HeldBack(const Followed& followed, Resource r, const InForce& now,
                            const BoundedAdvice& bounded) const {
  if (bounded.advice.target >= now.most[r]) return {};
  const Time since = followed.of(r).since().value_or(means_.executor.now());
  const Duration watched = means_.executor.now() - since;
  if (watched >= kWatchedFor) return {};
  return fmt::format("it was watched for {} so far, and a limit falls after {}",
                     FormatDuration(watched), FormatDuration(kWatchedFor));
}

}  // namespace berth
