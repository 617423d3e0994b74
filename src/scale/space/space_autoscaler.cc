#include "scale/space/space_autoscaler.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "base/wire.h"
#include "berth/check.h"

namespace berth {
namespace {

Status Wrong(std::string message) { return {Code::kInvalidArgument, std::move(message)}; }

Result<std::vector<std::size_t>> TypesNamed(const std::vector<std::string>& names,
                                            std::span<const VmType> types) {
  std::vector<std::size_t> found;
  found.reserve(names.size());
  for (const std::string& name : names) {
    const auto at = std::ranges::find(types, name, &VmType::FullName);
    if (at == types.end()) {
      std::vector<std::string> known;
      known.reserve(types.size());
      for (const VmType& type : types) known.push_back(type.FullName());
      return Wrong(fmt::format("there is no node type {}; the types are {}", Quoted(name),
                               fmt::join(known, ", ")));
    }
    found.push_back(static_cast<std::size_t>(at - types.begin()));
  }
  return found;
}

}  // namespace

SpaceAutoscaler::SpaceAutoscaler(SpacePolicy policy, ScaledApplication application)
    : policy_(std::move(policy)), application_(std::move(application)) {}

Result<std::unique_ptr<SpaceAutoscaler>> SpaceAutoscaler::Make(SpacePolicy policy,
                                                               ScaledApplication application) {
  std::unique_ptr<SpaceAutoscaler> made(
      new SpaceAutoscaler(std::move(policy), std::move(application)));
  BERTH_RETURN_IF_ERROR(made->MakeServices());
  BERTH_RETURN_IF_ERROR(made->MakeWorld());
  return made;
}

Status SpaceAutoscaler::MakeServices() {
  const auto& policies = policy_.services;
  for (const ServicePolicy& policy : policies) {
    const bool there = policy.service == "default" ||
                       std::ranges::find(application_.services, policy.service,
                                         &ScaledService::name) != application_.services.end();
    if (!there) {
      return Wrong(fmt::format("the policy scales {}, which the application does not have",
                               Quoted(policy.service)));
    }
  }
  services_.reserve(application_.services.size());
  guards_.reserve(application_.services.size());
  for (const ScaledService& service : application_.services) {
    auto policy = std::ranges::find(policies, service.name, &ServicePolicy::service);
    if (policy == policies.end()) {
      policy = std::ranges::find(policies, "default", &ServicePolicy::service);
    }
    if (policy == policies.end()) {
      return Wrong(fmt::format("the policy does not scale {}; write it, or default, for all others",
                               Quoted(service.name)));
    }
    BERTH_TRY(ServiceCounter counter, ServiceCounter::Make(*policy));
    services_.push_back(std::move(counter));
    for (GroupCounter* group : services_.back().LearningGroups()) {
      learning_.push_back({service.name, group});
    }
    guards_.emplace_back(policy->bursts);
  }
  return {};
}

Status SpaceAutoscaler::MakeWorld() {
  InstanceCounts least;
  for (std::size_t s = 0; s < application_.services.size(); ++s) {
    const ScaledService& service = application_.services[s];
    world_.demands.push_back({.service = service.name, .need = service.need});
    world_.boots.push_back(service.boot);
    least.push_back(services_[s].policy().limits.min);
    const auto special = policy_.nodes.special.find(service.name);
    world_.special.emplace_back();
    if (special == policy_.nodes.special.end() || application_.types.empty()) continue;
    BERTH_TRY(world_.special.back(), TypesNamed(special->second, application_.types));
  }
  world_.types = application_.types;
  if (world_.types.empty()) return {};
  for (const InstanceDemand& demand : world_.demands) {
    if (demand.need.IsZero()) {
      return Wrong(
          fmt::format("{} needs no resources, so it cannot be placed; say what an "
                      "instance needs",
                      demand.service));
    }
    if (!CheapestHolding(demand.need, world_.types)) {
      return Wrong(fmt::format("{}: no node type holds an instance of {}; add a larger type",
                               demand.service, FormatResources(demand.need)));
    }
  }
  nodes_.emplace(policy_.nodes, world_, std::move(least));
  return {};
}

// What is ordered is there after a node, of whatever type, and an instance on it have booted.
std::size_t SpaceAutoscaler::LeadOf(std::size_t service, std::vector<std::string>& notes) const {
  Duration boot{};
  for (const VmType& type : application_.types) boot = std::max(boot, type.boot);
  boot += application_.services[service].boot;
  const std::int64_t lead = (boot + policy_.step - Duration(1)) / policy_.step;
  if (lead <= static_cast<std::int64_t>(policy_.steps())) return static_cast<std::size_t>(lead);
  notes.push_back(fmt::format("{} takes {} to come, longer than the horizon of {}; raise it",
                              application_.services[service].name, FormatDuration(boot),
                              FormatDuration(policy_.horizon)));
  return policy_.steps();
}

std::vector<ServiceCounts> SpaceAutoscaler::CountAll(Time now, const DeploymentState& state,
                                                     const MetricSource& metrics,
                                                     std::vector<std::string>& notes) {
  MetricWindow window(application_, metrics,
                      {.now = now, .step = policy_.step, .steps = 2 * policy_.steps()});
  std::vector<ServiceCounts> counts;
  counts.reserve(services_.size());
  for (std::size_t s = 0; s < services_.size(); ++s) {
    std::vector<std::string> own;
    counts.push_back(
        services_[s].Count(window,
                           {.service = s,
                            .ready = state.ready[s],
                            .starting = state.starting[s],
                            .steps = policy_.steps(),
                            .lead = LeadOf(s, own),
                            .enforced = static_cast<std::size_t>(std::max<std::int64_t>(
                                1, (policy_.sync + policy_.step - Duration(1)) / policy_.step))},
                           own));
    for (const std::string& note : own) {
      notes.push_back(fmt::format("{}: {}", application_.services[s].name, note));
    }
  }
  return counts;
}

void SpaceAutoscaler::HoldBursts(Time now, std::vector<ServiceCounts>& counts,
                                 std::vector<std::string>& notes) {
  for (std::size_t s = 0; s < counts.size(); ++s) {
    CountPath& ordered = counts[s].ordered;
    const auto hold = guards_[s].See(now, ordered.front());
    if (!hold) continue;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      if (now + policy_.step * static_cast<std::int64_t>(i) >= hold->until) break;
      ordered[i] = std::min(ordered[i], hold->most);
      counts[s].low[i] = std::min(counts[s].low[i], ordered[i]);
    }
    notes.push_back(fmt::format("{}: a burst that returned is held at {} until {}",
                                application_.services[s].name, hold->most,
                                FormatTime(hold->until)));
  }
}

std::string SpaceAutoscaler::WhyChanged(const InstanceCounts& before, const InstanceCounts& after,
                                        std::size_t step) const {
  std::string why;
  for (std::size_t s = 0; s < after.size(); ++s) {
    if (before[s] == after[s]) continue;
    why += fmt::format("{}{} {} to {} ({})", why.empty() ? "" : "; ", application_.services[s].name,
                       before[s], after[s], services_[s].Why(step));
  }
  return why;
}

void SpaceAutoscaler::AddStates(Time now, const DeploymentState& state,
                                const std::vector<ServiceCounts>& counts, ScalingPlan& plan) {
  std::vector<WantedState> wanted(policy_.steps());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i].at = now + policy_.step * static_cast<std::int64_t>(i);
    for (const ServiceCounts& service : counts) wanted[i].counts.push_back(service.ordered[i]);
  }
  InstanceCounts before = state.ready;
  for (std::size_t s = 0; s < before.size(); ++s) before[s] += state.starting[s];
  // `held` are the instances that are wanted; those on nodes that leave come on top.
  const auto add = [&](Time at, std::size_t step, const InstanceCounts& held, NodeSet nodes,
                       const std::string& what) {
    PlannedState planned{.at = at, .instances = held, .nodes = std::move(nodes)};
    if (nodes_) planned.instances = InstancesOn(planned.nodes, services_.size());
    for (const ServiceCounts& service : counts) {
      planned.low.push_back(service.low[step]);
      planned.high.push_back(service.high[step]);
    }
    planned.why = WhyChanged(before, held, step);
    if (planned.why.empty()) planned.why = what.empty() ? "instances move between nodes" : what;
    before = held;
    plan.states.push_back(std::move(planned));
  };
  if (nodes_) {
    NodePlan nodes = nodes_->Plan(state, wanted, now + policy_.sync, plan.notes);
    before = std::move(nodes.held);
    for (NodeState& each : nodes.states) {
      add(each.at, each.wanted, each.held, std::move(each.nodes), each.what);
    }
    return;
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i].counts != before) add(wanted[i].at, i, wanted[i].counts, {}, {});
  }
}

ScalingPlan SpaceAutoscaler::Decide(Time now, const DeploymentState& state,
                                    const MetricSource& metrics) {
  ScalingPlan plan{.made = now};
  if (!started_) started_ = now;
  if (now < *started_ + policy_.warm_up) {
    plan.notes.push_back(
        fmt::format("warming up until {}", FormatTime(*started_ + policy_.warm_up)));
    return plan;
  }
  std::vector<ServiceCounts> counts = CountAll(now, state, metrics, plan.notes);
  HoldBursts(now, counts, plan.notes);
  AddStates(now, state, counts, plan);
  return plan;
}

}  // namespace berth
