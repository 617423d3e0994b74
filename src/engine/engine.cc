#include "berth/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "allocate/agent.h"
#include "berth/check.h"
#include "engine/disruption_gate.h"
#include "engine/pending_queue.h"
#include "engine/policy.h"
#include "engine/resolver.h"
#include "oversub/fleet_outlook.h"
#include "oversub/tenant_amounts.h"

namespace berth {
namespace {

// Outlooks on what was observed, by the traces of the past; without any there are none of anybody.
NewOutlook OutlookFactory(std::shared_ptr<const TraceLibrary> demand,
                          std::shared_ptr<ObservedUsage> observed) {
  if (demand == nullptr) {
    demand = std::make_shared<const TraceLibrary>(TraceLibrary::Build({}).value());
  }
  return [demand = std::move(demand),
          observed = std::move(observed)](const Node& policy) -> Result<std::unique_ptr<Outlook>> {
    BERTH_TRY(const OversubPolicy oversub, ParseOversubPolicy(policy));
    return std::unique_ptr<Outlook>(std::make_unique<FleetOutlook>(demand, observed, oversub));
  };
}

}  // namespace

class Engine::Impl {
 public:
  Impl(Store& store, Executor& executor, EngineOptions options)
      : executor_(executor), alive_(std::make_shared<bool>(true)) {
    BERTH_CHECK(options.agents > 0);
    if (options.default_policy.empty()) options.default_policy = ShippedPolicy();
    default_policy_ = options.default_policy;
    const NewOutlook new_outlook = OutlookFactory(options.demand, observed_);
    for (std::uint32_t i = 0; i < options.agents; ++i) {
      agents_.push_back(
          std::make_unique<Agent>(store, executor,
                                  Agent::Options{.name = fmt::format("{}{}", options.name, i),
                                                 .default_policy = options.default_policy,
                                                 .refresh_when_idle = options.refresh_when_idle,
                                                 .thinking = options.thinking,
                                                 .new_outlook = new_outlook}));
    }
    gate_.emplace(store, executor, view());
    resolver_.emplace(Resolver::Means{.executor = executor,
                                      .view = view(),
                                      .observed = *observed_,
                                      .submit =
                                          [this](Request request, ReplyDone done) {
                                            Lead().Submit(std::move(request), std::move(done));
                                          },
                                      .may_disrupt =
                                          [this](const std::string& service) {
                                            return gate_->MayDisrupt(service);
                                          }},
                      store, options.name);
  }
  ~Impl() { *alive_ = false; }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  void Start(std::function<void(Status)> ready) {
    ready_ = std::move(ready);
    starting_ = agents_.size();
    for (std::size_t i = 0; i < agents_.size(); ++i) {
      Agent::Following following;
      if (i == 0) {
        following = {.begun = [this] { OnBegun(); },
                     .committed = [this](const Committed& committed) { OnCommit(committed); }};
      }
      agents_[i]->Start([this](const Status& status) { OnReady(status); }, std::move(following));
    }
  }

  void Submit(Request request, ReplyDone done) {
    if (const auto* apply = std::get_if<ApplyPolicy>(&request.what)) {
      if (Status status = CheckPolicy(apply->text, "policy"); !status.ok()) {
        executor_.Post(
            [done = std::move(done), status = std::move(status)] { done({.status = status}); });
        return;
      }
    }
    request.behind_others = !queue_.empty();
    agents_[next_agent_]->Submit(std::move(request), std::move(done));
    next_agent_ = (next_agent_ + 1) % agents_.size();
  }

  void Decommission(const std::string& machine, ReplyDone done, std::string idempotency_key) {
    const MachineId name(machine);
    const bool begun = leaving_.contains(name);
    Leaving& leaving = leaving_[name];
    leaving.asked.push_back(std::move(done));
    if (leaving.idempotency_key.empty()) leaving.idempotency_key = std::move(idempotency_key);
    if (begun) return;  // Whoever asks meanwhile gets the same answer.
    Lead().Submit({.what = SetHealth{name, Health::kDraining}}, [this, name](const Reply& reply) {
      if (!reply.accepted()) return AnswerLeaving(name, reply);
      leaving_[name].drains = true;
      to_empty_.insert(name);
      room_freed_ = true;
      ScheduleWork();
    });
  }

  void Observe(const InstanceId& instance, const Resources& usage, Time at) {
    if (view().Find(instance) == nullptr) return;
    observed_->Note(TenantKeyOf(instance.service, instance.number), usage, at);
    for (const auto& agent : agents_) agent->Observe(instance, usage, at);
    resolver_->Look(view().Find(instance)->machine);
    ForgetGone();
  }
  const Outlook* outlook() const { return agents_.front()->outlook(); }

  const Inventory& view() const { return agents_.front()->view(); }

  EngineStats stats() const {
    EngineStats sum;
    for (const auto& agent : agents_) sum += agent->stats();
    sum.pending = queue_.instances();
    sum.reallocated = reallocated_;
    sum.disruptions = gate_->disruptions();
    sum.held_back = gate_->held_back();
    sum.violations = resolver_->violations();
    sum.resolving_moves = resolver_->moves();
    return sum;
  }

  std::map<std::string, DecidingStats> arms() const {
    std::map<std::string, DecidingStats> sums;
    for (const auto& agent : agents_) {
      for (const auto& [name, stats] : agent->arm_stats()) sums[name] += stats;
    }
    return sums;
  }

  CacheStats cache_stats() const {
    CacheStats sum;
    for (const auto& agent : agents_) sum += agent->cache_stats();
    return sum;
  }

 private:
  struct Leaving {
    std::vector<ReplyDone> asked;
    std::string idempotency_key;
    bool drains = false;   // It was told to.
    bool removed = false;  // It was empty, and its removal is on its way.
  };

  Agent& Lead() { return *agents_.front(); }

  // What was observed of instances that are no more: looked for whenever as many may be.
  void ForgetGone() {
    if (observed_->size() < forget_at_) return;
    std::unordered_set<std::uint64_t> there;
    for (const ServiceState& service : view().services()) {
      for (const Instance& instance : service.instances) {
        there.insert(TenantKeyOf(instance.id.service, instance.id.number));
      }
    }
    observed_->Forget([&](std::uint64_t key) { return !there.contains(key); });
    forget_at_ = std::max(kForgetAtLeast, 2 * observed_->size());
  }

  void OnReady(const Status& status) {
    if (!status.ok() && start_status_.ok()) start_status_ = status;
    if (--starting_ > 0) return;
    ScheduleWork();
    if (ready_) ready_(start_status_);
  }

  // The first agent's view is whole: at the start, and after it lost its way.
  void OnBegun() {
    ReloadPolicy();
    queue_.Rebuild(view());
    to_empty_.clear();
    for (const MachineState& machine : view().machines()) {
      if (!machine.vacant()) NoteMachine(machine.record.name);
    }
    room_freed_ = true;
    if (starting_ == 0) ScheduleWork();
  }

  static bool MustLeave(const MachineState& machine) {
    const Health health = machine.record.health;
    return !machine.instances.empty() && (health == Health::kDown || health == Health::kDraining);
  }

  // Notes what a commit means for those that wait and for machines to be emptied.
  void OnCommit(const Committed& committed) {
    const std::uint64_t waited = queue_.instances();
    std::uint64_t placed = 0;
    bool room = false;
    for (const Update& update : committed.updates) {
      switch (update.key.kind) {
        case RecordKind::kMachine:
          NoteMachine(MachineId(update.key.name));
          room = true;
          break;
        case RecordKind::kInstance: {
          queue_.Note(update);
          const auto* instance = update.record ? std::get_if<Instance>(&*update.record) : nullptr;
          const bool holds_room = instance != nullptr && instance->HoldsRoom();
          room = room || !holds_room;
          placed += holds_room ? 1 : 0;
          break;
        }
        case RecordKind::kService:
          queue_.Note(update);
          room = room || !update.record;
          break;
        case RecordKind::kPolicy:
          ReloadPolicy();
          [[fallthrough]];
        case RecordKind::kTenant:
        case RecordKind::kType:
          room = true;
          break;
        case RecordKind::kLease:
        case RecordKind::kIdempotency:
        case RecordKind::kDecision:
          break;
      }
    }
    const std::uint64_t stopped_waiting = waited - std::min(waited, queue_.instances());
    const Decision* decision = DecisionOf(committed);
    if (decision != nullptr) {
      // A newcomer that joins the queue brings no room; one that leaves its machine for another, or
      // has a new limit, does.
      if (decision->refusal && decision->refusal->rule == RuleId("queue")) room = false;
      if (decision->kind == DecisionKind::kResize && !decision->refusal) room = true;
      if (decision->kind == DecisionKind::kMove && placed > stopped_waiting) room = true;
    }
    if (!room) return;
    room_freed_ = true;
    ScheduleWork();
  }

  // What does not hold was refused before, by Submit or by the agents when they started.
  void ReloadPolicy() {
    const std::string& text = view().policy().text;
    const Result<Document> document =
        ParseDocument(text.empty() ? default_policy_ : text, "policy");
    if (!document.ok()) return;
    const Result<DisruptionPolicy> disruption = ParseDisruptionPolicy(document.value().root());
    if (disruption.ok()) gate_->SetPolicy(disruption.value());
    const Result<OversubPolicy> oversub = ParseOversubPolicy(document.value().root());
    if (oversub.ok()) resolver_->SetPolicy(oversub.value());
  }

  static const Decision* DecisionOf(const Committed& committed) {
    for (const Update& update : committed.updates) {
      if (update.key.kind == RecordKind::kDecision) return &std::get<Decision>(*update.record);
    }
    return nullptr;
  }

  void NoteMachine(MachineId name) {
    const MachineState* machine = view().Find(name);
    if (machine != nullptr && (MustLeave(*machine) || leaving_.contains(name))) {
      to_empty_.insert(name);
    } else {
      to_empty_.erase(name);
    }
  }

  // One pass at a time: first those that must leave their machine, then those that wait, in order.
  void ScheduleWork() {
    if (working_ || (to_empty_.empty() && queue_.empty() && leaving_.empty())) return;
    working_ = true;
    room_freed_ = false;
    executor_.Post([this, alive = alive_] {
      if (*alive) BeginPass();
    });
  }

  void BeginPass() {
    std::vector<MachineId> kept;
    for (const auto& [name, leaving] : leaving_) {
      if (!leaving.drains || leaving.removed) continue;
      const MachineState* machine = view().Find(name);
      const bool leaves = machine != nullptr && (machine->record.health == Health::kDraining ||
                                                 machine->record.health == Health::kDown);
      if (leaves) {
        emptying_.insert(name);
      } else {
        kept.push_back(name);
      }
    }
    for (const MachineId name : kept) {
      AnswerLeaving(name,
                    {.status = Status(Code::kAborted,
                                      fmt::format("machine {} was removed or put back to work "
                                                  "by others meanwhile; look at it again",
                                                  name.str()))});
    }
    for (const MachineId name : to_empty_) {
      const MachineState* machine = view().Find(name);
      if (machine == nullptr) continue;
      // In the order of their names: a machine holds them in one that depends on how its view came
      // to be.
      std::set<InstanceId> leaving;
      for (const InstanceRef ref : machine->instances) {
        leaving.insert({view()[ref.service].record.name, ref.number});
      }
      work_.insert(work_.end(), leaving.begin(), leaving.end());
    }
    for (std::string& service : queue_.InOrder())
      work_.emplace_back(PlacePending{std::move(service)});
    NextWork();
  }

  void NextWork() {
    while (!work_.empty() && IsHeldBack(work_.front())) work_.pop_front();
    if (work_.empty()) return EndPass();
    const std::variant<InstanceId, PlacePending> item = std::move(work_.front());
    work_.pop_front();
    if (const auto* waiting = std::get_if<PlacePending>(&item)) {
      Lead().Submit({.what = *waiting, .idempotency_key = {}, .quiet = true},
                    [this](const Reply&) { NextWork(); });
      return;
    }
    const InstanceId id = std::get<InstanceId>(item);
    const MoveReason reason =
        HealthBelow(id) == Health::kDown ? MoveReason::kMachineFailed : MoveReason::kDrained;
    Lead().Submit(
        {.what = MoveInstance{id, MachineId(), reason}, .idempotency_key = {}, .quiet = true},
        [this, id](const Reply& reply) { OnMoved(id, reply); });
  }

  // Of the machine that the instance is on, if any.
  std::optional<Health> HealthBelow(const InstanceId& id) const {
    const Instance* instance = view().Find(id);
    const MachineState* machine =
        instance != nullptr && instance->HoldsRoom() ? view().Find(instance->machine) : nullptr;
    return machine == nullptr ? std::nullopt : std::optional(machine->record.health);
  }

  // What still runs on a machine that drains may have to stay there for a while.
  bool IsHeldBack(const std::variant<InstanceId, PlacePending>& item) {
    const auto* id = std::get_if<InstanceId>(&item);
    if (id == nullptr || HealthBelow(*id) != Health::kDraining) return false;
    const std::optional<DisruptionLedger::Hold> hold = gate_->MayDisrupt(id->service);
    if (!hold) return false;
    held_back_on_[view().Find(*id)->machine] = hold->because;
    if (!work_again_at_ || hold->until < *work_again_at_) work_again_at_ = hold->until;
    return true;
  }

  void WorkAgainLater() {
    if (!work_again_at_) return;
    executor_.PostAt(*std::exchange(work_again_at_, std::nullopt), [this, alive = alive_] {
      if (*alive) ScheduleWork();
    });
  }

  // What finds no other room waits if its machine is dead, and runs on if it only drains.
  void OnMoved(const InstanceId& id, const Reply& reply) {
    if (reply.accepted()) {
      ++reallocated_;
      return NextWork();
    }
    if (HealthBelow(id) != Health::kDown) return NextWork();
    Lead().Submit({.what = SuspendInstance{id, WaitReason::kMachineFailed}},
                  [this](const Reply&) { NextWork(); });
  }

  void EndPass() {
    working_ = false;
    std::vector<MachineId> emptied;
    for (const MachineId name : to_empty_) {
      const MachineState* machine = view().Find(name);
      // What only seems to have left may come back.
      const bool empty = machine != nullptr && machine->instances.empty() && Lead().settled();
      if (machine == nullptr || empty) emptied.push_back(name);
    }
    for (const MachineId name : emptied) to_empty_.erase(name);
    FinishLeaving();
    held_back_on_.clear();
    WorkAgainLater();
    // A pass that freed nothing new cannot help the next.
    if (room_freed_) ScheduleWork();
  }

  void FinishLeaving() {
    for (const MachineId name : std::exchange(emptying_, {})) {
      const MachineState* machine = view().Find(name);
      if (machine != nullptr && !machine->instances.empty()) {
        const auto held_back = held_back_on_.find(name);
        const std::string because = held_back == held_back_on_.end()
                                        ? "find no other room"
                                        : "may not leave yet: " + held_back->second;
        AnswerLeaving(
            name, {.status = Status(Code::kFailedPrecondition,
                                    fmt::format("{} instances on machine {} {}; it stays "
                                                "draining",
                                                machine->instances.size(), name.str(), because))});
        continue;
      }
      const auto leaving = leaving_.find(name);
      if (leaving == leaving_.end()) continue;
      leaving->second.removed = true;
      Lead().Submit(
          {.what = RemovalOf(name.str()), .idempotency_key = leaving->second.idempotency_key},
          [this, name](const Reply& reply) { AnswerLeaving(name, reply); });
    }
  }

  void AnswerLeaving(MachineId name, const Reply& reply) {
    const auto leaving = leaving_.extract(name);
    if (leaving.empty()) return;
    for (const ReplyDone& done : leaving.mapped().asked) {
      if (done) done(reply);
    }
  }

  static constexpr std::size_t kForgetAtLeast = 10'000;

  Executor& executor_;
  std::string default_policy_;
  const std::shared_ptr<ObservedUsage> observed_ = std::make_shared<ObservedUsage>();
  std::size_t forget_at_ = kForgetAtLeast;
  std::vector<std::unique_ptr<Agent>> agents_;
  std::size_t next_agent_ = 0;
  std::function<void(Status)> ready_;
  std::size_t starting_ = 0;
  Status start_status_;

  PendingQueue queue_;
  std::set<MachineId> to_empty_;
  std::map<MachineId, Leaving> leaving_;  // To be removed once empty.
  std::set<MachineId> emptying_;          // Of those, the ones that this pass tried to empty.
  std::deque<std::variant<InstanceId, PlacePending>> work_;
  bool working_ = false;
  bool room_freed_ = false;
  std::uint64_t reallocated_ = 0;

  std::optional<DisruptionGate> gate_;
  std::optional<Resolver> resolver_;
  std::optional<Time> work_again_at_;              // For those that this pass put off,
  std::map<MachineId, std::string> held_back_on_;  // and why.
  std::shared_ptr<bool> alive_;
};

Engine::Engine(Store& store, Executor& executor, EngineOptions options)
    : impl_(std::make_unique<Impl>(store, executor, std::move(options))) {}
Engine::~Engine() = default;

Resources NothingObserved() {
  Resources nothing;
  for (const Resource r : kAllResources) nothing[r] = -1;
  return nothing;
}

ChangeFleet RemovalOf(const std::string& machine) {
  return {.put = {}, .remove = {KeyOf(RecordKind::kMachine, machine)}};
}

void Engine::Start(std::function<void(Status)> ready) { impl_->Start(std::move(ready)); }
void Engine::Submit(Request request, ReplyDone done) {
  impl_->Submit(std::move(request), std::move(done));
}
void Engine::Decommission(const std::string& machine, ReplyDone done, std::string idempotency_key) {
  impl_->Decommission(machine, std::move(done), std::move(idempotency_key));
}
void Engine::Observe(const InstanceId& instance, const Resources& usage, Time at) {
  impl_->Observe(instance, usage, at);
}
const Outlook* Engine::outlook() const { return impl_->outlook(); }
const Inventory& Engine::view() const { return impl_->view(); }
EngineStats Engine::stats() const { return impl_->stats(); }
std::map<std::string, DecidingStats> Engine::arms() const { return impl_->arms(); }
CacheStats Engine::cache_stats() const { return impl_->cache_stats(); }

}  // namespace berth
