#include "appsim/app_flow.h"

#include <algorithm>
#include <string>
#include <utility>

#include "berth/check.h"

namespace berth {
namespace {

constexpr int kDrawnForBits = 4;
constexpr int kCallBits = 12;
static_assert(kAppCallsMax < (1U << kCallBits));

constexpr std::int64_t kBitsInAMegabit = 1'000'000;
constexpr double kMicrosInASecond = 1e6;
constexpr double kBitsMax = 1e18;  // More than any link has.

}  // namespace

AppFlow::AppFlow(const AppModel& model, const AppRegion& region,
                 std::vector<std::vector<AppCall>> calls_of_types, const Rng& rng, Agenda& agenda,
                 RequestSink* sink)
    : model_(model),
      region_(region),
      agenda_(agenda),
      sink_(sink),
      in_flight_(calls_of_types),
      steps_(model.request_types.size()) {
  outcome_.types.resize(model.request_types.size());
  outcome_.services.resize(model.services.size());
  for (TypeOutcome& type : outcome_.types) type.waited_at_us.resize(model.services.size());

  types_.reserve(model.request_types.size());
  for (std::size_t i = 0; i < model.request_types.size(); ++i) {
    const AppRequestType& type = model.request_types[i];
    const Duration target = type.target.count() > 0 ? type.target : type.timeout;
    RequestTypeState state{.calls = std::move(calls_of_types[i]),
                           .times = {},
                           .draws = Draws(rng.Fork("requests").Fork(type.name).Next()),
                           .timeout_us = type.timeout.count(),
                           .target_us = target.count()};
    state.times.reserve(state.calls.size());
    for (const AppCall& call : state.calls) state.times.push_back(type.times[call.service]);
    types_.push_back(std::move(state));
  }

  services_.reserve(model.services.size());
  for (const AppService& service : model.services) {
    UsedAmounts allowed{};
    for (std::size_t r = 0; r < kUsedCount; ++r) allowed[r] = service.need[kAllResources[r]];
    allowed[0] = service.work_milli + static_cast<std::int64_t>(service.idle[0].mean);
    allowed[3] *= kBitsInAMegabit;
    services_.push_back({.lines = {WaitingLine(service.upstream, model.request_types),
                                   WaitingLine(service.downstream, model.request_types)},
                         .work_milli = service.work_milli,
                         .allowed = allowed});
  }
  arrivals_.reserve(region.loads.size());
  for (std::size_t i = 0; i < region.loads.size(); ++i) {
    arrivals_.emplace_back(region.loads[i], rng.Fork("load").Fork(i));
  }
  LaneOf(region.user_latency);  // The first: answers to the user.
}

std::uint32_t AppFlow::LaneOf(Duration latency) {
  const auto found = std::ranges::find(lanes_, latency.count(), &Lane::latency_us);
  if (found != lanes_.end()) return static_cast<std::uint32_t>(found - lanes_.begin());
  lanes_.push_back({.latency_us = latency.count()});
  return static_cast<std::uint32_t>(lanes_.size() - 1);
}

std::uint32_t AppFlow::ServiceOf(const RequestPart& part) const {
  return types_[in_flight_.request(part.request).type].calls[part.call].service;
}

std::uint64_t AppFlow::DrawNumber(const RequestPart& part, DrawnFor what) const {
  return in_flight_.request(part.request).number << (kCallBits + kDrawnForBits) |
         static_cast<std::uint64_t>(part.call) << kDrawnForBits | static_cast<std::uint64_t>(what);
}

void AppFlow::Begin() {
  for (std::uint32_t load = 0; load < arrivals_.size(); ++load) ScheduleArrival(load);
}

void AppFlow::ScheduleArrival(std::uint32_t load) {
  const std::optional<std::int64_t> next = arrivals_[load].Next();
  if (next && *next < agenda_.end()) agenda_.Push(AppEventKind::kArrival, load, *next);
}

void AppFlow::Arrive(std::uint32_t load) {
  ScheduleArrival(load);
  const auto type = static_cast<std::uint32_t>(region_.loads[load].request_type);
  RequestTypeState& state = types_[type];
  ++outcome_.types[type].sent;
  ++steps_[type].sent;
  const std::uint32_t request = in_flight_.Add(type, agenda_.now(), state.numbers++);
  if (!state.deadline_set) {
    state.deadline_set = true;
    agenda_.PushDeadline(type, agenda_.now() + state.timeout_us);
  }
  RequestPart& entry = in_flight_.part(in_flight_.request(request).first_part);
  entry.waited = 0;
  entry.on_links = 0;
  SendRequest(in_flight_.request(request).first_part);
}

void AppFlow::SendRequest(std::uint32_t index) {
  RequestPart& part = in_flight_.part(index);
  part.downstream = false;
  part.returning = false;
  const AppRequestType& type = model_.request_types[in_flight_.RequestOf(part).type];
  Transfer(index, ServiceOf(part), type.request_bytes, DrawnFor::kRequestBytes, part.call == 0);
}

void AppFlow::SendResponse(std::uint32_t index) {
  RequestPart& part = in_flight_.part(index);
  part.returning = true;
  if (part.call == 0) {
    if (region_.user_latency.count() == 0) return Answer(index);
    return PutOnLane(0, index, kNone, 0);
  }
  const RequestUnderWay& request = in_flight_.RequestOf(part);
  const std::vector<AppCall>& calls = types_[request.type].calls;
  const std::uint32_t caller = calls[calls[part.call].parent].service;
  Transfer(index, caller, model_.request_types[request.type].response_bytes,
           DrawnFor::kResponseBytes, false);
}

void AppFlow::Transfer(std::uint32_t index, std::uint32_t target, const Spread& bytes,
                       DrawnFor what, bool from_user) {
  ServiceState& service = services_[target];
  const std::uint32_t request = in_flight_.part(index).request;
  if (service.ready.empty()) return Lose(request, LossCause::kNoInstance, target);
  if (service.link_turn >= service.ready.size()) service.link_turn = 0;
  const std::uint32_t to = instances_[service.ready[service.link_turn++]].node;
  NodeState& node = nodes_[to];
  const std::uint32_t lane = from_user ? node.lane_from_user : node.lane;
  const std::int64_t latency = lanes_[lane].latency_us;
  std::int64_t bits = 0;
  const std::int64_t users_max = region_.user_network_mbit * kBitsInAMegabit;
  const bool counts_at_users = from_user && users_max > 0;
  // What is sent takes as much of the link as brings it there in that time.
  if (latency > 0 && (node.capacity[3] != INT64_MAX || counts_at_users)) {
    const RequestTypeState& type = types_[in_flight_.request(request).type];
    const double size = type.draws.Of(bytes, DrawNumber(in_flight_.part(index), what));
    bits = static_cast<std::int64_t>(
        std::min(kBitsMax, 8 * kMicrosInASecond * size / static_cast<double>(latency)));
    if (bits > node.capacity[3] - node.used[3] ||
        (counts_at_users && bits > users_max - from_users_bits_per_s_)) {
      return Lose(request, LossCause::kBandwidth, target);
    }
    node.used[3] += bits;
    service.used.Add(agenda_.now(), {0, 0, 0, bits});
    used_all_.Add(agenda_.now(), {0, 0, 0, bits});
    if (counts_at_users) from_users_bits_per_s_ += bits;
  }
  PutOnLane(lane, index, to, bits);
}

void AppFlow::PutOnLane(std::uint32_t lane, std::uint32_t index, std::uint32_t node,
                        std::int64_t bits) {
  RequestPart& part = in_flight_.part(index);
  part.place = RequestPart::Place::kOnLink;
  part.since = agenda_.now();
  ++in_flight_.RequestOf(part).events;
  const bool first = lanes_[lane].transfers.empty();
  const std::int64_t at = agenda_.now() + lanes_[lane].latency_us;
  const std::uint64_t order = agenda_.NextOrder();
  lanes_[lane].transfers.push({at, order, bits, index, node});
  if (first) agenda_.PushInOrder(AppEventKind::kLane, lane, at, order);
}

void AppFlow::Deliver(std::uint32_t lane) {
  Ring<Lane::Transfer>& transfers = lanes_[lane].transfers;
  const Lane::Transfer transfer = transfers.front();
  transfers.pop();
  if (!transfers.empty()) {
    const Lane::Transfer& next = transfers.front();
    agenda_.PushInOrder(AppEventKind::kLane, lane, next.at, next.order);
  }
  RequestPart& part = in_flight_.part(transfer.part);
  if (transfer.bits_per_s > 0) {
    const RequestUnderWay& request = in_flight_.RequestOf(part);
    const std::vector<AppCall>& calls = types_[request.type].calls;
    const bool from_user = part.call == 0 && !part.returning;
    const std::uint32_t call = part.returning ? calls[part.call].parent : part.call;
    nodes_[transfer.node].used[3] -= transfer.bits_per_s;
    services_[calls[call].service].used.Subtract(agenda_.now(), {0, 0, 0, transfer.bits_per_s});
    used_all_.Subtract(agenda_.now(), {0, 0, 0, transfer.bits_per_s});
    if (from_user && region_.user_network_mbit > 0) from_users_bits_per_s_ -= transfer.bits_per_s;
  }
  if (in_flight_.RequestOf(part).over) {
    in_flight_.ForgetEvent(part.request);
  } else {
    --in_flight_.RequestOf(part).events;
    part.place = RequestPart::Place::kNowhere;
    part.on_links += lanes_[lane].latency_us;
    if (!part.returning) {
      Enter(transfer.part);
    } else if (part.call == 0) {
      Answer(transfer.part);
    } else {
      ReturnTo(transfer.part);
    }
  }
  if (transfer.bits_per_s > 0 && nodes_[transfer.node].tight) ServeNode(transfer.node);
}

// The caller goes on when the last of those that it called has answered.
void AppFlow::ReturnTo(std::uint32_t child) {
  const RequestPart& answered = in_flight_.part(child);
  const RequestUnderWay& request = in_flight_.request(answered.request);
  const std::uint32_t caller =
      request.first_part + types_[request.type].calls[answered.call].parent;
  RequestPart& part = in_flight_.part(caller);
  if (--part.missing > 0) return;
  part.waited = answered.waited;
  part.on_links = answered.on_links;
  part.downstream = true;
  if (types_[request.type].times[part.call].downstream == Spread{}) return SendResponse(caller);
  Enter(caller);
}

void AppFlow::Finish(std::uint32_t index) {
  Release(index);
  RequestPart& part = in_flight_.part(index);
  if (in_flight_.RequestOf(part).over) return in_flight_.ForgetEvent(part.request);
  --in_flight_.RequestOf(part).events;
  part.place = RequestPart::Place::kNowhere;
  const RequestUnderWay& request = in_flight_.RequestOf(part);
  const AppCall& call = types_[request.type].calls[part.call];
  if (part.downstream || call.children == 0) return SendResponse(index);
  part.missing = static_cast<std::uint16_t>(call.children);
  const std::uint32_t first = request.first_part + call.first_child;
  for (std::uint32_t child = first; child < first + call.children; ++child) {
    in_flight_.part(child).waited = part.waited;
    in_flight_.part(child).on_links = part.on_links;
  }
  for (std::uint32_t child = first; child < first + call.children; ++child) {
    SendRequest(child);
    if (request.over) return;  // One that is lost takes the whole request along.
  }
}

void AppFlow::Answer(std::uint32_t index) {
  const RequestPart& part = in_flight_.part(index);
  const RequestUnderWay& request = in_flight_.RequestOf(part);
  const std::int64_t response = agenda_.now() - request.sent;
  const bool good = response <= types_[request.type].target_us;
  TypeOutcome& total = outcome_.types[request.type];
  StepOfType& step = steps_[request.type];
  ++total.answered;
  ++step.answered;
  total.good += good ? 1 : 0;
  step.good += good ? 1 : 0;
  total.response.Add(response);
  total.response_us += static_cast<double>(response);
  step.response_us += static_cast<double>(response);
  total.waited_us += static_cast<double>(part.waited);
  step.waited_us += static_cast<double>(part.waited);
  total.on_links_us += static_cast<double>(part.on_links);
  step.on_links_us += static_cast<double>(part.on_links);
  if (sink_ != nullptr) {
    sink_->Ended({.type = request.type,
                  .number = request.number,
                  .sent_us = request.sent,
                  .ended_us = agenda_.now(),
                  .waited_us = part.waited,
                  .on_links_us = part.on_links,
                  .answered = true});
  }
  in_flight_.End(part.request);
}

void AppFlow::Lose(std::uint32_t index, LossCause cause, std::uint32_t service) {
  const RequestUnderWay& request = in_flight_.request(index);
  const auto at = static_cast<std::size_t>(cause);
  ++outcome_.types[request.type].lost[at];
  ++outcome_.services[service].lost[at];
  ++steps_[request.type].lost;
  if (sink_ != nullptr) {
    sink_->Ended({.type = request.type,
                  .number = request.number,
                  .sent_us = request.sent,
                  .ended_us = agenda_.now(),
                  .cause = cause,
                  .service = service});
  }
  // What is worked on or on its way elsewhere ends there: nobody tells those.
  const std::vector<AppCall>& calls = types_[request.type].calls;
  const std::uint32_t first = request.first_part;
  std::uint32_t left_lines = 0;
  for (std::uint32_t i = 0; i < calls.size(); ++i) {
    RequestPart& part = in_flight_.part(first + i);
    if (part.place != RequestPart::Place::kWaiting) continue;
    ServiceState& at_service = services_[calls[i].service];
    at_service.lines[part.downstream ? 1 : 0].Remove(in_flight_, first + i);
    at_service.waiting.Subtract(agenda_.now(), {part.downstream ? 0 : 1, part.downstream ? 1 : 0});
    part.place = RequestPart::Place::kNowhere;
    ++left_lines;
  }
  in_flight_.End(index);
  if (left_lines == 0) return;
  // Whoever stood behind may be smaller. Services that it did not wait at have nothing to do.
  for (const AppCall& call : calls) Serve(services_[call.service]);
}

void AppFlow::CauseOfDelay(const RequestUnderWay& request, LossCause& cause,
                           std::uint32_t& service) const {
  const std::vector<AppCall>& calls = types_[request.type].calls;
  std::uint32_t worked_on = kNone, on_link = kNone;
  for (std::uint32_t i = 0; i < calls.size(); ++i) {
    const RequestPart& part = in_flight_.part(request.first_part + i);
    if (part.place == RequestPart::Place::kWaiting) {
      cause = LossCause::kLateWaiting;
      service = calls[i].service;
      return;
    }
    if (part.place == RequestPart::Place::kWorkedOn && worked_on == kNone) worked_on = i;
    if (part.place == RequestPart::Place::kOnLink && on_link == kNone) on_link = i;
  }
  cause = worked_on != kNone ? LossCause::kLateWorkedOn : LossCause::kLateOnLink;
  service = calls[worked_on != kNone ? worked_on : on_link].service;
}

void AppFlow::TimeOut(std::uint32_t type) {
  RequestTypeState& state = types_[type];
  for (;;) {
    const std::uint32_t oldest = in_flight_.Oldest(type);
    state.deadline_set = oldest != kNone;
    if (!state.deadline_set) return;
    const std::int64_t at = in_flight_.request(oldest).sent + state.timeout_us;
    if (at > agenda_.now()) return agenda_.PushDeadline(type, at);
    LossCause cause{};
    std::uint32_t service = 0;
    CauseOfDelay(in_flight_.request(oldest), cause, service);
    Lose(oldest, cause, service);
  }
}

}  // namespace berth
