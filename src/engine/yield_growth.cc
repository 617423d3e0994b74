// How the mirror decides who yields to instances that are to have more than fits where they are.
#include <algorithm>
#include <utility>

#include "engine/yield_mirror.h"

namespace berth {
namespace {

// Whoever has waited for so long beyond its time has too little leeway for anybody to take from it.
constexpr Duration kSpared = std::chrono::hours(24 * 365 * 100);

}  // namespace

std::optional<std::vector<Seat>> YieldMirror::PlanGrowth(const ResizeService& grows, Time now) {
  const ServiceState* service = view_.FindService(grows.service);
  if (service == nullptr) return std::nullopt;
  std::set<InstanceId> leaving;
  std::optional<std::vector<Seat>> seats = TryGrowth(*service, grows, now, leaving);
  const auto [begin, end] = OfService(grows.service);
  for (auto at = begin; at != end; ++at) TakeBack(at->first);
  for (const InstanceId& victim : leaving) TakeBack(victim);
  return seats;
}

std::optional<std::vector<Seat>> YieldMirror::TryGrowth(const ServiceState& service,
                                                        const ResizeService& grows, Time now,
                                                        std::set<InstanceId>& leaving) {
  const auto [begin, end] = OfService(grows.service);
  for (auto at = begin; at != end; ++at) {
    const RequestAccount& account = committed_[ToNumber(at->second)];
    if (account.placed) Spare(at->second, account);
  }
  std::vector<Seat> seats;
  for (const KeptInstance& instance : service.instances) {
    const auto known = known_.find(instance.id);
    if (instance.type != grows.type || known == known_.end()) continue;
    RequestAccount grown = committed_[ToNumber(known->second)];
    if (!grown.placed) continue;
    const Resources before = std::exchange(grown.want.demand, grows.limit);
    if (grows.limit.FitsIn(scheduler_->host(grown.host).free + before)) {
      Spare(known->second, grown);
      continue;
    }
    std::optional<Seat> seat = TryToGrow(service.record, instance, grows.limit, now, leaving);
    if (!seat) return std::nullopt;
    seats.push_back(*std::move(seat));
  }
  return seats;
}

// It is judged by the leeway that it has, as if it waited since just now.
std::optional<Seat> YieldMirror::TryToGrow(const Service& service, const Instance& instance,
                                           const Resources& limit, Time now,
                                           std::set<InstanceId>& leaving) {
  const RequestIndex request = known_.at(instance.id);
  RequestAccount grown = committed_[ToNumber(request)];
  Instance asks = instance;
  asks.limit = limit;
  grown.want.demand = limit;
  grown.want.constraint = filter_.WordOf(service, asks);
  grown.before = grown.At(now);
  grown.since = now;
  grown.placed = false;
  scheduler_->Correct(request, grown);
  filter_.BeginPass();  // Those before it are elsewhere by now.
  const PassOutcome& outcome = scheduler_->SeatOne(request, grown.host, now);
  if (outcome.grants.empty()) return std::nullopt;
  Seat seat = SeatOf(outcome, outcome.grants.front(), now, leaving);
  Spare(request, scheduler_->requests()[request]);
  return seat;
}

void YieldMirror::Spare(RequestIndex request, RequestAccount account) {
  account.before.waited += kSpared;
  scheduler_->Correct(request, account);
}

bool YieldMirror::NoteRefusal(const ResizeService& grows, const Decision& decision) {
  if (!decision.refusal || decision.refusal->nearest.empty()) return false;
  const MachineId machine = decision.refusal->nearest.front().machine;
  const auto host = hosts_.find(machine);
  const auto seat = std::ranges::find(grows.seats, machine, &Seat::machine);
  const ServiceState* service = view_.FindService(grows.service);
  if (host == hosts_.end() || seat == grows.seats.end() || service == nullptr) return false;
  const KeptInstance* instance = service->Find(seat->number);
  if (instance == nullptr) return false;
  Instance asks(static_cast<const Instance&>(*instance));
  asks.limit = grows.limit;
  filter_.Refuse(filter_.WordOf(service->record, asks), host->second);
  return true;
}

}  // namespace berth
