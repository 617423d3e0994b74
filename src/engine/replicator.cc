#include "engine/replicator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "berth/check.h"
#include "engine/counted_group.h"
#include "scale/live_scaler.h"
#include "scale/shared_cpu.h"
#include "usage/window.h"

namespace berth {
namespace {

// How many services are looked at before others have their turn.
constexpr std::size_t kLookedAtAtOnce = 256;

}  // namespace

Replicator::Replicator(Means means, Store& store, std::string holder)
    : means_(std::move(means)),
      desk_{.programs = means_.programs,
            .home = &means_.executor,
            .heard = [this](const std::string& service) { OnAnswer(service); }},
      lease_(store, means_.executor, means_.view, "scale", std::move(holder)) {}

std::function<void()> Replicator::WhileAlive(void (Replicator::*what)()) {
  return [this, what, alive = std::weak_ptr<bool>(alive_)] {
    if (!alive.expired()) (this->*what)();
  };
}

void Replicator::SetPolicy(ScalingPolicy policy) {
  policy_ = std::move(policy);
  std::erase_if(followed_, [&](const auto& entry) {
    const bool off = ModeOf(entry.first) == ScalingMode::kOff;
    if (off) forgotten_.insert(entry.first);
    return off;
  });
  for (auto& [name, followed] : followed_) {
    const ServiceState* service = means_.view.FindService(name);
    if (service != nullptr) SetAdvisor(service->record, followed);
  }
}

// Who comes back with the same name begins anew, with as many as its owner asks for.
void Replicator::OnCommit(const Committed& committed) {
  for (const Update& update : committed.updates) {
    if (update.key.kind != RecordKind::kService || update.record) continue;
    if (followed_.erase(update.key.name) > 0) forgotten_.insert(update.key.name);
  }
}

const InstanceGroup* Replicator::GroupOf(const Service& service) const {
  return CountedGroup(service, policy_.Of(service.name).role);
}

Replicator::Followed* Replicator::Follow(const ServiceState& service) {
  const std::string& name = service.record.name;
  if (ModeOf(name) == ScalingMode::kOff) return nullptr;
  const InstanceGroup* group = GroupOf(service.record);
  // In dry-run it is nothing to tell anybody of.
  if (group == nullptr && ModeOf(name) != ScalingMode::kAuto) return nullptr;
  auto at = followed_.find(name);
  const bool other =
      at != followed_.end() &&
      (at->second.tenant != service.record.tenant ||
       (group != nullptr && (group->type != at->second.type || group->role != at->second.role)));
  if (other) {
    followed_.erase(at);
    at = followed_.end();
  }
  if (at != followed_.end()) return &at->second;
  if (followed_.size() >= kScaledMax) {
    ++counts_.not_followed;
    return nullptr;
  }
  at = followed_.try_emplace(name).first;
  forgotten_.erase(name);
  at->second.tenant = service.record.tenant;
  SetAdvisor(service.record, at->second);
  return &at->second;
}

void Replicator::SetAdvisor(const Service& service, Followed& followed) const {
  const InstanceGroup* group = GroupOf(service);
  if (group == nullptr) {
    followed.advisor.reset();
    followed.trouble = WhyNoneIsCounted(service, policy_.Of(service.name).role);
    return;
  }
  if (followed.type != group->type || followed.role != group->role) followed.advisor.reset();
  followed.type = group->type;
  followed.role = group->role;
  followed.trouble.clear();
  if (!policy_.Of(service.name).application.empty()) return followed.advisor.reset();
  followed.planned.reset();
  const ServiceScaling scaling =
      policy_.Of(service.name).For(means_.view.Find(group->type)->size[Resource::kCpu]);
  Result<ReplicaAdvisor> made = MakeAdvisor(scaling, service.name);
  followed.trouble = made.status().message();
  std::string key = StateKeyOf(scaling);
  // What it knows holds as long as it is asked the same of the same.
  const bool alike = made.ok() && followed.advisor && key == followed.state_key;
  if (alike) BERTH_CHECK(made.value().Restore(followed.advisor->Save()).ok());
  followed.advisor.reset();
  if (made.ok()) followed.advisor.emplace(std::move(made).value());
  followed.state_key = std::move(key);
  followed.changed = true;
}

Result<ReplicaAdvisor> Replicator::MakeAdvisor(const ServiceScaling& scaling,
                                               const std::string& service) const {
  if (!scaling.scaler.starts_with(kExternalPrefix)) return ReplicaAdvisor::Make(scaling);
  return ReplicaAdvisor::Around(NewLiveScaler(desk_, scaling.scaler, scaling.basis, service),
                                scaling);
}

bool Replicator::Sampled::Add(const UsagePoint& point) {
  if (point.at <= at) return false;  // It was told before.
  at = point.at;
  sum += point.value;
  ++count;
  return true;
}

double Replicator::Sampled::Take() {
  if (count > 0) value = sum / static_cast<double>(count);
  sum = 0;
  count = 0;
  return value;
}

template <typename Name>
bool Replicator::TakePoints(std::span<const UsagePoint> points, const Name& name,
                            std::map<Name, Sampled, std::less<>>& kept) {
  const Time now = means_.executor.now();
  const auto known = kept.find(name);
  Sampled sampled = known == kept.end() ? Sampled() : known->second;
  bool taken = false;
  for (const UsagePoint& point : points) {
    if (!std::isfinite(point.value) || point.at > now + kWindowLength) continue;
    if (point.at + kFresh <= now) {
      ++counts_.late;
    } else if (sampled.Add(point)) {
      ++counts_.samples;
      taken = true;
    }
  }
  if (taken) kept.insert_or_assign(name, sampled);
  return taken;
}

void Replicator::ObserveCpu(const InstanceId& id, std::span<const UsagePoint> points) {
  const ServiceState* service = means_.view.FindService(id.service);
  const KeptInstance* instance = service == nullptr ? nullptr : service->Find(id.number);
  if (instance == nullptr || instance->state == InstanceState::kEnded) return;
  Followed* followed = Follow(*service);
  if (followed == nullptr || instance->type != followed->type || instance->role != followed->role) {
    return;
  }
  std::vector<UsagePoint> amounts;
  amounts.reserve(points.size());
  for (const UsagePoint& point : points) {
    const bool good = point.value >= 0 && point.value <= static_cast<double>(kAmountMax);
    if (good) amounts.push_back(point);
  }
  if (!TakePoints(amounts, id.number, followed->cpu)) return;
  followed->changed = true;
  LookLater();
}

void Replicator::ObserveMetric(const std::string& name, std::string_view metric,
                               std::span<const UsagePoint> points) {
  const ServiceState* service = means_.view.FindService(name);
  Followed* followed = service == nullptr ? nullptr : Follow(*service);
  if (followed == nullptr || !followed->advisor) return;
  if (!followed->advisor->WantsMetric(metric)) return;
  const bool full = followed->metrics.size() >= kMetricsMax;
  if (full && !followed->metrics.contains(metric)) return;
  if (!TakePoints(points, std::string(metric), followed->metrics)) return;
  followed->changed = true;
  LookLater();
}

void Replicator::SetPlanned(const std::string& name, std::optional<CountAdvice> advice) {
  const ServiceState* service = means_.view.FindService(name);
  if (service == nullptr || policy_.Of(name).application.empty()) return;
  Followed* followed = Follow(*service);
  if (followed == nullptr) return;
  // Who has no instance has no load either.
  if (advice) advice->count = std::clamp<std::uint32_t>(advice->count, 1, kGangMax);
  followed->planned = std::move(advice);
  if (followed->seen.replicas == 0) followed->seen = LoadOf(*service, *followed);
  Consider(name, *followed);
}

// At whole minutes, so that a restart changes nothing about when.
void Replicator::LookLater() {
  again_ = true;
  if (looking_) return;
  looking_ = true;
  const Time now = means_.executor.now();
  means_.executor.PostAt(now - now.time_since_epoch() % kLookEvery + kLookEvery,
                         [this, alive = std::weak_ptr<bool>(alive_)] {
                           if (alive.expired()) return;
                           after_.reset();
                           again_ = false;
                           LookAtSome();
                         });
}

void Replicator::LookAtSome() {
  auto at = after_ ? followed_.upper_bound(*after_) : followed_.begin();
  for (std::size_t i = 0; i < kLookedAtAtOnce && at != followed_.end(); ++i) {
    after_ = at->first;
    const ServiceState* service = means_.view.FindService(at->first);
    if (service == nullptr) {
      forgotten_.insert(at->first);
      at = followed_.erase(at);
    } else {
      LookAt(*service, at->second);
      ++at;
    }
  }
  if (at != followed_.end()) return means_.executor.Post(WhileAlive(&Replicator::LookAtSome));
  looking_ = false;
  if (again_) LookLater();
}

void Replicator::LookAt(const ServiceState& service, Followed& followed) {
  const Time now = means_.executor.now();
  std::erase_if(followed.cpu, [&](const auto& sampled) {
    return !IsFresh(sampled.second, now) || service.Find(sampled.first) == nullptr;
  });
  std::erase_if(followed.metrics,
                [&](const auto& sampled) { return !IsFresh(sampled.second, now); });
  if (followed.cpu.empty() && followed.metrics.empty()) return;
  again_ = true;
  followed.changed = true;
  followed.seen = LoadOf(service, followed);
  if (!followed.advisor) return Consider(service.record.name, followed);
  std::vector<NamedMetric> metrics;
  metrics.reserve(followed.metrics.size());
  for (auto& [metric, sampled] : followed.metrics) metrics.push_back({metric, sampled.Take()});
  ReplicaLoad load = followed.seen;
  load.metrics = metrics;
  followed.advisor->Observe(load);
  Consider(service.record.name, followed);
}

void Replicator::OnAnswer(const std::string& service) {
  const auto at = followed_.find(service);
  if (at == followed_.end() || !at->second.advisor) return;
  at->second.advisor->Advise(at->second.seen);
  at->second.changed = true;
  Consider(service, at->second);
}

ReplicaLoad Replicator::LoadOf(const ServiceState& service, Followed& followed) const {
  ReplicaLoad load{.at = means_.executor.now()};
  for (const KeptInstance& instance : service.instances) {
    if (instance.type != followed.type || instance.role != followed.role ||
        instance.state == InstanceState::kEnded) {
      continue;
    }
    ++load.replicas;
    const auto sampled = followed.cpu.find(instance.id.number);
    if (sampled != followed.cpu.end()) {
      load.cpu_milli += sampled->second.Take();
      continue;
    }
    // Where nobody reports starts, it is taken to have started some time.
    const bool starts =
        instance.state == InstanceState::kPending ||
        (instance.state == InstanceState::kPlaced && instance.timeline.since + kFresh > load.at);
    ++(starts ? load.starting : load.unmeasured);
  }
  return load;
}

SizeBounds Replicator::BoundsOfCpu(const std::string& name, TypeId type,
                                   const SizeBounds& cpu) const {
  const LiveScaling& live = policy_.Of(name);
  if (live.mode != ScalingMode::kAuto) return cpu;
  const ServiceState* service = means_.view.FindService(name);
  const InstanceGroup* group = service == nullptr ? nullptr : GroupOf(service->record);
  // Of a service that is not there yet the role is not known.
  const bool counted =
      service == nullptr ? live.role.empty() : group != nullptr && group->type == type;
  const InstanceType* known = means_.view.Find(type);
  if (!counted || known == nullptr) return cpu;
  return BoundsBesideScaler(cpu, live.For(known->size[Resource::kCpu]));
}

}  // namespace berth
