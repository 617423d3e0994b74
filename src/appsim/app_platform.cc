#include "appsim/app_platform.h"

#include <algorithm>
#include <map>
#include <utility>

#include "berth/check.h"

namespace berth {
namespace {

// What is drawn for a node or instance, by its number.
enum class LifeDraw : std::uint8_t { kBoot, kTermination, kIdle };
constexpr int kLifeDrawBits = 3;

std::uint64_t LifeDrawNumber(std::uint32_t index, bool of_node, LifeDraw draw) {
  return (static_cast<std::uint64_t>(index) << 1 | (of_node ? 1 : 0)) << kLifeDrawBits |
         static_cast<std::uint64_t>(draw);
}

constexpr double kMicrosInAnHour = 3.6e9;

}  // namespace

AppPlatform::AppPlatform(const AppModel& model, const Rng& rng, Agenda& agenda, AppFlow& flow)
    : model_(model),
      draws_(rng.Fork("platform").Next()),
      agenda_(agenda),
      flow_(flow),
      wanted_(model.services.size()),
      leaving_(model.services.size()),
      bill_(model.node_types.size()) {}

void AppPlatform::Deploy(const std::vector<VmGroup>& groups) {
  for (const VmGroup& group : groups) {
    for (std::uint64_t i = 0; i < group.count; ++i) OrderNode(group.type, group.instances);
  }
  if (!model_.deployed_before) return;
  // What was put on the agenda for these finds them up and changes nothing.
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) NodeIsUp(node);
  for (std::uint32_t i = 0; i < instances_.size(); ++i) InstanceIsReady(i);
  intervals_.clear();
}

bool AppPlatform::OrderNode(std::size_t type, const InstanceCounts& instances) {
  if (IsFull()) {
    ++not_placed_;
    return false;
  }
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.push_back({.type = type, .ordered = agenda_.now()});
  alive_.push_back(index);
  hour_micros_.Add(agenda_.now(), {model_.node_types[type].vm.hour_micros});
  Begun(true);
  agenda_.PushChange(AppChange::Kind::kNodeUp, index,
                     agenda_.now() + draws_.Whole(model_.node_types[type].boot,
                                                  LifeDrawNumber(index, true, LifeDraw::kBoot)));
  for (std::uint32_t service = 0; service < instances.size(); ++service) {
    for (std::uint32_t i = 0; i < instances[service]; ++i) OrderInstance(index, service);
  }
  return true;
}

void AppPlatform::OrderInstance(std::uint32_t node, std::uint32_t service) {
  if (IsFull()) {
    ++not_placed_;
    return;
  }
  ++instances_alive_;
  ++wanted_[service];
  const auto index = static_cast<std::uint32_t>(instances_.size());
  instances_.push_back({.service = service, .node = node});
  nodes_[node].instances.push_back(index);
  Begun(true);
  if (nodes_[node].life == Life::kUp) StartBoot(index);
}

void AppPlatform::StartBoot(std::uint32_t index) {
  const Spread& boot = model_.services[instances_[index].service].boot;
  agenda_.PushChange(
      AppChange::Kind::kInstanceReady, index,
      agenda_.now() + draws_.Whole(boot, LifeDrawNumber(index, false, LifeDraw::kBoot)));
}

void AppPlatform::NodeIsUp(std::uint32_t index) {
  NodeOfType& node = nodes_[index];
  if (node.life != Life::kBooting) return;
  node.life = Life::kUp;
  node.in_flow = flow_.AddNode(node.type);
  UsedAmounts capacity{};
  for (std::size_t r = 0; r < kUsedCount; ++r) {
    capacity[r] = model_.node_types[node.type].vm.capacity[kAllResources[r]];
  }
  capacity_.Add(agenda_.now(), capacity);
  Done(true);
  for (const std::uint32_t instance : node.instances) StartBoot(instance);
}

void AppPlatform::InstanceIsReady(std::uint32_t index) {
  Instance& instance = instances_[index];
  if (instance.life != Life::kBooting) return;
  instance.life = Life::kUp;
  const SpreadUse& idle = model_.services[instance.service].idle;
  const UsedAmounts use = draws_.Amounts(idle, LifeDrawNumber(index, false, LifeDraw::kIdle));
  instance.in_flow = flow_.AddInstance(instance.service, nodes_[instance.node].in_flow, use);
  Done(true);
  LetGo(instance.service);
}

void AppPlatform::StopInstance(std::uint32_t index) {
  Instance& instance = instances_[index];
  if (instance.life == Life::kBooting) {
    Done(true);
    instance.life = Life::kGone;
    --instances_alive_;
    --wanted_[instance.service];
    std::erase(nodes_[instance.node].instances, index);
    return;
  }
  if (instance.life != Life::kUp) return;
  instance.life = Life::kLeaving;
  --wanted_[instance.service];
  leaving_[instance.service].push_back(index);
  Begun(false);
}

// Those that leave stop as soon as there are enough without them.
void AppPlatform::LetGo(std::uint32_t service) {
  std::vector<std::uint32_t>& leaving = leaving_[service];
  while (!leaving.empty() && flow_.ReadyCount(service) > wanted_[service]) {
    const std::uint32_t index = leaving.front();
    leaving.erase(leaving.begin());
    StopNow(index);
  }
}

void AppPlatform::StopNow(std::uint32_t index) {
  Instance& instance = instances_[index];
  instance.life = Life::kStopping;
  flow_.StopTaking(instance.in_flow);
  const Spread& termination = model_.services[instance.service].termination;
  agenda_.PushChange(
      AppChange::Kind::kInstanceGone, index,
      agenda_.now() +
          draws_.Whole(termination, LifeDrawNumber(index, false, LifeDraw::kTermination)));
}

void AppPlatform::InstanceIsGone(std::uint32_t index) {
  Instance& instance = instances_[index];
  instance.life = Life::kGone;
  --instances_alive_;
  flow_.RemoveInstance(instance.in_flow);
  Done(false);
  NodeOfType& node = nodes_[instance.node];
  std::erase(node.instances, index);
  if (node.life == Life::kStopping && node.instances.empty()) StopNode(instance.node);
}

// Its instances first, then the node itself.
void AppPlatform::StopNode(std::uint32_t index) {
  NodeOfType& node = nodes_[index];
  if (node.life == Life::kBooting) {
    for (const std::uint32_t instance : std::vector(node.instances)) StopInstance(instance);
    Done(true);
    Begun(false);
    return NodeIsGone(index);
  }
  if (node.life == Life::kUp) {
    node.life = Life::kStopping;
    Begun(false);
    for (const std::uint32_t instance : std::vector(node.instances)) StopInstance(instance);
  }
  if (!node.instances.empty()) return;
  const Spread& termination = model_.node_types[node.type].termination;
  agenda_.PushChange(
      AppChange::Kind::kNodeGone, index,
      agenda_.now() +
          draws_.Whole(termination, LifeDrawNumber(index, true, LifeDraw::kTermination)));
}

void AppPlatform::NodeIsGone(std::uint32_t index) {
  NodeOfType& node = nodes_[index];
  const AppNodeType& type = model_.node_types[node.type];
  if (node.life != Life::kBooting) {
    UsedAmounts capacity{};
    for (std::size_t r = 0; r < kUsedCount; ++r) capacity[r] = type.vm.capacity[kAllResources[r]];
    capacity_.Subtract(agenda_.now(), capacity);
  }
  node.life = Life::kGone;
  Done(false);
  std::erase(alive_, index);
  hour_micros_.Subtract(agenda_.now(), {type.vm.hour_micros});
  const auto paid_us = static_cast<double>(agenda_.now() - node.ordered);
  bill_[node.type].node_seconds += paid_us / 1e6;
  bill_[node.type].cost_micros +=
      paid_us / kMicrosInAnHour * static_cast<double>(type.vm.hour_micros);
}

void AppPlatform::Change(const AppChange& change) {
  switch (change.kind) {
    case AppChange::Kind::kNodeUp:
      return NodeIsUp(change.index);
    case AppChange::Kind::kNodeGone:
      return NodeIsGone(change.index);
    case AppChange::Kind::kInstanceReady:
      return InstanceIsReady(change.index);
    case AppChange::Kind::kInstanceGone:
      return InstanceIsGone(change.index);
    case AppChange::Kind::kStepEnds:
    case AppChange::Kind::kDecide:
    case AppChange::Kind::kPlanDue:
      BERTH_CHECK(false);
  }
}

void AppPlatform::Begun(bool up) {
  Pending& pending = pending_[up ? 1 : 0];
  if (pending.count++ == 0) pending.since = agenda_.now();
}

void AppPlatform::Done(bool up) {
  Pending& pending = pending_[up ? 1 : 0];
  BERTH_CHECK(pending.count > 0);
  if (--pending.count > 0) return;
  intervals_.push_back({.from_us = pending.since, .to_us = agenda_.now(), .up = up});
}

DeploymentState AppPlatform::State() const {
  DeploymentState state;
  state.ready.resize(model_.services.size());
  state.starting.resize(model_.services.size());
  std::map<std::pair<std::size_t, InstanceCounts>, std::uint64_t> groups;
  for (const std::uint32_t index : alive_) {
    const NodeOfType& node = nodes_[index];
    if (!Lives(node)) continue;
    ++groups[{node.type, InstancesOn(node)}];
    state.nodes_booting += node.life == Life::kBooting ? 1 : 0;
    for (const std::uint32_t i : node.instances) {
      if (instances_[i].life == Life::kUp) ++state.ready[instances_[i].service];
      if (instances_[i].life == Life::kBooting) ++state.starting[instances_[i].service];
    }
  }
  state.nodes.reserve(groups.size());
  for (const auto& [group, count] : groups) {
    state.nodes.push_back({.type = group.first, .count = count, .instances = group.second});
  }
  return state;
}

void AppPlatform::EndStep(AppSeries& series) {
  const std::int64_t now = agenda_.now();
  cost_micros_ += hour_micros_.Take(now)[0] / kMicrosInAnHour;
  series.cost_micros.push_back(cost_micros_);
  double living = 0, up = 0;
  for (const std::uint32_t index : alive_) {
    living += Lives(nodes_[index]) ? 1 : 0;
    up += nodes_[index].life != Life::kBooting ? 1 : 0;
  }
  series.nodes.push_back(up);
  series.nodes_desired.push_back(living);
  constexpr std::array<double, kUsedCount> kUnits = {1, 1, 1, 1e6};  // Used in bits a second.
  const std::array<double, kUsedCount> capacity = capacity_.Take(now);
  for (std::size_t r = 0; r < kUsedCount; ++r) {
    series.utilisation[r].push_back(
        capacity[r] > 0 ? flow_.used_in_step()[r] / (capacity[r] * kUnits[r]) : 0);
  }
}

void AppPlatform::EndRun(AppOutcome& outcome) {
  for (const std::uint32_t index : std::vector(alive_)) {
    const NodeOfType& node = nodes_[index];
    const auto paid_us = static_cast<double>(agenda_.end() - node.ordered);
    bill_[node.type].node_seconds += paid_us / 1e6;
    bill_[node.type].cost_micros +=
        paid_us / kMicrosInAnHour *
        static_cast<double>(model_.node_types[node.type].vm.hour_micros);
  }
  for (std::size_t type = 0; type < bill_.size(); ++type) {
    bill_[type].throttled_seconds = flow_.ThrottledSeconds(type, agenda_.end());
  }
  outcome.node_types = std::move(bill_);
  outcome.intervals = std::move(intervals_);
  for (const bool up : {false, true}) {
    const Pending& pending = pending_[up ? 1 : 0];
    if (pending.count == 0) continue;
    outcome.intervals.push_back({.from_us = pending.since, .to_us = agenda_.end(), .up = up});
  }
  outcome.not_placed = not_placed_;
}

}  // namespace berth
