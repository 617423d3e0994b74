// How a sizer has limits changed: one service after the other, under the lease, where the ledger of
// disruption lets it.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/sizer.h"

namespace berth {
namespace {

// After something failed that may be better the next time.
constexpr Duration kAgainAfterFailure = kWindowLength;

}  // namespace

void Sizer::Consider(const Key& key, Followed& followed) {
  const ServiceState* service = means_.view.FindService(key.service);
  if (service == nullptr) return;
  // Its turn in a roll-out may have come, or the roll-out may have ended.
  if (policy_.rollout) SetRecommenders(key, followed);
  if (ModeOf(*service) != SizingMode::kAuto || followed.held_until > means_.executor.now() ||
      !WantedFor(key, followed)) {
    return;
  }
  due_.insert(key);
  if (!busy_) Act();
}

void Sizer::Act() {
  busy_ = true;
  lease_.Hold([this, alive = std::weak_ptr<bool>(alive_)](std::optional<LeaseGuard> guard) {
    if (alive.expired()) return;
    if (guard) {
      guard_ = *std::move(guard);
      return Next();
    }
    busy_ = false;
    for (const Key& key : std::exchange(due_, {})) {
      const auto at = followed_.find(key);
      if (at == followed_.end()) continue;
      at->second.held_until = std::max(lease_.held_until(), means_.executor.now());
      at->second.held_because = "another process has the right to resize";
    }
  });
}

void Sizer::Next() {
  while (!due_.empty()) {
    const Key key = *due_.begin();
    due_.erase(due_.begin());
    const auto at = followed_.find(key);
    const ServiceState* service = means_.view.FindService(key.service);
    if (at == followed_.end() || service == nullptr || ModeOf(*service) != SizingMode::kAuto) {
      continue;
    }
    std::optional<Wanted> wanted = WantedFor(key, at->second);
    if (!wanted) continue;
    if (const auto hold = means_.gate.MayDisrupt(key.service)) {
      ++counts_.held_back;
      at->second.held_until = hold->until;
      at->second.held_because = hold->because;
      continue;
    }
    return means_.submit({.what = ResizeService{.service = key.service,
                                                .type = key.type,
                                                .limit = wanted->limit,
                                                .why = std::move(wanted->why)},
                          .idempotency_key = {},
                          .quiet = true,
                          .guard = guard_},
                         [this, key, alive = std::weak_ptr<bool>(alive_)](const Reply& reply) {
                           if (!alive.expired()) OnResized(key, reply);
                         });
  }
  busy_ = false;
}

void Sizer::OnResized(const Key& key, const Reply& reply) {
  const auto at = followed_.find(key);
  if (reply.accepted()) {
    ++counts_.resizes;
  } else if (at != followed_.end()) {
    ++counts_.refused;
    const bool failed = !reply.status.ok();
    at->second.held_until = means_.executor.now() + (failed ? kAgainAfterFailure : kTryAgainAfter);
    at->second.held_because =
        failed ? reply.status.message()
               : fmt::format("refused by {}: {}", reply.decision->refusal->rule.str(),
                             reply.decision->refusal->because);
  }
  // In between the lease may have run out.
  if (due_.empty()) {
    busy_ = false;
  } else {
    Act();
  }
}

}  // namespace berth
