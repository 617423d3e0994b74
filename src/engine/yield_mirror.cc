#include "engine/yield_mirror.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "berth/check.h"
#include "qos/class_terms.h"
#include "qos/kind_scheduler.h"

namespace berth {
namespace {

// Below it nothing is worth being made anew.
constexpr std::size_t kOvergrownAtLeast = 4096;

std::unique_ptr<Scheduler> SchedulerFor(const Inventory& view, const SchedulerPolicy& policy,
                                        const HostFilter& filter) {
  SchedulerOptions options{.classes = TermsOf(view.settings().classes),
                           .allocation_time = policy.allocation_time};
  return policy.kind == SchedulerKind::kPriority ? NewPriorityScheduler(std::move(options), filter)
                                                 : NewQosScheduler(std::move(options), filter);
}

}  // namespace

YieldMirror::YieldMirror(const Inventory& view, const SchedulerPolicy& policy,
                         AllocatePolicy allocate)
    : view_(view),
      filter_(view, std::move(allocate),
              {.places = [this](const std::string& service) { return PlacesOf(service); },
               // Only those that are placed leave the queue during a pass.
               .version = [this] { return scheduler_->waiting(); }}),
      scheduler_(SchedulerFor(view, policy, filter_)) {
  for (std::uint32_t i = 0; i < view_.machines().size(); ++i) {
    if (!view_.machines()[i].vacant()) AddMachine(MachineIndex{i});
  }
  // In the order in which they came, so that who came first has the right of way after a restart.
  std::vector<const Instance*> instances;
  for (const ServiceState& service : view_.services()) {
    filter_.NoteIsolation(service.record);
    for (const KeptInstance& instance : service.instances) instances.push_back(&instance);
  }
  std::ranges::sort(instances, [](const Instance* a, const Instance* b) {
    return std::tie(a->timeline.created, a->id) < std::tie(b->timeline.created, b->id);
  });
  for (const Instance* instance : instances) SyncInstance(*instance);
}

const RequestAccount* YieldMirror::Find(const InstanceId& id) const {
  const auto known = known_.find(id);
  return known == known_.end() ? nullptr : &scheduler_->requests()[known->second];
}

std::optional<Resources> YieldMirror::FreeOn(MachineId machine) const {
  const auto host = hosts_.find(machine);
  if (host == hosts_.end()) return std::nullopt;
  return scheduler_->host(host->second).free;
}

void YieldMirror::AddMachine(MachineIndex index) {
  const MachineState& machine = view_[index];
  const HostIndex host = scheduler_->AddHost(machine.usable);
  filter_.SetMachine(host, index);
  hosts_[machine.record.name] = host;
  machine_of_.resize(ToNumber(host) + 1);
  machine_of_[ToNumber(host)] = machine.record.name;
}

void YieldMirror::Note(const Committed& committed) {
  for (const Update& update : committed.updates) {
    switch (update.key.kind) {
      case RecordKind::kMachine:
        SyncMachine(MachineId(update.key.name));
        break;
      case RecordKind::kInstance:
        if (update.record) {
          SyncInstance(std::get<Instance>(*update.record));
        } else {
          Forget({update.key.name, static_cast<std::uint32_t>(update.key.number)});
        }
        break;
      case RecordKind::kService:
        if (update.record) {
          SyncService(update.key.name);
        } else {
          ForgetService(update.key.name);
        }
        break;
      case RecordKind::kType:
        reword_ = true;
        break;
      case RecordKind::kTenant:
        reword_ = reword_ || !update.record;
        break;
      case RecordKind::kPolicy:  // Another policy has another mirror.
      case RecordKind::kLease:
      case RecordKind::kIdempotency:
      case RecordKind::kDecision:
        break;
    }
  }
  if (std::exchange(reword_, false)) RewordAll();
}

void YieldMirror::SyncMachine(MachineId name) {
  const std::optional<MachineIndex> index = view_.IndexOf(name);
  const auto known = hosts_.find(name);
  if (known == hosts_.end()) {
    if (index) AddMachine(*index);
    return;
  }
  const HostIndex host = known->second;
  filter_.Forget(host);
  if (index && scheduler_->host(host).capacity == view_[*index].usable) {
    return scheduler_->HostChanged(host);
  }
  ReplaceHost(host, index);
}

// Another capacity is another host; what runs there as committed goes along.
void YieldMirror::ReplaceHost(HostIndex old, std::optional<MachineIndex> index) {
  const std::vector<RequestIndex> here = scheduler_->host(old).running;
  scheduler_->LoseHost(old, Time());
  hosts_.erase(machine_of_[ToNumber(old)]);
  if (index) {
    AddMachine(*index);
    const HostIndex now = hosts_.at(machine_of_[ToNumber(old)]);
    for (const auto& [id, request] : known_) {
      RequestAccount& account = committed_[ToNumber(request)];
      if (!account.placed || account.host != old) continue;
      account.host = now;
      scheduler_->Correct(request, account);
    }
  }
  for (const RequestIndex request : here) TakeBack(ids_[ToNumber(request)]);
}

std::uint32_t YieldMirror::ClassOf(const Service& service) const {
  const std::vector<ServiceClass>& classes = view_.settings().classes;
  const auto at = std::ranges::find(classes, service.klass, &ServiceClass::name);
  BERTH_CHECK(at != classes.end());
  return static_cast<std::uint32_t>(at - classes.begin());
}

std::uint32_t YieldMirror::GroupOf(const Service& service) {
  if (service.constraints.max_per_machine != 1) return kNoGroup;
  return groups_.try_emplace(service.name, static_cast<std::uint32_t>(groups_.size()))
      .first->second;
}

RequestAccount YieldMirror::AccountOf(const Service& service, const Instance& instance) {
  const Timeline& timeline = instance.timeline;
  RequestAccount account;
  account.want = {.demand = instance.limit,
                  .klass = ClassOf(service),
                  .constraint = filter_.WordOf(service, instance),
                  .group = GroupOf(service)};
  account.placed = instance.HoldsRoom();
  if (account.placed) account.host = hosts_.at(instance.machine);
  account.since = timeline.since;
  account.before = {.ran = timeline.ran, .waited = timeline.waited};
  account.allocation = timeline.allocation;
  account.overhead = timeline.overhead;
  const bool started_before = timeline.ran > Duration() || timeline.preemptions > 0;
  account.starts = (started_before ? 1U : 0U) + (account.placed ? 1U : 0U);
  account.preemptions = timeline.preemptions;
  account.start_unknown = instance.state == InstanceState::kPlaced;
  return account;
}

void YieldMirror::SyncInstance(const Instance& instance) {
  const ServiceState* service = view_.FindService(instance.id.service);
  if (service == nullptr || instance.state == InstanceState::kEnded) return Forget(instance.id);
  NoteMoved(service->record);
  reword_ = filter_.NoteIsolation(service->record) || reword_;
  const RequestAccount account = AccountOf(service->record, instance);
  if (!account.placed && bench_.contains(instance.id.service)) {
    Forget(instance.id);
    benched_.insert_or_assign(instance.id, account);
    return;
  }
  Set(instance.id, account);
}

void YieldMirror::NoteMoved(const Service& service) {
  if (SeatFilter::MindsPlaces(service)) moved_.insert(service.name);
}

void YieldMirror::Set(const InstanceId& id, const RequestAccount& account) {
  benched_.erase(id);
  auto known = known_.find(id);
  if (known == known_.end()) {
    const RequestIndex request = scheduler_->Admit(account.want, account.since);
    known = known_.emplace(id, request).first;
    const std::size_t size = std::max<std::size_t>(ids_.size(), ToNumber(request) + 1);
    ids_.resize(size);
    committed_.resize(size);
    ids_[ToNumber(request)] = id;
  }
  if (account.placed) filter_.Forget(account.host);
  committed_[ToNumber(known->second)] = account;
  scheduler_->Correct(known->second, account);
}

// What it asks of machines may have changed.
void YieldMirror::SyncService(const std::string& name) {
  const ServiceState* service = view_.FindService(name);
  if (service == nullptr) return;
  reword_ = filter_.NoteIsolation(service->record) || reword_;
  const auto [begin, end] = OfService(name);
  for (auto at = begin; at != end; ++at) {
    const KeptInstance* instance = service->Find(at->first.number);
    if (instance != nullptr) Reword(service->record, *instance, at->second);
  }
}

void YieldMirror::RewordAll() {
  filter_.ForgetWords();
  for (const auto& [id, request] : known_) {
    const ServiceState* service = view_.FindService(id.service);
    const KeptInstance* instance = service == nullptr ? nullptr : service->Find(id.number);
    if (instance != nullptr) Reword(service->record, *instance, request);
  }
  for (auto& [id, account] : benched_) {
    const ServiceState* service = view_.FindService(id.service);
    const KeptInstance* instance = service == nullptr ? nullptr : service->Find(id.number);
    if (instance != nullptr) account.want.constraint = filter_.WordOf(service->record, *instance);
  }
}

void YieldMirror::Reword(const Service& service, const Instance& instance, RequestIndex request) {
  RequestAccount& account = committed_[ToNumber(request)];
  Instance asks = instance;
  asks.limit = account.want.demand;
  const Want want{.demand = account.want.demand,
                  .klass = ClassOf(service),
                  .constraint = filter_.WordOf(service, asks),
                  .group = GroupOf(service)};
  if (want == account.want) return;
  account.want = want;
  scheduler_->Correct(request, account);
}

void YieldMirror::Forget(const InstanceId& id) {
  benched_.erase(id);
  const auto known = known_.find(id);
  if (known == known_.end()) return;
  const RequestAccount& account = scheduler_->requests()[known->second];
  if (account.placed) filter_.Forget(account.host);
  const ServiceState* service = view_.FindService(id.service);
  if (service != nullptr) NoteMoved(service->record);
  scheduler_->Complete(known->second);
  known_.erase(known);
}

std::pair<YieldMirror::Known::const_iterator, YieldMirror::Known::const_iterator>
YieldMirror::OfService(const std::string& name) const {
  return {known_.lower_bound({name, 0}), known_.upper_bound({name, UINT32_MAX})};
}

void YieldMirror::ForgetService(const std::string& name) {
  std::vector<InstanceId> gone;
  const auto [begin, end] = OfService(name);
  for (auto at = begin; at != end; ++at) gone.push_back(at->first);
  for (const InstanceId& id : gone) Forget(id);
  benched_.erase(benched_.lower_bound({name, 0}), benched_.upper_bound({name, UINT32_MAX}));
}

std::size_t YieldMirror::StartsWith(const std::string& service) const {
  std::size_t waiting = 0;
  const auto [begin, end] = OfService(service);
  for (auto at = begin; at != end; ++at) {
    if (committed_[ToNumber(at->second)].placed) return 1;
    ++waiting;
  }
  return waiting;
}

std::vector<MachineIndex> YieldMirror::PlacesOf(const std::string& service) const {
  std::vector<MachineIndex> places;
  const auto [begin, end] = OfService(service);
  for (auto at = begin; at != end; ++at) {
    const RequestAccount& account = scheduler_->requests()[at->second];
    if (!account.placed) continue;
    places.push_back(*view_.IndexOf(machine_of_[ToNumber(account.host)]));
  }
  return places;
}

Seat YieldMirror::SeatOf(const PassOutcome& outcome, const Grant& grant, Time now,
                         std::set<InstanceId>& leaving) const {
  Seat seat{.number = ids_[ToNumber(grant.request)].number,
            .machine = machine_of_[ToNumber(grant.host)],
            .left = grant.leeway.Floor(),
            .victims = {}};
  for (const Victim& victim : outcome.VictimsOf(grant)) {
    const InstanceId& id = ids_[ToNumber(victim.request)];
    if (leaving.insert(id).second) seat.victims.push_back({id, victim.leeway.Floor()});
    if (!view_.FindService(id.service)->record.yield_whole) continue;
    const auto [begin, end] = OfService(id.service);
    for (auto at = begin; at != end; ++at) {
      if (!committed_[ToNumber(at->second)].placed || !leaving.insert(at->first).second) continue;
      seat.victims.push_back({at->first, scheduler_->LeewayOf(at->second, now).Floor()});
    }
  }
  return seat;
}

SeatPlan YieldMirror::Pass(Time now) {
  filter_.BeginPass();
  for (const std::string& service : std::exchange(moved_, {})) {
    const auto [begin, end] = OfService(service);
    for (auto at = begin; at != end; ++at) {
      scheduler_->ConstraintChanged(committed_[ToNumber(at->second)].want.constraint);
    }
  }
  const PassOutcome& outcome = scheduler_->Pass(now);
  SeatPlan plan;
  std::map<std::string, SeatPending> starting;
  std::map<std::string, std::size_t> needed;  // Of what was committed, so the same all pass.
  std::set<InstanceId> leaving;
  for (const Grant& grant : outcome.grants) {
    const std::string& service = ids_[ToNumber(grant.request)].service;
    const auto [starts_with, first] = needed.try_emplace(service);
    if (first) starts_with->second = StartsWith(service);
    SeatPending& seating = starting[service];
    seating.service = service;
    seating.seats.push_back(SeatOf(outcome, grant, now, leaving));
    if (seating.seats.size() < starts_with->second) continue;
    plan.seatings.push_back(std::move(seating));
    starting.erase(service);
  }
  for (const auto& [service, seating] : starting) {
    TakeBack(seating);
    plan.too_few.push_back(service);
  }
  return plan;
}

void YieldMirror::TakeBack(const InstanceId& id) {
  const auto known = known_.find(id);
  if (known == known_.end()) return;
  scheduler_->Correct(known->second, committed_[ToNumber(known->second)]);
  const ServiceState* service = view_.FindService(id.service);
  if (service != nullptr) NoteMoved(service->record);
}

void YieldMirror::TakeBack(const SeatPending& seating) {
  for (const Seat& seat : seating.seats) {
    TakeBack(InstanceId{seating.service, seat.number});
    for (const Seat::Yields& victim : seat.victims) TakeBack(victim.instance);
  }
}

bool YieldMirror::NoteRefusal(const SeatPending& seating, const Decision& decision) {
  if (!decision.refusal || decision.refusal->cure == Cure::kRetry) return false;
  const std::vector<NearMiss>& nearest = decision.refusal->nearest;
  if (nearest.empty() && seating.seats.size() > 1) return false;
  const MachineId machine =
      nearest.empty() ? seating.seats.front().machine : nearest.front().machine;
  const auto host = hosts_.find(machine);
  const auto seat = std::ranges::find(seating.seats, machine, &Seat::machine);
  if (host == hosts_.end() || seat == seating.seats.end()) return false;
  const auto known = known_.find({seating.service, seat->number});
  if (known == known_.end()) return false;
  filter_.Refuse(committed_[ToNumber(known->second)].want.constraint, host->second);
  return true;
}

void YieldMirror::Bench(const std::string& service) {
  bench_.insert(service);
  std::vector<std::pair<InstanceId, RequestAccount>> waiting;
  const auto [begin, end] = OfService(service);
  for (auto at = begin; at != end; ++at) {
    waiting.emplace_back(at->first, committed_[ToNumber(at->second)]);
  }
  for (const auto& [id, account] : waiting) {
    if (account.placed) continue;
    Forget(id);
    benched_.emplace(id, account);
  }
}

void YieldMirror::Unbench() {
  bench_.clear();
  for (const auto& [id, account] : std::exchange(benched_, {})) Set(id, account);
}

bool YieldMirror::overgrown() const {
  return scheduler_->hosts() > kOvergrownAtLeast + 2 * hosts_.size() ||
         filter_.words() > kOvergrownAtLeast + 2 * known_.size();
}

}  // namespace berth
