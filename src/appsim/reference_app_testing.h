// The simulator of applications as one would write it down first: one map of events, one closure an
// event, everything looked for by going through all there is. What SimulateApp says of every single
// request must be what this says.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "appsim/app_outcome.h"
#include "appsim/arrivals.h"
#include "appsim/call_tree.h"
#include "appsim/draws.h"
#include "appsim/in_flight.h"
#include "appsim/reference_burst_testing.h"

namespace berth::testing {

class ReferenceApp {
 public:
  ReferenceApp(const AppModel& model, std::uint64_t seed)
      : model_(model), region_(model.regions[0]), rng_(Rng(seed).Fork(region_.name)) {
    services_.resize(model.services.size());
    for (const AppRequestType& type : model.request_types) {
      calls_.push_back(UnfoldCalls(model, type).value());
      draws_.emplace_back(rng_.Fork("requests").Fork(type.name).Next());
    }
    numbers_.resize(model.request_types.size());
    for (std::size_t i = 0; i < region_.loads.size(); ++i) {
      arrivals_.emplace_back(region_.loads[i], rng_.Fork("load").Fork(i));
    }
  }

  std::vector<RequestEnd> Run() {
    for (const VmGroup& group : region_.deployment) {
      for (std::uint64_t i = 0; i < group.count; ++i) {
        const std::size_t node = AddNode(group.type);
        for (std::size_t s = 0; s < group.instances.size(); ++s) {
          for (std::uint32_t k = 0; k < group.instances[s]; ++k) MakeReady(AddInstance(s, node));
        }
      }
    }
    for (std::size_t load = 0; load < arrivals_.size(); ++load) NextArrival(load);
    while (!events_.empty()) {
      const auto first = events_.begin();
      now_ = std::get<0>(first->first);
      if (now_ > model_.duration.count()) break;
      const std::function<void()> happens = std::move(first->second);
      events_.erase(first);
      happens();
    }
    return ends_;
  }

 protected:
  enum class Place : std::uint8_t { kNowhere, kOnLink, kWaiting, kWorkedOn };
  struct Part {
    Place place = Place::kNowhere;
    std::int64_t since = 0, waited = 0, on_links = 0;
    std::uint32_t missing = 0;
    bool downstream = false;
    UsedAmounts use{};
    std::size_t instance = SIZE_MAX;
    std::int64_t left = 0;    // Of its work, where the node bursts,
    std::uint64_t begun = 0;  // and since when it is there.
  };
  struct Request {
    std::size_t type = 0;
    std::uint64_t number = 0;
    std::int64_t sent = 0;
    bool over = false;
    std::vector<Part> parts{};
  };
  using RequestId = std::size_t;
  using PartId = std::pair<RequestId, std::size_t>;
  struct Node {
    std::size_t type = 0;
    UsedAmounts used{};
    std::uint32_t worked_on = 0;
    ReferenceCredits credits{};  // And what follows: of nodes that burst.
    std::vector<PartId> parts{};
    std::uint64_t plans = 0;  // How often who is next was looked for; earlier finds are void.
  };
  struct Instance {
    std::size_t service = 0, node = 0;
    UsedAmounts idle{};
    std::int64_t free_milli = 0;
    bool ready = false, ordered = true, gone = false;
  };
  struct Service {
    std::array<std::vector<PartId>, 2> lines{};  // In the order that they came.
    std::vector<std::size_t> ready{};
    std::size_t turn = 0, link_turn = 0, line_turn = 1;
  };
  using Key = std::tuple<std::int64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

  void Put(std::int64_t at, std::uint64_t order, std::function<void()> happens) {
    events_[{at, order, sequence_++, 0}] = std::move(happens);
  }
  static constexpr std::uint64_t kLast = 9;

  Part& At(const PartId& id) { return requests_[id.first].parts[id.second]; }
  const AppCall& CallOf(const PartId& id) { return calls_[requests_[id.first].type][id.second]; }
  const AppRequestType& TypeOf(const PartId& id) {
    return model_.request_types[requests_[id.first].type];
  }
  double Draw(const PartId& id, const Spread& spread, std::uint64_t what) {
    const Request& request = requests_[id.first];
    return draws_[request.type].Of(spread, request.number << 16 | id.second << 4 | what);
  }

  void NextArrival(std::size_t load) {
    const auto at = arrivals_[load].Next();
    if (at && *at < model_.duration.count()) Put(*at, kLast, [this, load] { Arrive(load); });
  }

  void Arrive(std::size_t load) {
    NextArrival(load);
    const std::size_t type = region_.loads[load].request_type;
    const RequestId id = requests_.size();
    requests_.push_back({.type = type, .number = numbers_[type]++, .sent = now_});
    requests_.back().parts.resize(calls_[type].size());
    const std::int64_t deadline = now_ + model_.request_types[type].timeout.count();
    events_[{deadline, 0, type, requests_.back().number}] = [this, id] { TimeOut(id); };
    SendRequest({id, 0});
  }

  void SendRequest(const PartId& id) {
    Send(id, CallOf(id).service, TypeOf(id).request_bytes, 2, id.second == 0,
         [this, id] { Enter(id); });
  }

  void SendResponse(const PartId& id) {
    if (id.second == 0) {
      if (region_.user_latency.count() == 0) return Answer(id);
      At(id).place = Place::kOnLink;
      return Put(now_ + region_.user_latency.count(), kLast, [this, id] {
        if (requests_[id.first].over) return;
        At(id).on_links += region_.user_latency.count();
        Answer(id);
      });
    }
    const PartId caller = {id.first, CallOf(id).parent};
    Send(id, CallOf(caller).service, TypeOf(id).response_bytes, 3, false, [this, id, caller] {
      if (--At(caller).missing > 0) return;
      At(caller).waited = At(id).waited;
      At(caller).on_links = At(id).on_links;
      At(caller).downstream = true;
      const Spread& takes = TypeOf(id).times[CallOf(caller).service].downstream;
      takes == Spread{} ? SendResponse(caller) : Enter(caller);
    });
  }

  void Send(const PartId& id, std::size_t target, const Spread& bytes, std::uint64_t what,
            bool from_user, std::function<void()> arrives) {
    Service& service = services_[target];
    if (service.ready.empty()) return Lose(id.first, LossCause::kNoInstance, target);
    if (service.link_turn >= service.ready.size()) service.link_turn = 0;
    const std::size_t node = instances_[service.ready[service.link_turn++]].node;
    std::int64_t latency = model_.node_types[nodes_[node].type].latency.count();
    if (from_user) latency += region_.user_latency.count();
    const std::int64_t room = CapacityOf(node)[3] - nodes_[node].used[3];
    const std::int64_t users = region_.user_network_mbit * 1'000'000;
    std::int64_t bits = 0;
    if (latency > 0) {
      bits = static_cast<std::int64_t>(8e6 * Draw(id, bytes, what) / static_cast<double>(latency));
      if (bits > room || (from_user && users > 0 && bits > users - from_users_)) {
        return Lose(id.first, LossCause::kBandwidth, target);
      }
    }
    nodes_[node].used[3] += bits;
    if (from_user) from_users_ += bits;
    At(id).place = Place::kOnLink;
    Put(now_ + latency, kLast, [this, id, node, bits, from_user, latency, arrives] {
      nodes_[node].used[3] -= bits;
      if (from_user) from_users_ -= bits;
      if (!requests_[id.first].over) {
        At(id).place = Place::kNowhere;
        At(id).on_links += latency;
        arrives();
      }
      ServeNode(node);
    });
  }

  void Enter(const PartId& id) {
    Part& part = At(id);
    const std::size_t at = CallOf(id).service;
    for (std::size_t r = 0; r < kUsedCount; ++r) {
      const double drawn = Draw(id, TypeOf(id).need[r], (part.downstream ? 8U : 4U) + r);
      part.use[r] = static_cast<std::int64_t>(drawn + 0.5);
    }
    part.use[3] *= 1'000'000;
    part.use[0] = std::min(part.use[0], model_.services[at].work_milli);
    std::vector<PartId>& line = services_[at].lines[part.downstream ? 1 : 0];
    line.push_back(id);
    const std::size_t place =
        First(at, part.downstream ? 1 : 0) == line.size() - 1 ? FindRoom(at, part.use) : SIZE_MAX;
    if (place != SIZE_MAX) {
      line.pop_back();
      part.since = now_;
      return WorkOn(id, place);
    }
    const AppService& service = model_.services[at];
    const auto& capacity = (part.downstream ? service.downstream : service.upstream).capacity;
    const std::size_t type = requests_[id.first].type;
    const auto held = static_cast<std::uint32_t>(std::ranges::count_if(
        line, [&](const PartId& other) { return requests_[other.first].type == type; }));
    if (type < capacity.size() && capacity[type] > 0 && held > capacity[type]) {
      line.pop_back();
      return Lose(id.first, LossCause::kBufferFull, at);
    }
    part.place = Place::kWaiting;
    part.since = now_;
  }

  // The place in the line of who is first; there must be somebody.
  std::size_t First(std::size_t at, std::size_t which) {
    const AppService& service = model_.services[at];
    const BufferOrder order = (which == 1 ? service.downstream : service.upstream).order;
    const std::vector<PartId>& line = services_[at].lines[which];
    std::size_t first = 0;
    for (std::size_t i = 1; i < line.size(); ++i) {
      const bool older = requests_[line[i].first].sent < requests_[line[first].first].sent;
      const bool higher = TypeOf(line[i]).priority > TypeOf(line[first]).priority;
      if (order == BufferOrder::kLifo || (order == BufferOrder::kOldestFirst && older) ||
          (order == BufferOrder::kPriority && higher)) {
        first = i;
      }
    }
    return first;
  }

  UsedAmounts CapacityOf(std::size_t node) {
    const Resources& given = model_.node_types[nodes_[node].type].vm.capacity;
    constexpr std::int64_t kEnough = std::numeric_limits<std::int64_t>::max();
    const std::int64_t disk = given[Resource::kDisk], network = given[Resource::kNetwork];
    return {given[Resource::kCpu], given[Resource::kMemory], disk == 0 ? kEnough : disk,
            network == 0 ? kEnough : network * 1'000'000};
  }

  std::size_t FindRoom(std::size_t at, const UsedAmounts& use) {
    Service& service = services_[at];
    const std::size_t count = service.ready.size();
    if (service.turn >= count) service.turn = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t place = (service.turn + i) % count;
      const Instance& instance = instances_[service.ready[place]];
      const UsedAmounts capacity = CapacityOf(instance.node);
      const Node& node = nodes_[instance.node];
      bool holds = instance.free_milli >= use[0];
      for (std::size_t r = 0; r < kUsedCount && node.worked_on > 0; ++r) {
        holds = holds && use[r] <= capacity[r] - node.used[r];
      }
      if (holds) return place;
    }
    return SIZE_MAX;
  }

  void WorkOn(const PartId& id, std::size_t place) {
    Part& part = At(id);
    Service& service = services_[CallOf(id).service];
    service.turn = place + 1;
    part.place = Place::kWorkedOn;
    part.instance = service.ready[place];
    part.waited += now_ - part.since;
    Instance& instance = instances_[part.instance];
    Settle(instance.node);
    instance.free_milli -= part.use[0];
    for (std::size_t r = 0; r < kUsedCount; ++r) nodes_[instance.node].used[r] += part.use[r];
    ++nodes_[instance.node].worked_on;
    const AppTimes& times = TypeOf(id).times[CallOf(id).service];
    const double takes =
        part.downstream ? Draw(id, times.downstream, 1) : Draw(id, times.upstream, 0);
    const auto whole = static_cast<std::int64_t>(takes + 0.5);
    if (!Bursts(instance.node)) return Put(now_ + whole, kLast, [this, id] { Finish(id); });
    part.left = whole * ReferenceCredits::kFull;
    part.begun = sequence_++;
    nodes_[instance.node].parts.push_back(id);
    PlanNext(instance.node);
  }

  // Nodes that burst: what is left to do there is brought up to now before anything changes.
  bool Bursts(std::size_t node) const {
    return model_.node_types[nodes_[node].type].burst.baseline_milli > 0;
  }
  std::int64_t CpuOf(const Node& node) const {
    return std::min(node.used[0], model_.node_types[node.type].vm.capacity[Resource::kCpu]);
  }
  void Settle(std::size_t index) {
    if (!Bursts(index)) return;
    Node& node = nodes_[index];
    const std::int64_t done = node.credits.Settle(now_, CpuOf(node));
    for (const PartId& id : node.parts) At(id).left -= done;
  }
  // And afterwards who is done first, and when.
  void PlanNext(std::size_t index) {
    Node& node = nodes_[index];
    const std::uint64_t plan = ++node.plans;
    if (node.parts.empty()) return;
    const PartId first = *std::ranges::min_element(
        node.parts, {}, [&](const PartId& id) { return std::pair(At(id).left, At(id).begun); });
    const std::int64_t at = node.credits.When(At(first).left, CpuOf(node));
    events_[{at, kLast, At(first).begun, plan}] = [this, index, plan, first] {
      if (nodes_[index].plans == plan) Finish(first);
    };
  }

  void Serve(std::size_t at) {
    Service& service = services_[at];
    for (bool served = true; served;) {
      served = false;
      for (const std::size_t line : {service.line_turn, 1 - service.line_turn}) {
        if (service.lines[line].empty()) continue;
        const std::size_t first = First(at, line);
        const PartId id = service.lines[line][first];
        const std::size_t place = FindRoom(at, At(id).use);
        if (place == SIZE_MAX) continue;
        service.lines[line].erase(service.lines[line].begin() + static_cast<std::ptrdiff_t>(first));
        service.line_turn = 1 - line;
        WorkOn(id, place);
        served = true;
        break;
      }
    }
  }

  void ServeNode(std::size_t node) {
    std::set<std::size_t> on_node;
    for (const Instance& instance : instances_) {
      if (instance.node == node && !instance.gone) on_node.insert(instance.service);
    }
    for (const std::size_t service : on_node) Serve(service);
  }

  void Free(Part& part) {
    Instance& instance = instances_[part.instance];
    Settle(instance.node);
    instance.free_milli += part.use[0];
    for (std::size_t r = 0; r < kUsedCount; ++r) nodes_[instance.node].used[r] -= part.use[r];
    --nodes_[instance.node].worked_on;
    part.instance = SIZE_MAX;
    if (!Bursts(instance.node)) return;
    std::erase_if(nodes_[instance.node].parts, [&](const PartId& id) { return &At(id) == &part; });
    PlanNext(instance.node);
  }

  void Finish(const PartId& id) {
    Part& part = At(id);
    if (part.instance != SIZE_MAX) {
      const Instance& instance = instances_[part.instance];
      Free(part);
      Serve(instance.service);
      ServeNode(instance.node);
    }
    if (requests_[id.first].over) return;
    part.place = Place::kNowhere;
    const AppCall call = CallOf(id);
    if (part.downstream || call.children == 0) return SendResponse(id);
    part.missing = call.children;
    for (std::uint32_t i = 0; i < call.children && !requests_[id.first].over; ++i) {
      const PartId child = {id.first, call.first_child + i};
      At(child).waited = part.waited;
      At(child).on_links = part.on_links;
      SendRequest(child);
    }
  }

  void Answer(const PartId& id) {
    Request& request = requests_[id.first];
    request.over = true;
    ends_.push_back({.type = static_cast<std::uint32_t>(request.type),
                     .number = request.number,
                     .sent_us = request.sent,
                     .ended_us = now_,
                     .waited_us = At(id).waited,
                     .on_links_us = At(id).on_links,
                     .answered = true});
  }

  void Lose(RequestId id, LossCause cause, std::size_t service) {
    Request& request = requests_[id];
    request.over = true;
    ends_.push_back({.type = static_cast<std::uint32_t>(request.type),
                     .number = request.number,
                     .sent_us = request.sent,
                     .ended_us = now_,
                     .cause = cause,
                     .service = static_cast<std::uint32_t>(service)});
    for (Service& other : services_) {
      for (std::vector<PartId>& line : other.lines) {
        std::erase_if(line, [&](const PartId& part) { return part.first == id; });
      }
    }
    for (const AppCall& call : calls_[request.type]) Serve(call.service);
  }

  void TimeOut(RequestId id) {
    const Request& request = requests_[id];
    if (request.over) return;
    constexpr std::array<std::pair<Place, LossCause>, 3> kCauses = {
        {{Place::kWaiting, LossCause::kLateWaiting},
         {Place::kWorkedOn, LossCause::kLateWorkedOn},
         {Place::kOnLink, LossCause::kLateOnLink}}};
    for (const auto& [place, cause] : kCauses) {
      for (std::size_t i = 0; i < request.parts.size(); ++i) {
        if (request.parts[i].place == place) {
          return Lose(id, cause, calls_[request.type][i].service);
        }
      }
    }
  }

  std::size_t AddNode(std::size_t type) {
    const CpuBurst& burst = model_.node_types[type].burst;
    nodes_.push_back({.type = type, .credits = {.burst = burst, .credit = burst.start}});
    return nodes_.size() - 1;
  }
  std::size_t AddInstance(std::size_t service, std::size_t node) {
    instances_.push_back({.service = service, .node = node});
    return instances_.size() - 1;
  }
  void MakeReady(std::size_t index) {
    Instance& instance = instances_[index];
    if (!instance.ordered || instance.ready) return;
    const AppService& service = model_.services[instance.service];
    instance.ready = true;
    instance.free_milli = service.work_milli;
    for (std::size_t r = 0; r < kUsedCount; ++r) {
      instance.idle[r] = static_cast<std::int64_t>(service.idle[r].mean + 0.5);
    }
    instance.idle[3] *= 1'000'000;
    Settle(instance.node);
    for (std::size_t r = 0; r < kUsedCount; ++r) nodes_[instance.node].used[r] += instance.idle[r];
    if (Bursts(instance.node)) PlanNext(instance.node);
    services_[instance.service].ready.push_back(index);
    Serve(instance.service);
  }

  const AppModel& model_;
  const AppRegion& region_;
  Rng rng_;
  std::vector<std::vector<AppCall>> calls_;
  std::vector<Draws> draws_;
  std::vector<LoadArrivals> arrivals_;
  std::vector<std::uint64_t> numbers_;
  std::map<Key, std::function<void()>> events_;
  std::uint64_t sequence_ = 0;
  std::int64_t now_ = 0;
  std::int64_t from_users_ = 0;
  std::vector<Service> services_;
  std::vector<Node> nodes_;
  std::vector<Instance> instances_;
  std::vector<Request> requests_;
  std::vector<RequestEnd> ends_;
};

}  // namespace berth::testing
