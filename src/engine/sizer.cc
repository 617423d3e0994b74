#include "engine/sizer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "usage/window.h"

namespace berth {
namespace {

// How many services are closed before others have their turn: ensembles take their time.
constexpr std::size_t kClosedAtOnce = 256;
// Kills beyond so many between two looks teach nothing new.
constexpr std::uint32_t kKillsToldAtOnce = 10;

}  // namespace

Sizer::Sizer(Means means, Store& store, std::string holder)
    : means_(std::move(means)),
      desk_{.programs = means_.programs,
            .home = &means_.executor,
            .heard = [this](const std::string& service) { OnAnswer(service); }},
      lease_(store, means_.executor, means_.view, "rightsize", std::move(holder)) {}

std::function<void()> Sizer::WhileAlive(void (Sizer::*what)()) {
  return [this, what, alive = std::weak_ptr<bool>(alive_)] {
    if (!alive.expired()) (this->*what)();
  };
}

void Sizer::SetPolicy(RightsizingPolicy policy) {
  policy_ = std::move(policy);
  ++policy_number_;
  full_ = false;
  const std::string name = policy_.rollout ? policy_.rollout->name : "";
  if (rollout_.name != name) {
    rollout_ = {.name = name, .candidate = {}, .control = {}, .rolled_back = {}};
    rollout_changed_ = true;
  }
  std::erase_if(followed_, [&](const auto& entry) {
    const ServiceState* service = means_.view.FindService(entry.first.service);
    return service != nullptr && ModeOf(*service) == SizingMode::kOff;
  });
  for (auto& [key, followed] : followed_) SetRecommenders(key, followed);
}

void Sizer::Begin() {
  MeasureMachines();
  for (const ServiceState& service : means_.view.services()) {
    for (const Instance& instance : service.instances) {
      // At the start those that were before are not ours to tell.
      if (instance.timeline.out_of_memory > 0) NoteKills(instance, begun_);
    }
  }
  begun_ = true;
}

void Sizer::OnCommit(const Committed& committed) {
  for (const Update& update : committed.updates) {
    if (update.key.kind == RecordKind::kService && !update.record) {
      ForgetInstancesOf(update.key.name);
    }
    if (update.key.kind == RecordKind::kMachine && update.record) {
      const auto& machine = std::get<Machine>(*update.record);
      Resources& most = largest_[machine.sku];
      for (const Resource r : kAllResources) most[r] = std::max(most[r], machine.capacity[r]);
    }
    if (update.key.kind == RecordKind::kInstance && update.record) {
      const auto& instance = std::get<Instance>(*update.record);
      if (instance.timeline.out_of_memory > 0) NoteKills(instance, true);
    }
  }
}

// What is known of the service stays: it may come back.
void Sizer::ForgetInstancesOf(const std::string& service) {
  for (auto at = followed_.lower_bound({service, TypeId()});
       at != followed_.end() && at->first.service == service; ++at) {
    at->second.cpu.gathered().ForgetInstances();
    at->second.memory.gathered().ForgetInstances();
    at->second.kills.clear();
    at->second.above.clear();
    at->second.lately_above.clear();
    at->second.held_until = Time();
    at->second.changed = true;
  }
}

void Sizer::NoteKills(const Instance& instance, bool tell) {
  const ServiceState* service = means_.view.FindService(instance.id.service);
  if (service == nullptr) return;
  const Key key{instance.id.service, instance.type};
  Followed* followed = Follow(key, *service);
  if (followed == nullptr) return;
  std::uint32_t& known = followed->kills[instance.id.number];
  const std::uint32_t count = instance.timeline.out_of_memory;
  const std::uint32_t more = count - std::min(count, known);
  known = count;
  if (!tell || more == 0) return;
  // The end of the last window that may have been told of.
  const Time at = WindowOf(means_.executor.now());
  for (std::uint32_t i = 0; i < std::min(more, kKillsToldAtOnce); ++i) {
    followed->memory.ObserveOom(instance.limit[Resource::kMemory], at);
  }
  followed->out_of_memory += more;
  // A kill that is told of at once is the last that happened to the instance.
  followed->last_kills.push_back(
      {instance.timeline.since, instance.limit[Resource::kMemory], more});
  if (followed->last_kills.size() > kKillsKept) {
    followed->last_kills.erase(followed->last_kills.begin());
  }
  followed->killed_with = instance.limit[Resource::kMemory];
  followed->killed_until =
      means_.executor.now() +
      std::min<Duration>(kKillRememberedMax,
                         kKillRemembered * static_cast<std::int64_t>(std::min<std::uint64_t>(
                                               followed->out_of_memory, 1000)));
  followed->seen = means_.executor.now();
  followed->changed = true;
  counts_.out_of_memory += more;
  if (policy_.rollout && ModeOf(*service) == SizingMode::kAuto) {
    (IsCandidate(*service) ? rollout_.candidate : rollout_.control).out_of_memory += more;
    rollout_.Judge(*policy_.rollout);
    rollout_changed_ = true;
  }
  Consider(key, *followed);
}

Sizer::Followed* Sizer::Follow(const Key& key, const ServiceState& service) {
  if (ModeOf(service) == SizingMode::kOff) return nullptr;
  auto at = followed_.find(key);
  if (at != followed_.end() && at->second.tenant != service.record.tenant) {
    followed_.erase(at);
    at = followed_.end();
  }
  if (at == followed_.end()) {
    if (followed_.size() >= kFollowedMax && !MakeRoom()) {
      ++counts_.not_followed;
      return nullptr;
    }
    at = followed_.try_emplace(key).first;
    at->second.tenant = service.record.tenant;
  }
  if (at->second.policy != policy_number_) SetRecommenders(key, at->second);
  return &at->second;
}

// Of those that are gone, who was seen longest ago makes room for another.
bool Sizer::MakeRoom() {
  if (full_) return false;
  auto oldest = followed_.end();
  for (auto at = followed_.begin(); at != followed_.end(); ++at) {
    if (means_.view.FindService(at->first.service) != nullptr) continue;
    if (oldest == followed_.end() || at->second.seen < oldest->second.seen) oldest = at;
  }
  if (oldest == followed_.end()) {
    full_ = true;
    return false;
  }
  followed_.erase(oldest);
  return true;
}

void Sizer::SetRecommenders(const Key& key, Followed& followed) {
  const ServiceSizing& sizing = policy_.settings.Of(key.service);
  const ServiceState* service = means_.view.FindService(key.service);
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  // Who may have to take over learns beside the other, before and after its turn.
  if (service != nullptr && IsCandidate(*service)) add(policy_.rollout->recommender);
  add(sizing.recommender);
  if (policy_.rollout) add(policy_.rollout->recommender);
  for (const std::string& name : policy_.beside) add(name);
  const InstanceType* type = means_.view.Find(key.type);
  for (const Resource r : kSizedResources) {
    followed.of(r).Use(names,
                       {.resource = r,
                        .cpu = sizing.cpu_kind,
                        .oom = sizing.oom_tolerance,
                        .request = type == nullptr ? 0 : type->size[r],
                        .service = key.service},
                       desk_);
  }
  followed.policy = policy_number_;
}

// A program answers after the window that it was told of was closed.
void Sizer::OnAnswer(const std::string& service) {
  for (auto at = followed_.lower_bound({service, TypeId()});
       at != followed_.end() && at->first.service == service; ++at) {
    at->second.changed = true;
    Consider(at->first, at->second);
  }
}

void Sizer::Observe(const InstanceId& id, Resource resource, std::span<const UsagePoint> points) {
  if (resource != Resource::kCpu && resource != Resource::kMemory) return;
  const ServiceState* service = means_.view.FindService(id.service);
  const KeptInstance* instance = service == nullptr ? nullptr : service->Find(id.number);
  if (instance == nullptr || instance->state == InstanceState::kEnded) return;
  Followed* followed = Follow({id.service, instance->type}, *service);
  if (followed == nullptr) return;
  const Time now = means_.executor.now();
  const Time oldest = WindowOf(now - kGrace);
  for (const UsagePoint& point : points) {
    if (!(point.value >= 0 && point.value <= static_cast<double>(kAmountMax)) ||
        point.at > now + kWindowLength) {
      continue;
    }
    if (point.at < oldest) {
      ++counts_.late;
      continue;
    }
    if (!followed->of(resource).Add(id.number, point.at, point.value)) continue;
    ++counts_.samples;
    if (point.value > static_cast<double>(instance->limit[resource])) {
      followed->above.insert({resource, id.number});
    }
    followed->seen = now;
    followed->changed = true;
    CloseLater();
  }
}

void Sizer::CloseLater() {
  more_to_close_ = true;
  if (closing_) return;
  closing_ = true;
  const Time oldest = WindowOf(means_.executor.now() - kGrace);
  means_.executor.PostAt(oldest + kWindowLength + kGrace,
                         [this, alive = std::weak_ptr<bool>(alive_)] {
                           if (alive.expired()) return;
                           upto_ = WindowOf(means_.executor.now() - kGrace);
                           after_.reset();
                           more_to_close_ = false;
                           full_ = false;
                           MeasureMachines();
                           CloseSome();
                         });
}

void Sizer::CloseSome() {
  auto at = after_ ? followed_.upper_bound(*after_) : followed_.begin();
  for (std::size_t i = 0; i < kClosedAtOnce && at != followed_.end(); ++i) {
    after_ = at->first;
    const bool forgotten = means_.view.FindService(at->first.service) == nullptr &&
                           at->second.seen + kRemembered < means_.executor.now();
    if (forgotten) {
      at = followed_.erase(at);
    } else {
      Close(at->first, at->second);
      ++at;
    }
  }
  if (at == followed_.end()) return EndPass();
  means_.executor.Post(WhileAlive(&Sizer::CloseSome));
}

void Sizer::Close(const Key& key, Followed& followed) {
  const ServiceState* service = means_.view.FindService(key.service);
  const FollowedUsage::Passed cpu = followed.cpu.Close(upto_);
  const FollowedUsage::Passed memory = followed.memory.Close(upto_);
  if (followed.cpu.gathers() || followed.memory.gathers()) more_to_close_ = true;
  if (service == nullptr || cpu.windows + memory.windows == 0) return;
  followed.changed = true;
  if (policy_.rollout && ModeOf(*service) == SizingMode::kAuto) {
    ArmTally& arm = IsCandidate(*service) ? rollout_.candidate : rollout_.control;
    arm.instance_windows += std::max(cpu.instance_windows, memory.instance_windows);
    std::set<std::uint32_t> instances;
    for (const auto& [resource, number] : followed.above) instances.insert(number);
    arm.overruns += instances.size();
    rollout_changed_ = true;
  }
  followed.lately_above = std::exchange(followed.above, {});
  const auto is_gone = [&](std::uint32_t number) { return service->Find(number) == nullptr; };
  followed.cpu.gathered().ForgetInstances(is_gone);
  followed.memory.gathered().ForgetInstances(is_gone);
  std::erase_if(followed.kills, [&](const auto& kills) { return is_gone(kills.first); });
  Consider(key, followed);
}

void Sizer::EndPass() {
  closing_ = false;
  GatherSizes();
  if (policy_.rollout) rollout_.Judge(*policy_.rollout);
  if (more_to_close_) CloseLater();
}

Sizer::Counts Sizer::counts() const {
  Counts counts = counts_;
  counts.followed = followed_.size();
  return counts;
}

}  // namespace berth
