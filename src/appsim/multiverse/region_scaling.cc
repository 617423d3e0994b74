#include <algorithm>
#include <utility>

#include "appsim/multiverse/region_run.h"

namespace berth::multiverse {
namespace {

bool IsUtilisation(const std::string& metric) {
  return std::find(kAmountNames.begin(), kAmountNames.end(), metric) != kAmountNames.end();
}

Varying DelayOf(const std::map<std::string, Varying>& by_provider, const std::string& provider) {
  const auto found = by_provider.find(provider);
  return found == by_provider.end() ? Varying{} : found->second;
}

Time FloorToGrid(Time time, Duration grid) { return time - time.time_since_epoch() % grid; }

}  // namespace

void RegionRun::TrackMetrics() {
  const Duration averaging = set_.application.averaging;
  for (std::size_t s = 0; s < services_.size(); ++s) {
    for (const MetricGroupSpec& group : set_.policy.services[s].groups) {
      for (const MetricSpec& metric : group.metrics) {
        const MetricWindow window(averaging, 2 * (metric.window + averaging));
        if (metric.source == MetricSource::kService) {
          services_[s].windows.insert_or_assign(metric.name, window);
        } else if (metric.source == MetricSource::kResponses) {
          response_windows_.insert_or_assign(metric.name, window);
        }
      }
    }
  }
}

std::int64_t RegionRun::DrawMicros(const Varying& varying) {
  return static_cast<std::int64_t>(Draw(varying, delay_rng_));
}

void RegionRun::OrderInitialGroups(Time start) {
  for (const InitialGroup& initial : set_.deployment) {
    if (initial.region != region_ || initial.nodes == 0) continue;
    NodeBatch batch{.node_type = initial.node_type,
                    .nodes = initial.nodes,
                    .instances = Counts(services_.size(), 0)};
    batch.instances[initial.service] = initial.instances;
    OrderBatch(batch, start, true);
  }
}

// The group's nodes come up together; its instances start then.
void RegionRun::OrderBatch(const NodeBatch& batch, Time at, bool initial) {
  const NodeTypeSpec& type = set_.node_types[batch.node_type];
  const std::size_t group = groups_.size();
  groups_.emplace_back(set_, batch.node_type, quirks_);
  for (int direction = 0; direction < 2; ++direction) {
    links_.push_back({.latency = type.latency.count(),
                      .bandwidth = type.capacity[kAmountCount - 1] * batch.nodes,
                      .in_transfer = std::vector<std::vector<ItemIndex>>(services_.size())});
  }
  groups_[group].PlanNodes(batch.nodes);
  const Time up = at + Duration(DrawMicros(type.boot));
  changes_.emplace(up, Change{.kind = Change::Kind::kNodesUp,
                              .group = group,
                              .nodes = batch.nodes,
                              .initial = initial});
  std::map<Time, std::vector<std::int64_t>> starts;
  for (std::size_t s = 0; s < services_.size(); ++s) {
    if (batch.instances[s] == 0) continue;
    const Varying delay = DelayOf(set_.application.services[s].boot, type.provider);
    std::vector<std::int64_t>& counts = starts[up + Duration(DrawMicros(delay))];
    counts.resize(services_.size(), 0);
    counts[s] = batch.instances[s];
    groups_[group].PlanInstances(s, batch.instances[s]);
  }
  for (auto& [when, counts] : starts) {
    changes_.emplace(when, Change{.kind = Change::Kind::kInstances,
                                  .group = group,
                                  .instances = std::move(counts),
                                  .initial = initial});
  }
}

void RegionRun::Sample(std::size_t service, Time now) {
  ServiceState& state = services_[service];
  constexpr double kMicrosInSecond = 1e6;
  const bool cut = quirks_.Has(Quirk::kSubSecondWaiting);
  const auto waited = [&](const ServiceBuffer& buffer) {
    const double micros = buffer.MeanWaited(pool_);
    if (!cut) return micros;
    const double whole = static_cast<double>(static_cast<std::int64_t>(micros / kMicrosInSecond));
    // In whole milliseconds.
    return 1e3 *
           static_cast<double>(static_cast<std::int64_t>((micros - whole * kMicrosInSecond) / 1e3));
  };
  bool wants_use = false;
  for (auto& [name, window] : state.windows) {
    if (IsUtilisation(name)) {
      wants_use = true;
    } else if (name == "waiting_time") {
      window.Add(now, waited(state.upstream) + waited(state.downstream));
    } else if (name == "upstream_waiting_time") {
      window.Add(now, waited(state.upstream));
    } else if (name == "downstream_waiting_time") {
      window.Add(now, waited(state.downstream));
    } else {
      const std::size_t up = name.starts_with("downstream") ? 0 : state.upstream.size();
      const std::size_t down = name.starts_with("upstream") ? 0 : state.downstream.size();
      window.Add(now, static_cast<double>(up + down));
    }
  }
  if (wants_use) SampleUse(service, now);
}

// The mean over the service's groups, whatever their sizes.
void RegionRun::SampleUse(std::size_t service, Time now) {
  ServiceState& state = services_[service];
  Amounts sum{};
  double count = 0;
  for (const std::size_t g : state.groups) {
    const NodeGroup& group = groups_[g];
    if (group.leaving) continue;
    Amounts use = group.IdleUse(use_rng_);
    AddTo(use, group.WorkUse(service));
    use[kAmountCount - 1] += links_[2 * g].used + links_[2 * g + 1].used;
    for (std::size_t i = 0; i < kAmountCount; ++i) sum[i] += std::min(1.0, group.Share(use, i));
    count += 1;
  }
  if (count == 0) return;
  for (std::size_t i = 0; i < kAmountCount; ++i) {
    const auto found = state.windows.find(std::string(kAmountNames[i]));
    if (found != state.windows.end()) found->second.Add(now, sum[i] / count);
  }
}

void RegionRun::DecideIfDue(Time now) {
  if (!set_.policy.warm_up && quirks_.Has(Quirk::kNeverWithoutWarmUp)) return;
  if (now < run_.start + set_.policy.warm_up.value_or(Duration::zero())) return;
  const Duration since = now - last_decision_;
  const Duration period = set_.policy.sync_period;
  if (quirks_.Has(Quirk::kDecidesAfterPeriod) ? since <= period : since < period) return;
  last_decision_ = now;
  Decide(now);
}

std::optional<double> RegionRun::MetricValue(std::size_t service, const MetricSpec& metric) const {
  if (metric.source == MetricSource::kLoad) {
    // Only whether there is any: no rule goes by it.
    return any_load_ ? std::optional<double>(1) : std::nullopt;
  }
  if (metric.source == MetricSource::kResponses) {
    return Aggregate(metric, response_windows_.at(metric.name), std::nullopt, quirks_);
  }
  std::optional<Duration> grid;
  if (IsUtilisation(metric.name)) grid = set_.application.averaging;
  return Aggregate(metric, services_[service].windows.at(metric.name), grid, quirks_);
}

std::optional<std::uint32_t> RegionRun::Desired(std::size_t service, Time now, Time& effect) const {
  const ServicePolicySpec& policy = set_.policy.services[service];
  const std::uint32_t current = SeenInstances(service);
  std::optional<std::uint32_t> desired;
  for (const MetricGroupSpec& group : policy.groups) {
    std::optional<double> value;
    const MetricSpec* target = nullptr;
    bool whole = true;
    for (const MetricSpec& metric : group.metrics) {
      const std::optional<double> found = MetricValue(service, metric);
      whole = whole && found;
      if (metric.name != group.target_metric) continue;
      value = found;
      target = &metric;
    }
    if (!whole || !value) continue;
    const std::uint32_t count = DesiredCount(group, current, *value, quirks_);
    const bool better = !desired || (policy.takes_max ? count > *desired : count < *desired);
    if (!better) continue;
    desired = count;
    effect = EffectTime(*target, group, now, quirks_);
  }
  return desired;
}

void RegionRun::Decide(Time now) {
  std::map<Time, std::vector<std::int64_t>> wanted;
  // The last one wins where only one may, and the original comes to the first of the file last.
  for (std::size_t s = services_.size(); s-- > 0;) {
    Time effect = now;
    const std::optional<std::uint32_t> desired = Desired(s, now, effect);
    if (!desired) continue;
    const std::int64_t change = std::int64_t{*desired} - SeenInstances(s);
    if (change == 0) continue;
    std::vector<std::int64_t>& changes = wanted[FloorToGrid(effect, set_.adjustment.combiner_grid)];
    if (quirks_.Has(Quirk::kOneServiceAnInstant)) changes.clear();
    changes.resize(services_.size(), 0);
    changes[s] = change;
  }
  ++totals_.decisions;
  if (!wanted.empty() && quirks_.Has(Quirk::kNewPlanDropsPending)) DropPending();
  const bool unseen = quirks_.Has(Quirk::kPendingUnseen);
  for (auto& [at, changes] : wanted) {
    const std::vector<NodeGroup> planned = unseen ? std::vector<NodeGroup>() : PlannedGroups();
    Execute(PlanOrders(changes, unseen ? groups_ : planned, placer_, set_, quirks_, use_rng_),
            std::max(at, now));
  }
}

void RegionRun::DropPending() {
  std::erase_if(changes_, [](const auto& entry) { return !entry.second.initial; });
  for (NodeGroup& group : groups_) group.ForgetPlans();
  for (const auto& [at, change] : changes_) {
    NodeGroup& group = groups_[change.group];
    group.PlanNodes(change.nodes);
    for (std::size_t s = 0; s < change.instances.size(); ++s) {
      group.PlanInstances(s, change.instances[s]);
    }
  }
}

Time RegionRun::CooledDown(Time at) {
  const Duration cooldown = set_.adjustment.cooldown;
  Time planned = at;
  if (last_growth_ && *last_growth_ > at) {
    planned = *last_growth_ + cooldown;
  } else if (last_growth_) {
    const Duration since = at - *last_growth_;
    if (quirks_.Has(Quirk::kCooldownAddsElapsed)) {
      if (since > cooldown) planned += since - cooldown;
    } else if (since < cooldown) {
      planned = *last_growth_ + cooldown;
    }
  }
  last_growth_ = planned;
  return planned;
}

void RegionRun::Execute(const Orders& orders, Time at) {
  const auto delay_of = [&](const InstanceChange& change) {
    if (quirks_.Has(Quirk::kNoDelayOnOldNodes)) return Duration::zero();
    const std::string& provider = set_.node_types[groups_[change.group].node_type()].provider;
    const ServiceSpec& service = set_.application.services[change.service];
    return Duration(
        DrawMicros(DelayOf(change.change > 0 ? service.boot : service.termination, provider)));
  };
  for (const InstanceChange& change : orders.changes) {
    Change applied{.kind = Change::Kind::kInstances,
                   .group = change.group,
                   .instances = std::vector<std::int64_t>(services_.size(), 0)};
    applied.instances[change.service] = change.change;
    groups_[change.group].PlanInstances(change.service, change.change);
    changes_.emplace(at + delay_of(change), std::move(applied));
  }
  for (const NodeRemoval& removal : orders.removals) {
    NodeGroup& group = groups_[removal.group];
    const NodeTypeSpec& type = set_.node_types[group.node_type()];
    std::int64_t stopping = 0;
    Change stop{.kind = Change::Kind::kInstances,
                .group = removal.group,
                .instances = std::vector<std::int64_t>(services_.size(), 0)};
    for (std::size_t s = 0; s < removal.instances.size(); ++s) {
      if (removal.instances[s] == 0) continue;
      const Varying delay = DelayOf(set_.application.services[s].termination, type.provider);
      stopping = std::max(stopping, DrawMicros(delay));
      stop.instances[s] = -static_cast<std::int64_t>(removal.instances[s]);
      group.PlanInstances(s, stop.instances[s]);
    }
    group.PlanNodes(-std::int64_t{removal.nodes});
    const Time stopped = at + Duration(stopping);
    changes_.emplace(stopped, std::move(stop));
    if (group.planned_nodes() == 0) {
      changes_.emplace(at, Change{.kind = Change::Kind::kGroupLeaves, .group = removal.group});
    }
    changes_.emplace(
        stopped + Duration(DrawMicros(type.termination)),
        Change{.kind = Change::Kind::kNodesGone, .group = removal.group, .nodes = removal.nodes});
  }
  if (orders.added.empty()) return;
  const std::size_t old_groups = groups_.size();
  const Time planned = CooledDown(at);
  for (const NodeBatch& batch : orders.added) OrderBatch(batch, planned, false);
  if (!orders.substitutes || quirks_.Has(Quirk::kSubstitutesKeepOld)) return;
  for (std::size_t g = 0; g < old_groups; ++g) {
    NodeGroup& group = groups_[g];
    const std::uint32_t nodes = group.planned_nodes();
    if (group.nodes() == 0 || group.leaving || nodes == 0) continue;
    const NodeTypeSpec& type = set_.node_types[group.node_type()];
    const Time up = planned + Duration(DrawMicros(type.boot));
    group.PlanNodes(-std::int64_t{nodes});
    for (std::size_t s = 0; s < services_.size(); ++s) {
      group.PlanInstances(s, -std::int64_t{group.planned_instances(s)});
    }
    changes_.emplace(up, Change{.kind = Change::Kind::kGroupLeaves, .group = g});
    changes_.emplace(up + Duration(DrawMicros(type.termination)),
                     Change{.kind = Change::Kind::kNodesGone, .group = g, .nodes = nodes});
  }
}

void RegionRun::ApplyDue(Time now) {
  while (!changes_.empty() && changes_.begin()->first <= now) {
    const Change change = std::move(changes_.begin()->second);
    changes_.erase(changes_.begin());
    Apply(change);
  }
}

void RegionRun::Apply(const Change& change) {
  NodeGroup& group = groups_[change.group];
  switch (change.kind) {
    case Change::Kind::kNodesUp:
      group.AddNodes(change.nodes);
      return;
    case Change::Kind::kGroupLeaves:
      group.leaving = true;
      return;
    case Change::Kind::kNodesGone:
      group.RemoveNodes(change.nodes);
      if (group.nodes() == 0) Remove(change.group);
      return;
    case Change::Kind::kInstances:
      break;
  }
  for (std::size_t s = 0; s < change.instances.size(); ++s) {
    const std::int64_t count = change.instances[s];
    if (count > 0) group.AddInstances(s, static_cast<std::uint32_t>(count));
    if (count < 0) group.RemoveInstances(s, static_cast<std::uint32_t>(-count));
  }
  Register(change.group);
}

// Every service on the group gets its links.
void RegionRun::Register(std::size_t g) {
  for (std::size_t s = 0; s < services_.size(); ++s) {
    if (groups_[g].instances(s) == 0) continue;
    ServiceState& state = services_[s];
    const bool known = std::find(state.groups.begin(), state.groups.end(), g) != state.groups.end();
    if (!known) {
      state.groups.push_back(g);
      groups_[g].Host(s);
    }
    if (known && !quirks_.Has(Quirk::kLinksPileUp)) continue;
    state.upstream.AddLink(2 * g);
    state.downstream.AddLink(2 * g + 1);
  }
}

void RegionRun::Remove(std::size_t g) {
  groups_[g].Clear(pool_);
  for (ServiceState& state : services_) {
    std::erase(state.groups, g);
    if (quirks_.Has(Quirk::kLinksPileUp)) continue;
    state.upstream.RemoveLink(2 * g);
    state.downstream.RemoveLink(2 * g + 1);
  }
  for (std::size_t s = 0; s < services_.size(); ++s) {
    groups_[g].RemoveInstances(s, groups_[g].instances(s));
  }
}

std::uint32_t RegionRun::Instances(std::size_t service) const {
  std::uint32_t count = 0;
  for (const std::size_t g : services_[service].groups) count += groups_[g].instances(service);
  return count;
}

// What a decision goes by: unless orders are unseen, what there will be when they are carried out.
std::uint32_t RegionRun::SeenInstances(std::size_t service) const {
  if (quirks_.Has(Quirk::kPendingUnseen)) return Instances(service);
  std::uint32_t count = 0;
  for (const NodeGroup& group : groups_) count += group.planned_instances(service);
  return count;
}

std::vector<NodeGroup> RegionRun::PlannedGroups() const {
  std::vector<NodeGroup> groups;
  groups.reserve(groups_.size());
  for (const NodeGroup& group : groups_) groups.push_back(group.AsPlanned());
  return groups;
}

}  // namespace berth::multiverse
