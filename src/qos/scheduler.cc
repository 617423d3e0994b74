#include "qos/scheduler.h"

#include <algorithm>
#include <utility>

#include "berth/check.h"

namespace berth {

Scheduler::Scheduler(SchedulerOptions options, const HostFilter& filter)
    : options_(std::move(options)), filter_(filter) {
  BERTH_CHECK(!options_.classes.empty() && options_.classes.size() <= kClassesMax);
  for (const ClassTerms& terms : options_.classes)
    ranks_ = std::max<std::size_t>(ranks_, terms.rank + 1);
}

HostIndex Scheduler::AddHost(const Resources& capacity) {
  const HostIndex host{static_cast<std::uint32_t>(hosts_.size())};
  hosts_.push_back({.capacity = capacity, .free = capacity, .up = true, .running = {}});
  HostIsUp(host);
  return host;
}

void Scheduler::LoseHost(HostIndex host, Time now) {
  BERTH_CHECK(At(host).up);
  // Those of one moment wait in the order in which they came.
  std::vector<RequestIndex> lost = At(host).running;
  std::ranges::sort(lost, {}, [&](RequestIndex request) { return requests_[request].order; });
  for (const RequestIndex request : lost) {
    TakeOff(request);
    requests_.Displace(request, now);
    ++waiting_;
    Waits(request, now);
  }
  At(host).up = false;
  HostIsDown(host);
}

void Scheduler::RecoverHost(HostIndex host) {
  BERTH_CHECK(!At(host).up);
  At(host).up = true;
  HostIsUp(host);
}

RequestIndex Scheduler::Admit(const Want& want, Time now) {
  BERTH_CHECK(want.klass < options_.classes.size());
  const RequestIndex request = requests_.Admit(want, now);
  ++waiting_;
  Waits(request, now);
  return request;
}

void Scheduler::Complete(RequestIndex request) {
  if (requests_[request].placed) {
    TakeOff(request);
    RoomChanged(requests_[request].host);
  } else {
    WaitsNoMore(request);
    --waiting_;
  }
  requests_.Complete(request);
}

void Scheduler::Correct(RequestIndex request, const RequestAccount& known) {
  BERTH_CHECK(known.want.klass < options_.classes.size());
  if (requests_[request].placed) {
    TakeOff(request);
    RoomChanged(requests_[request].host);
  } else {
    WaitsNoMore(request);
    --waiting_;
  }
  requests_.Correct(request, known);
  if (known.placed) {
    HostState& host = At(known.host);
    BERTH_CHECK(host.up);
    host.free -= known.want.demand;
    host.running.push_back(request);
    Runs(request, known.since);
    RoomChanged(known.host);
  } else {
    ++waiting_;
    Waits(request, known.since);
  }
}

void Scheduler::SetAllocation(RequestIndex request, Duration took, Time now) {
  const bool first = requests_[request].starts == 1;  // Which changes nobody's leeway.
  if (!first) Leaves(request);
  requests_.SetAllocation(request, took);
  if (!first) Runs(request, now);
}

const PassOutcome& Scheduler::Pass(Time now) {
  decisions_.grants.clear();
  decisions_.victims.clear();
  Decide(now);
  return EndPass(now);
}

const PassOutcome& Scheduler::SeatOne(RequestIndex request, HostIndex home, Time now) {
  BERTH_CHECK(!requests_[request].placed);
  decisions_.grants.clear();
  decisions_.victims.clear();
  if (const std::optional<Offer> offer = FindFor(request, home, now)) {
    Place(request, offer->host, offer->victims, now);
  }
  return EndPass(now);
}

const PassOutcome& Scheduler::EndPass(Time now) {
  for (const Victim& victim : decisions_.victims) {
    ++waiting_;
    Waits(victim.request, now);
  }
  return decisions_;
}

Leeway Scheduler::LeewayOf(RequestIndex request, Time now) const {
  const RequestAccount& account = requests_[request];
  return berth::LeewayOf(account.At(now), TermsOf(account.want).target_ppm,
                         options_.allocation_time);
}

void Scheduler::TakeOff(RequestIndex request) {
  Leaves(request);
  HostState& host = At(requests_[request].host);
  host.free += requests_[request].want.demand;
  const auto at = std::ranges::find(host.running, request);
  BERTH_CHECK(at != host.running.end());
  *at = host.running.back();
  host.running.pop_back();
}

void Scheduler::Place(RequestIndex request, HostIndex host, std::span<const Victim> victims,
                      Time now) {
  Grant grant{.request = request, .host = host, .leeway = LeewayOf(request, now)};
  grant.victims_begin = static_cast<std::uint32_t>(decisions_.victims.size());
  for (const Victim& victim : victims) {
    TakeOff(victim.request);
    requests_.Preempt(victim.request, now);
    decisions_.victims.push_back(victim);
  }
  grant.victims_end = static_cast<std::uint32_t>(decisions_.victims.size());
  decisions_.grants.push_back(grant);

  WaitsNoMore(request);
  --waiting_;
  HostState& state = At(host);
  state.free -= requests_[request].want.demand;
  BERTH_CHECK(Resources().FitsIn(state.free));
  state.running.push_back(request);
  requests_.Place(request, host, now);
  Runs(request, now);
  RoomChanged(host);
}

bool Scheduler::MayRun(const Want& want, HostIndex host) const {
  const HostState& state = this->host(host);
  if (!state.up || !filter_.MayRun(want, host)) return false;
  return want.group == kNoGroup || std::ranges::none_of(state.running, [&](RequestIndex request) {
           return requests_[request].want.group == want.group;
         });
}

}  // namespace berth
