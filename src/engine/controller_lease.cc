#include "engine/controller_lease.h"

#include <utility>

namespace berth {

ControllerLease::ControllerLease(Store& store, Executor& executor, const Inventory& view,
                                 std::string name, std::string holder)
    : store_(store),
      executor_(executor),
      view_(view),
      name_(std::move(name)),
      holder_(std::move(holder)) {}

const Lease* ControllerLease::Find() const {
  const auto at = view_.leases().find(name_);
  return at == view_.leases().end() ? nullptr : &at->second;
}

bool ControllerLease::IsOurs(const Lease* lease) const {
  return lease != nullptr && lease->holder == holder_ && lease->expires > executor_.now();
}

Time ControllerLease::held_until() const {
  const Lease* lease = Find();
  return lease == nullptr ? executor_.now() : lease->expires;
}

void ControllerLease::Hold(Done done) {
  const Lease* held = Find();
  const Time now = executor_.now();
  if (IsOurs(held) && held->expires - now > kLength / 2) {
    return executor_.Post(
        [done = std::move(done), guard = LeaseGuard{name_, held->epoch}] { done(guard); });
  }
  ChangeSet change{.operations = {Put{Lease{
                       .name = name_, .holder = holder_, .epoch = 0, .expires = now + kLength}}},
                   .seen = view_.revision(),
                   .at = now,
                   .guard = {}};
  store_.Commit(std::move(change), executor_,
                [this, done = std::move(done),
                 alive = std::weak_ptr<bool>(alive_)](const CommitReply& reply) {
                  if (alive.expired()) return;
                  // The view has been told by now.
                  const Lease* lease = Find();
                  if (reply.outcome != CommitReply::Outcome::kCommitted || !IsOurs(lease)) {
                    return done(std::nullopt);
                  }
                  done(LeaseGuard{name_, lease->epoch});
                });
}

}  // namespace berth
