#include "appsim/multiverse/region_run.h"

#include <algorithm>
#include <utility>

namespace berth::multiverse {

RegionRun::RegionRun(const SimulationSet& set, std::size_t region, const RunSpec& run,
                     const Quirks& quirks, ArrivalBuckets arrivals, Rng rng)
    : set_(set),
      region_(region),
      run_(run),
      quirks_(quirks),
      arrivals_(std::move(arrivals)),
      bucket_(set.load.bucket.value_or(run.step)),
      step_(run.step.count()),
      work_rng_(rng.Fork("work")),
      use_rng_(rng.Fork("use")),
      delay_rng_(rng.Fork("delay")),
      placer_(set, quirks),
      pool_(set.application.services.size()),
      last_decision_(run.start) {
  const ApplicationSpec& app = set.application;
  services_.reserve(app.services.size());
  for (std::size_t s = 0; s < app.services.size(); ++s) {
    services_.push_back({.upstream = ServiceBuffer(app.services[s], s, app.requests),
                         .downstream = ServiceBuffer(app.services[s], s, app.requests)});
  }
  totals_.nodes.assign(set.node_types.size(), 0.0);
  totals_.ordered_nodes.assign(set.node_types.size(), 0.0);
  TrackMetrics();
  OrderInitialGroups(run.start);
}

void RegionRun::Step(Time now) {
  Generate(now);
  for (std::size_t s = 0; s < services_.size(); ++s) StepService(s, now);
  MoveOn();
  DecideIfDue(now);
  ApplyDue(now);
  CountCost();
  totals_.items_most = std::max<std::uint64_t>(totals_.items_most, pool_.in_use());
}

// All of a bucket's requests come with the first step that is in it.
void RegionRun::Generate(Time now) {
  const std::int64_t bucket = (now - run_.start) / bucket_;
  if (bucket < next_bucket_) return;
  next_bucket_ = bucket + 1;
  const bool repeats = !quirks_.Has(Quirk::kPatternsEnd);
  for (std::size_t type = 0; type < set_.application.requests.size(); ++type) {
    std::uint32_t count = arrivals_.Count(static_cast<std::size_t>(bucket), type, repeats);
    totals_.generated += count;
    any_load_ = any_load_ || count > 0;
    while (count > 0) {
      const ItemIndex index = pool_.New();
      Item& item = pool_[index];
      item.id = next_id_++;
      item.request = type;
      item.batch = std::min(count, set_.load.batch);
      count -= item.batch;
      SendTo(set_.application.requests[type].entry, index);
    }
  }
}

// Draws what the item needs there, and puts it onto a link. Without one it is lost.
void RegionRun::SendTo(std::size_t service, ItemIndex index) {
  Item& item = pool_[index];
  const RequestSpec& spec = set_.application.requests[item.request];
  item.bytes = Draw(item.upstream ? spec.request_bytes : spec.response_bytes, work_rng_);
  item.need = Draw(spec.need, work_rng_);
  ServiceState& state = services_[service];
  ServiceBuffer& buffer = item.upstream ? state.upstream : state.downstream;
  if (!buffer.Send(index, pool_, links_, step_)) pool_.Free(index);
}

void RegionRun::StepService(std::size_t service, Time now) {
  ServiceState& state = services_[service];
  if (state.groups.empty()) return;
  const bool skips = quirks_.Has(Quirk::kLinksSkipItems);
  state.upstream.Step(pool_, links_, step_, skips);
  state.downstream.Step(pool_, links_, step_, skips);
  const bool one_budget = quirks_.Has(Quirk::kOneBudgetForAllGroups);
  std::int64_t budget = step_;
  for (const std::size_t g : state.groups) {
    NodeGroup& group = groups_[g];
    if (group.leaving) continue;
    const bool works = quirks_.Has(Quirk::kSharedGroupsRunFaster) || group.FirstHost() == service;
    if (one_budget) {
      if (works) budget = std::min(budget, group.Advance(pool_, budget));
      if (budget <= 0 || group.IsFull(use_rng_)) continue;
      Admit(group, state);
      budget = 0;
    } else {
      if (works) group.Advance(pool_, step_);
      if (!group.IsFull(use_rng_)) Admit(group, state);
    }
  }
  state.upstream.ChargeWaiting(pool_, step_);
  state.downstream.ChargeWaiting(pool_, step_);
  if (now.time_since_epoch() % set_.application.sampling == Duration::zero()) {
    Sample(service, now);
  }
}

// In turn a response, if all of its siblings are there, and a request, while any goes in. One that
// does not makes way for the next.
void RegionRun::Admit(NodeGroup& group, ServiceState& state) {
  std::size_t attempts = 0;
  const auto start = [&](ItemIndex index) {
    Item& item = pool_[index];
    const WorkTimes& times = set_.application.requests[item.request].times[item.service];
    item.left = static_cast<std::int64_t>(
        Draw(item.upstream ? times.upstream : times.downstream, work_rng_));
    group.Start(index, pool_);
  };
  const bool blocks = quirks_.Has(Quirk::kFirstBlocks);
  const auto make_way = [&](ServiceBuffer& buffer) {
    if (!blocks) buffer.Rotate();
  };
  bool goes_on = true;
  while (goes_on && (state.downstream.size() > 0 || state.upstream.size() > 0)) {
    goes_on = false;
    if (!state.downstream.HasWholeFirst(pool_)) {
      goes_on = !blocks && ++attempts <= state.downstream.size();
      make_way(state.downstream);
    } else if (group.CanTake(pool_[state.downstream.First()], use_rng_)) {
      start(state.downstream.TakeWhole(pool_, quirks_.Has(Quirk::kFanInReverses)));
      goes_on = true;
    } else {
      make_way(state.downstream);
    }
    if (!state.upstream.HasFirst()) continue;
    if (group.CanTake(pool_[state.upstream.First()], use_rng_)) {
      start(state.upstream.Take(pool_));
      goes_on = true;
    } else {
      make_way(state.upstream);
    }
  }
}

void RegionRun::MoveOn() {
  moving_.clear();
  for (NodeGroup& group : groups_) group.TakeDone(moving_);
  for (const ItemIndex index : moving_) MoveOn(index);
}

// A request to all services that come next, as copies; at the last one it becomes a response, which
// goes to all that come before.
void RegionRun::MoveOn(ItemIndex index) {
  const std::size_t at = pool_[index].service;
  const ServiceSpec& spec = set_.application.services[at];
  const bool turns = pool_[index].upstream && spec.next.empty();
  if (turns) pool_[index].upstream = false;
  const bool upstream = pool_[index].upstream;
  if (!upstream && at == set_.application.requests[pool_[index].request].entry) {
    Answer(index);
    return;
  }
  const std::vector<std::size_t>& goals = upstream ? spec.next : spec.prev;
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const ItemIndex copy = i + 1 < goals.size() ? pool_.Copy(index) : index;
    if (!upstream) {
      pool_[copy].replies_expected = set_.application.services[goals[i]].next.size();
    }
    SendTo(goals[i], copy);
  }
  if (goals.empty()) pool_.Free(index);
}

void RegionRun::Answer(ItemIndex index) {
  const Item& item = pool_[index];
  const bool in_time = item.accumulated < set_.application.requests[item.request].timeout.count();
  if (in_time || quirks_.Has(Quirk::kLateAnswersCount)) {
    totals_.fulfilled += item.batch;
    totals_.response_times.push_back(item.accumulated);
  }
  const Time now = run_.start + Duration(static_cast<std::int64_t>(totals_.steps + 1) * step_);
  for (auto& [name, window] : response_windows_) {
    const std::int64_t value = name == "response_time"  ? item.accumulated
                               : name == "network_time" ? item.network
                                                        : item.waited;
    window.AddPlain(now, static_cast<double>(value));
  }
  pool_.Free(index);
}

void RegionRun::CountCost() {
  ++totals_.steps;
  const double hours = static_cast<double>(step_) / 3600e6;
  for (const NodeGroup& group : groups_) {
    totals_.cost += group.nodes() * set_.node_types[group.node_type()].price_an_hour * hours;
    totals_.nodes[group.node_type()] += group.nodes();
    totals_.ordered_nodes[group.node_type()] += group.planned_nodes();
  }
}

}  // namespace berth::multiverse
