// What an agent's decisions take: of what it keeps, of time in rehearsal, and of the time between
// them.
#include <utility>

#include "allocate/agent.h"

namespace berth {
namespace {

// So that a request that comes meanwhile waits for little.
constexpr std::uint32_t kRefreshedAtOnce = 2000;

// Estimates are brought up to date within five minutes, a few machines at a time: a fleet's whole
// would be a long pause. All machines tend to be out of date at once, when a step of the traces
// ends, so a fleet is spread over some four minutes.
constexpr Duration kOutlookMayBeLate = std::chrono::minutes(5);
constexpr Duration kAgesEvery = std::chrono::milliseconds(100);
constexpr std::size_t kAgesAllIn = std::chrono::minutes(4) / kAgesEvery;

}  // namespace

// Counts what a decision took and, in rehearsal, begins the time that it takes.
void Agent::NoteThought(const Job& job, const Kept::Work& before, const Kept::Work& after) {
  if (after.asked == before.asked) return;  // No machine was looked for.
  const bool hit = after.missed == before.missed;
  Count(job, hit ? &DecidingStats::hits : &DecidingStats::misses);
  Count(job, hit ? &DecidingStats::machines_on_hits : &DecidingStats::machines_on_misses,
        after.machines - before.machines);
  const Duration takes = options_.thinking ? options_.thinking(hit) : Duration();
  if (takes <= Duration()) return;
  thinking_ = true;
  executor_.PostAt(executor_.now() + takes, [this, alive = alive_] {
    if (*alive) EndThought();
  });
}

void Agent::Conclude(const std::shared_ptr<Job>& job, Reply reply) {
  if (!thinking_) return Finish(*job, std::move(reply));
  conclusion_ = [this, job, reply = std::move(reply)] { Finish(*job, reply); };
}

void Agent::EndThought() {
  if (conclusion_) std::exchange(conclusion_, nullptr)();
  // Not at once: what its commit tells at this very moment is known to the next decision.
  executor_.Post([this, alive = alive_] {
    if (!*alive) return;
    thinking_ = false;
    while (!thinking_ && !queued_.empty()) {
      const std::shared_ptr<Job> job = std::move(queued_.front());
      queued_.pop_front();
      Attempt(job);
    }
    if (!thinking_) RefreshSoon();
  });
}

// Between requests there is time to look at what changed, so that requests need not.
void Agent::RefreshSoon() {
  if (!options_.refresh_when_idle || refreshing_ || control_ == nullptr ||
      !policy().cache.refresh) {
    return;
  }
  refreshing_ = true;
  executor_.Post([this, alive = alive_] {
    if (!*alive) return;
    refreshing_ = false;
    if (requests_waiting_ > 0 || thinking_ || !started_) return;
    // What is refreshed counts as up to date with the view: so must be what it goes by.
    FollowedOutlook();
    for (Arm* arm : {control_.get(), trial_.get()}) {
      if (arm == nullptr) continue;
      if (arm->evaluator.kept().Refresh(view_, kRefreshedAtOnce)) return RefreshSoon();
      arm->evaluator.kept().EvictOld(executor_.now());
    }
  });
}

// Without a timer all is done before a decision: in rehearsal that takes no time.
Duration Agent::OutlookMayBeLate() const {
  return options_.refresh_when_idle ? kOutlookMayBeLate : Duration();
}

Outlook* Agent::FollowedOutlook() {
  if (outlook_ != nullptr) outlook_->Follow(view_, executor_.now(), OutlookMayBeLate());
  return outlook_.get();
}

void Agent::AgeLater() {
  if (outlook_ == nullptr || !options_.refresh_when_idle || ageing_) return;
  ageing_ = true;
  executor_.PostAt(executor_.now() + kAgesEvery, [this, alive = alive_] {
    if (!*alive) return;
    ageing_ = false;
    Age();
    AgeLater();
  });
}

void Agent::Age() {
  if (outlook_ == nullptr || !started_) return;
  outlook_->Follow(view_, executor_.now(), kOutlookMayBeLate);
  outlook_->Refresh(view_, static_cast<std::uint32_t>(1 + view_.machines().size() / kAgesAllIn));
}

void Agent::Observe(const InstanceId& instance, const Resources& usage, Time at) {
  const Instance* found = view_.Find(instance);
  if (outlook_ != nullptr && found != nullptr) outlook_->Observe(*found, usage, at);
}

CacheStats Agent::cache_stats() const {
  CacheStats sum;
  for (const Arm* arm : {control_.get(), trial_.get()}) {
    if (arm != nullptr) sum += arm->evaluator.kept().stats();
  }
  return sum;
}

Kept::Work Agent::cache_work() const {
  Kept::Work sum;
  for (const Arm* arm : {control_.get(), trial_.get()}) {
    if (arm == nullptr) continue;
    const Kept::Work work = arm->evaluator.kept().work();
    sum.asked += work.asked;
    sum.missed += work.missed;
    sum.machines += work.machines;
  }
  return sum;
}

}  // namespace berth
