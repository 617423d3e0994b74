// How a replicator has counts changed: one service after the other, under the lease.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "engine/replicator.h"

namespace berth {

std::uint32_t Replicator::ReplicasOf(const ServiceState& service, const Followed& followed) const {
  std::uint32_t replicas = 0;
  for (const KeptInstance& instance : service.instances) {
    const bool counts = instance.type == followed.type && instance.role == followed.role &&
                        instance.state != InstanceState::kEnded;
    replicas += counts ? 1 : 0;
  }
  return replicas;
}

std::optional<std::int64_t> Replicator::GrowthOf(const std::string& name,
                                                 const Followed& followed) const {
  const ServiceState* service = means_.view.FindService(name);
  if (service == nullptr || ModeOf(name) != ScalingMode::kAuto || !AdviceOf(followed) ||
      GroupOf(service->record) == nullptr) {
    return std::nullopt;
  }
  const std::int64_t growth =
      std::int64_t{AdviceOf(followed)->count} - std::int64_t{ReplicasOf(*service, followed)};
  return growth == 0 || IsHeld(followed, growth) ? std::nullopt : std::optional(growth);
}

bool Replicator::IsHeld(const Followed& followed, std::int64_t growth) const {
  return followed.held_until > means_.executor.now() && followed.held_growing == (growth > 0);
}

void Replicator::Consider(const std::string& name, const Followed& followed) {
  if (!GrowthOf(name, followed)) return;
  due_.insert(name);
  if (!busy_) Act();
}

void Replicator::Hold(Followed& followed, Holding hold) {
  followed.held_growing = hold.growing;
  followed.held_until = hold.until;
  followed.held_because = std::move(hold.because);
  followed.changed = true;
}

void Replicator::Act() {
  busy_ = true;
  lease_.Hold([this, alive = std::weak_ptr<bool>(alive_)](std::optional<LeaseGuard> guard) {
    if (alive.expired()) return;
    if (guard) {
      guard_ = *std::move(guard);
      return Next();
    }
    busy_ = false;
    for (const std::string& name : std::exchange(due_, {})) {
      const auto at = followed_.find(name);
      const auto growth = at == followed_.end() ? std::nullopt : GrowthOf(name, at->second);
      if (!growth) continue;
      Hold(at->second, {.growing = *growth > 0,
                        .until = lease_.held_until(),
                        .because = "another process has the right to scale"});
    }
  });
}

void Replicator::Next() {
  while (!due_.empty()) {
    const std::string name = *due_.begin();
    due_.erase(due_.begin());
    const auto at = followed_.find(name);
    if (at == followed_.end()) continue;
    const std::optional<std::int64_t> growth = GrowthOf(name, at->second);
    if (!growth) continue;
    const auto hold = *growth < 0 ? means_.gate.MayDisrupt(name) : std::nullopt;
    if (hold) {
      ++counts_.held_back;
      Hold(at->second, {.growing = false, .until = hold->until, .because = hold->because});
      continue;
    }
    return Scale(name, at->second, *growth, *growth);
  }
  busy_ = false;
}

void Replicator::Scale(const std::string& name, const Followed& followed, std::int64_t growth,
                       std::int64_t wanted) {
  const ServiceState& service = *means_.view.FindService(name);
  std::vector<InstanceGroup> groups = service.record.groups;
  for (InstanceGroup& group : groups) {
    if (group.type != followed.type || group.role != followed.role) continue;
    group.count = static_cast<std::uint32_t>(std::max<std::int64_t>(0, group.count + growth));
  }
  std::string why = AdviceOf(followed)->why;
  if (growth < wanted) why += fmt::format("; {} of {} more, for want of room", growth, wanted);
  means_.submit(
      {.what = ScaleService{.service = name, .groups = std::move(groups), .why = std::move(why)},
       .idempotency_key = {},
       .quiet = true,
       .guard = guard_},
      [this, asked = Asked{.service = name, .growth = growth, .wanted = wanted},
       alive = std::weak_ptr<bool>(alive_)](const Reply& reply) {
        if (!alive.expired()) OnScaled(asked, reply);
      });
}

void Replicator::OnScaled(const Asked& asked, const Reply& reply) {
  const auto at = followed_.find(asked.service);
  const bool there = at != followed_.end() && means_.view.FindService(asked.service) != nullptr &&
                     AdviceOf(at->second);
  const auto hold = [&](std::string because) {
    Hold(at->second, {.growing = asked.growth > 0,
                      .until = means_.executor.now() + kTryAgainAfter,
                      .because = std::move(because)});
  };
  if (reply.accepted()) {
    ++(asked.growth > 0 ? counts_.grown : counts_.shrunk);
    if (there && asked.growth < asked.wanted) {
      hold(fmt::format("there was room for {} of {} more", asked.growth, asked.wanted));
    }
  } else if (there && reply.status.ok() && asked.growth > 1) {
    // Fewer may find room.
    return Scale(asked.service, at->second, asked.growth / 2, asked.wanted);
  } else if (there) {
    ++counts_.refused;
    hold(reply.status.ok() ? fmt::format("refused by {}: {}", reply.decision->refusal->rule.str(),
                                         reply.decision->refusal->because)
                           : reply.status.message());
  }
  // In between the lease may have run out.
  if (due_.empty()) {
    busy_ = false;
  } else {
    Act();
  }
}

}  // namespace berth
