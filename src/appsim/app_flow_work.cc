#include <algorithm>
#include <limits>
#include <tuple>

#include "appsim/app_flow.h"
#include "berth/check.h"

namespace berth {
namespace {

constexpr std::size_t kNobody = SIZE_MAX;
constexpr std::int64_t kBitsOfMegabit = 1'000'000;

bool IsAtLeast(const UsedAmounts& a, const UsedAmounts& b) {
  for (std::size_t r = 0; r < kUsedCount; ++r) {
    if (a[r] < b[r]) return false;
  }
  return true;
}

void AddTo(UsedAmounts& sum, const UsedAmounts& amounts) {
  for (std::size_t r = 0; r < kUsedCount; ++r) sum[r] += amounts[r];
}

void TakeFrom(UsedAmounts& sum, const UsedAmounts& amounts) {
  for (std::size_t r = 0; r < kUsedCount; ++r) sum[r] -= amounts[r];
}

}  // namespace

UsedAmounts AppFlow::DrawUse(const RequestPart& part) const {
  const std::uint32_t type = in_flight_.request(part.request).type;
  const SpreadUse& need = model_.request_types[type].need;
  const std::uint64_t number =
      DrawNumber(part, part.downstream ? DrawnFor::kDownstreamUse : DrawnFor::kUpstreamUse);
  UsedAmounts use = types_[type].draws.Amounts(need, number);
  use[3] *= kBitsOfMegabit;
  // An instance that has nothing else to do works on anything.
  use[0] = std::min(use[0], services_[ServiceOf(part)].work_milli);
  return use;
}

// A part comes to the service that is to work on it.
void AppFlow::Enter(std::uint32_t index) {
  RequestPart& part = in_flight_.part(index);
  const std::uint32_t at = ServiceOf(part);
  ServiceState& service = services_[at];
  WaitingLine& line = service.lines[part.downstream ? 1 : 0];
  part.use = DrawUse(part);
  if (!part.downstream) ++service.step.came;
  if (line.WouldBeFirst(in_flight_, index)) {
    const std::size_t place = FindRoom(service, part.use);
    if (place != kNobody) return WorkOn(service, index, place, 0);
  }
  if (!line.HasRoomFor(in_flight_.RequestOf(part).type)) {
    return Lose(part.request, LossCause::kBufferFull, at);
  }
  part.place = RequestPart::Place::kWaiting;
  part.since = agenda_.now();
  line.Add(in_flight_, index);
  service.waiting.Add(agenda_.now(), {part.downstream ? 0 : 1, part.downstream ? 1 : 0});
}

bool AppFlow::NodeHolds(NodeState& node, const UsedAmounts& use) {
  if (node.worked_on == 0) return true;
  for (std::size_t r = 0; r < kUsedCount; ++r) {
    if (use[r] > node.capacity[r] - node.used[r]) {
      node.tight = true;
      return false;
    }
  }
  return true;
}

// The next one in turn that has room.
std::size_t AppFlow::FindRoom(ServiceState& service, const UsedAmounts& use) {
  const std::size_t count = service.ready.size();
  const std::size_t turn = service.turn < count ? service.turn : 0;
  const auto look = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (service.free_milli[i] < use[0]) continue;
      if (NodeHolds(nodes_[instances_[service.ready[i]].node], use)) return i;
    }
    return kNobody;
  };
  const std::size_t found = look(turn, count);
  return found != kNobody ? found : look(0, turn);
}

void AppFlow::WorkOn(ServiceState& service, std::uint32_t index, std::size_t place,
                     std::int64_t waited) {
  RequestPart& part = in_flight_.part(index);
  RequestUnderWay& request = in_flight_.RequestOf(part);
  const std::int64_t now = agenda_.now();
  const std::size_t line = part.downstream ? 1 : 0;
  InstanceState& instance = instances_[service.ready[place]];
  NodeState& node = nodes_[instance.node];
  service.turn = place + 1;
  service.free_milli[place] -= part.use[0];
  service.used.Add(now, part.use);
  used_all_.Add(now, part.use);
  AddTo(instance.used, part.use);
  AddTo(node.used, part.use);
  ++node.worked_on;

  service.step.waited_us[line] += static_cast<double>(waited);
  ++service.step.taken[line];
  const RequestTypeState& type = types_[request.type];
  const std::uint32_t at = type.calls[part.call].service;
  outcome_.types[request.type].waited_at_us[at] += static_cast<double>(waited);
  ++outcome_.services[at].hops;

  part.waited += waited;
  part.instance = service.ready[place];
  part.place = RequestPart::Place::kWorkedOn;
  part.since = now;
  ++request.events;
  const AppTimes& times = type.times[part.call];
  const std::int64_t takes =
      part.downstream
          ? type.draws.Whole(times.downstream, DrawNumber(part, DrawnFor::kDownstreamTime))
          : type.draws.Whole(times.upstream, DrawNumber(part, DrawnFor::kUpstreamTime));
  if (node.bursts) return WorkOnBursting(instance.node, index, takes);
  agenda_.Push(AppEventKind::kDone, index, now + takes);
}

void AppFlow::TakeFirst(ServiceState& service, std::size_t line, std::size_t place) {
  const std::uint32_t first = service.lines[line].First();
  service.lines[line].Remove(in_flight_, first);
  service.waiting.Subtract(agenda_.now(), {line == 0 ? 1 : 0, line == 0 ? 0 : 1});
  service.line_turn = 1 - line;
  WorkOn(service, first, place, agenda_.now() - in_flight_.part(first).since);
}

// Requests and responses take turns, as long as there is somebody with room for one.
void AppFlow::Serve(ServiceState& service) {
  for (int tried = 0; tried < 2;) {
    const std::size_t line = tried == 0 ? service.line_turn : 1 - service.line_turn;
    const std::uint32_t first = service.lines[line].First();
    const std::size_t place =
        first == kNone ? kNobody : FindRoom(service, in_flight_.part(first).use);
    if (place == kNobody) {
      ++tried;
      continue;
    }
    TakeFirst(service, line, place);
    tried = 0;
  }
}

// The same, where only this instance can have room for those that are first. So it is with those
// behind them, too, if they are no smaller.
void AppFlow::ServeAt(ServiceState& service, std::size_t place) {
  NodeState& node = nodes_[instances_[service.ready[place]].node];
  for (int tried = 0; tried < 2;) {
    const std::size_t line = tried == 0 ? service.line_turn : 1 - service.line_turn;
    const std::uint32_t first = service.lines[line].First();
    if (first == kNone || service.free_milli[place] < in_flight_.part(first).use[0] ||
        !NodeHolds(node, in_flight_.part(first).use)) {
      ++tried;
      continue;
    }
    const UsedAmounts use = in_flight_.part(first).use;
    TakeFirst(service, line, place);
    const std::uint32_t next = service.lines[line].First();
    if (next != kNone && !IsAtLeast(in_flight_.part(next).use, use)) return Serve(service);
    tried = 0;
  }
}

void AppFlow::ServeNode(std::uint32_t index) {
  nodes_[index].tight = false;
  std::vector<std::uint32_t> services;
  services.reserve(nodes_[index].instances.size());
  for (const std::uint32_t instance : nodes_[index].instances) {
    services.push_back(instances_[instance].service);
  }
  std::ranges::sort(services);
  services.erase(std::unique(services.begin(), services.end()), services.end());
  for (const std::uint32_t service : services) Serve(services_[service]);
}

void AppFlow::Release(std::uint32_t index) {
  const RequestPart& part = in_flight_.part(index);
  if (part.instance == kNone) return;  // It went away before.
  InstanceState& instance = instances_[part.instance];
  ServiceState& service = services_[instance.service];
  NodeState& node = nodes_[instance.node];
  const std::uint32_t node_index = instance.node;
  TakeFrom(instance.used, part.use);
  TakeFrom(node.used, part.use);
  --node.worked_on;
  used_all_.Subtract(agenda_.now(), part.use);
  const bool ready = instance.place != kNone;
  if (ready) {
    service.used.Subtract(agenda_.now(), part.use);
    service.free_milli[instance.place] += part.use[0];
  }
  if (node.tight) {
    Serve(service);
    ServeNode(node_index);
  } else if (ready && service.lines[0].size() + service.lines[1].size() > 0) {
    ServeAt(service, instance.place);
  }
}

std::uint32_t AppFlow::AddNode(std::size_t index) {
  const AppNodeType& type = model_.node_types[index];
  NodeState node;
  for (std::size_t r = 0; r < kUsedCount; ++r)
    node.capacity[r] = type.vm.capacity[kAllResources[r]];
  node.capacity[3] *= kBitsOfMegabit;
  // Nothing said of disk or network: there is enough.
  for (std::size_t r = 2; r < kUsedCount; ++r) {
    if (node.capacity[r] == 0) node.capacity[r] = std::numeric_limits<std::int64_t>::max();
  }
  node.lane = LaneOf(type.latency);
  node.lane_from_user = LaneOf(type.latency + region_.user_latency);
  node.bursts = type.burst.baseline_milli > 0;
  nodes_.push_back(std::move(node));
  const auto added = static_cast<std::uint32_t>(nodes_.size() - 1);
  if (nodes_[added].bursts) AddBursting(added, index);
  return added;
}

std::uint32_t AppFlow::AddInstance(std::uint32_t service_index, std::uint32_t node,
                                   const UsedAmounts& idle) {
  ServiceState& service = services_[service_index];
  const auto index = static_cast<std::uint32_t>(instances_.size());
  UsedAmounts used = idle;
  used[3] *= kBitsOfMegabit;
  instances_.push_back({.service = service_index,
                        .node = node,
                        .place = static_cast<std::uint32_t>(service.ready.size()),
                        .used = used});
  nodes_[node].instances.push_back(index);
  AddTo(nodes_[node].used, used);
  if (nodes_[node].bursts) CpuChanged(node);
  service.ready.push_back(index);
  service.free_milli.push_back(service.work_milli);
  service.used.Add(agenda_.now(), used);
  service.allowed_all.Add(agenda_.now(), service.allowed);
  used_all_.Add(agenda_.now(), used);
  Serve(service);
  return index;
}

void AppFlow::StopTaking(std::uint32_t index) {
  InstanceState& instance = instances_[index];
  ServiceState& service = services_[instance.service];
  const std::size_t place = instance.place;
  service.ready.erase(service.ready.begin() + static_cast<std::ptrdiff_t>(place));
  service.free_milli.erase(service.free_milli.begin() + static_cast<std::ptrdiff_t>(place));
  for (std::size_t i = place; i < service.ready.size(); ++i) {
    instances_[service.ready[i]].place = static_cast<std::uint32_t>(i);
  }
  if (service.turn > place) --service.turn;
  if (service.link_turn > place) --service.link_turn;
  instance.place = kNone;
  service.used.Subtract(agenda_.now(), instance.used);
  service.allowed_all.Subtract(agenda_.now(), service.allowed);
}

void AppFlow::RemoveInstance(std::uint32_t index) {
  InstanceState& instance = instances_[index];
  NodeState& node = nodes_[instance.node];
  BERTH_CHECK(instance.place == kNone);
  std::vector<std::uint32_t> lost;
  for (std::uint32_t i = 0; i < in_flight_.parts(); ++i) {
    RequestPart& part = in_flight_.part(i);
    if (part.place != RequestPart::Place::kWorkedOn || part.instance != index) continue;
    part.instance = kNone;
    --node.worked_on;
    lost.push_back(part.request);
  }
  TakeFrom(node.used, instance.used);
  if (node.bursts) CpuChanged(instance.node);
  used_all_.Subtract(agenda_.now(), instance.used);
  std::erase(node.instances, index);
  // Slots are filled in no order.
  std::ranges::sort(lost, {}, [&](std::uint32_t request) {
    const RequestUnderWay& r = in_flight_.request(request);
    return std::tuple(r.sent, r.type, r.number);
  });
  for (const std::uint32_t request : lost) {
    if (!in_flight_.request(request).over) {
      Lose(request, LossCause::kInstanceStopped, instance.service);
    }
  }
  if (node.tight) ServeNode(instance.node);
}

}  // namespace berth
