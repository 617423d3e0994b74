#include "berth/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include "allocate/agent.h"
#include "berth/check.h"
#include "engine/defragmenter.h"
#include "engine/disruption_gate.h"
#include "engine/growing.h"
#include "engine/policy.h"
#include "engine/promises.h"
#include "engine/reallocator.h"
#include "engine/replicator.h"
#include "engine/resolver.h"
#include "engine/sizer.h"
#include "engine/yielding.h"
#include "oversub/fleet_outlook.h"
#include "oversub/tenant_amounts.h"
#include "rightsize/live_program.h"

namespace berth {

namespace {

// Outlooks on what was observed, by the traces in use.
NewOutlook OutlookFactory(std::shared_ptr<DemandInUse> demand,
                          std::shared_ptr<ObservedUsage> observed) {
  return [demand = std::move(demand), observed = std::move(observed)](
             const Node& policy, const Outlook* at_hand) -> Result<std::unique_ptr<Outlook>> {
    BERTH_TRY(const OversubPolicy oversub, ParseOversubPolicy(policy));
    const auto* before = static_cast<const FleetOutlook*>(at_hand);
    if (before != nullptr && before->policy() == oversub) return std::unique_ptr<Outlook>();
    return std::unique_ptr<Outlook>(std::make_unique<FleetOutlook>(demand, observed, oversub));
  };
}

}  // namespace

class Engine::Impl {
 public:
  Impl(Store& store, Executor& executor, EngineOptions options)
      : executor_(executor), demand_(std::make_shared<DemandInUse>(std::move(options.demand))) {
    BERTH_CHECK(options.agents > 0);
    if (options.programs != nullptr) program_names_ = options.programs->Names();
    if (options.default_policy.empty()) options.default_policy = ShippedPolicy();
    default_policy_ = options.default_policy;
    const NewOutlook new_outlook = OutlookFactory(demand_, observed_);
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
    const auto submit = [this](Request request, ReplyDone done) {
      Lead().Submit(std::move(request), std::move(done));
    };
    reallocator_.emplace(Reallocator::Means{
        .executor = executor,
        .view = view(),
        .gate = *gate_,
        .submit = submit,
        .settled = [this] { return Lead().settled(); },
        .still_waits = [this](const std::string& service) { defragmenter_->Consider(service); }});
    defragmenter_.emplace(
        Defragmenter::Means{.executor = executor,
                            .view = view(),
                            .gate = *gate_,
                            .policy = [this]() -> const AllocatePolicy& { return Lead().policy(); },
                            .outlook = [this] { return FollowedOutlook(); },
                            .submit = submit},
        store, options.name);
    resolver_.emplace(Resolver::Means{.executor = executor,
                                      .view = view(),
                                      .observed = *observed_,
                                      .submit = submit,
                                      .may_disrupt =
                                          [this](const std::string& service) {
                                            return gate_->MayDisrupt(service);
                                          }},
                      store, options.name);
    yielding_.emplace(Yielding::Means{.executor = executor,
                                      .view = view(),
                                      .submit = submit,
                                      .settled = [this] { return Lead().settled(); }},
                      store, options.name);
    growing_.emplace(*yielding_, submit);
    sizer_.emplace(
        Sizer::Means{
            .executor = executor,
            .view = view(),
            .gate = *gate_,
            .submit = [this](Request request,
                             ReplyDone done) { SubmitResize(std::move(request), std::move(done)); },
            .beside_scaler =
                [this](const auto&... asked) { return replicator_->BoundsOfCpu(asked...); },
            .programs = options.programs},
        store, options.name);
    replicator_.emplace(Replicator::Means{.executor = executor,
                                          .view = view(),
                                          .gate = *gate_,
                                          .submit =
                                              [this](Request request, ReplyDone done) {
                                                SubmitScale(std::move(request), std::move(done));
                                              },
                                          .programs = options.programs},
                        store, options.name);
  }
  ~Impl() = default;
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
      if (Status status = CheckPolicy(apply->text, "policy", program_names_); !status.ok()) {
        executor_.Post(
            [done = std::move(done), status = std::move(status)] { done({.status = status}); });
        return;
      }
    }
    auto* create = std::get_if<CreateService>(&request.what);
    if (create != nullptr && create->limits.empty()) {
      create->limits = sizer_->StartingLimits(create->service);
    }
    if (std::holds_alternative<ResizeService>(request.what) && yielding_->serves()) {
      return SubmitResize(std::move(request), std::move(done));
    }
    if (promises_) request.refused = AskPromises(request.what, done);
    request.behind_others = reallocator_->anyone_waits();
    agents_[next_agent_]->Submit(std::move(request), std::move(done));
    next_agent_ = (next_agent_ + 1) % agents_.size();
  }

  void Decommission(const std::string& machine, ReplyDone done, std::string idempotency_key) {
    reallocator_->Decommission(machine, std::move(done), std::move(idempotency_key));
  }

  void Observe(const InstanceId& id, const Resources& usage, const Resources& peak, Time at) {
    const Instance* instance = view().Find(id);
    if (instance == nullptr || at < instance->timeline.created) return;
    observed_->Note(TenantKeyOf(id.service, id.number), instance->timeline.created, usage, peak,
                    at);
    for (const auto& agent : agents_) agent->Observe(id, usage, at);
    resolver_->Look(instance->machine);
    ForgetGone();
  }
  void Recall(const InstanceId& id, Time created, const Resources& usage, const Resources& peak,
              Time at) {
    BERTH_CHECK(ready_ == nullptr);
    observed_->Note(TenantKeyOf(id.service, id.number), created, usage, peak, at);
  }
  void ObserveUsage(const InstanceId& instance, Resource resource,
                    std::span<const UsagePoint> points) {
    sizer_->Observe(instance, resource, points);
    if (resource == Resource::kCpu) replicator_->ObserveCpu(instance, points);
  }
  Sizer& sizer() { return *sizer_; }
  Replicator& replicator() { return *replicator_; }
  void UseDemand(std::shared_ptr<const TraceLibrary> demand) {
    demand_->At(executor_.now());  // What was to be used by now is.
    demand_->UseFrom(NextEpochAfter(executor_.now(), epoch_), std::move(demand));
  }
  std::shared_ptr<const TraceLibrary> demand() const { return demand_->At(executor_.now()); }

  Result<WhyNot> AskWhyNot(const Service& service, std::optional<std::uint32_t> number,
                           MachineId machine) {
    return Lead().AskWhyNot(service, number, machine);
  }
  const Outlook* FollowedOutlook() { return Lead().FollowedOutlook(); }

  const Inventory& view() const { return agents_.front()->view(); }

  EngineStats stats() const {
    EngineStats sum;
    for (const auto& agent : agents_) sum += agent->stats();
    sum.pending = reallocator_->pending();
    sum.reallocated = reallocator_->reallocated();
    sum.disruptions = gate_->disruptions();
    sum.held_back = gate_->held_back();
    sum.violations = resolver_->violations();
    sum.resolving_moves = resolver_->moves();
    sum.room_making_moves = defragmenter_->moves();
    sum.passes = yielding_->passes();
    sum.passing = yielding_->passing();
    sum.seated = yielding_->seated();
    sum.not_admitted = not_admitted_ + (promises_ ? promises_->refused() : 0);
    sum.preempted = yielding_->preempted() + growing_->preempted();
    sum.resizes = sizer_->counts().resizes;
    return sum;
  }

  std::map<std::string, HeldBack> held_back() const { return gate_->holds(); }

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
  Agent& Lead() { return *agents_.front(); }

  // Where a scheduler decides who yields, it does so for limits that grow, too.
  void SubmitResize(Request request, ReplyDone done) {
    if (promises_) request.refused = AskPromises(request.what, done);
    if (yielding_->serves() && !request.refused) {
      return growing_->Submit(std::move(request), std::move(done));
    }
    Lead().Submit(std::move(request), std::move(done));
  }

  // As if its owner asked for it.
  void SubmitScale(Request request, ReplyDone done) {
    if (promises_) request.refused = AskPromises(request.what, done);
    request.behind_others = reallocator_->anyone_waits();
    Lead().Submit(std::move(request), std::move(done));
  }

  std::optional<Refusal> AskPromises(const Action& action, ReplyDone& done) {
    if (count_promises_) {
      promises_->Begin();
      count_promises_ = !Lead().settled();  // What is tentative may never be.
    }
    return promises_->Ask(action, done);
  }

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
    reallocator_->ScheduleWork();
    if (observed_->size() > 0) LookAtAll();
    if (ready_) ready_(start_status_);
  }

  // By what was recalled, any machine may be violated.
  void LookAtAll() {
    for (const MachineState& machine : view().machines()) resolver_->Look(machine.record.name);
  }

  // The first agent's view is whole: at the start, and after it lost its way.
  void OnBegun() {
    ReloadPolicy();
    sizer_->Begin();
    yielding_->Begin();
    reallocator_->Begin();
    if (starting_ == 0) reallocator_->ScheduleWork();
  }

  void OnCommit(const Committed& committed) {
    const bool policy = std::ranges::any_of(committed.updates, [](const Update& update) {
      return update.key.kind == RecordKind::kPolicy;
    });
    if (policy) ReloadPolicy();
    sizer_->OnCommit(committed);
    replicator_->OnCommit(committed);
    if (promises_) promises_->Note(committed);
    yielding_->OnCommit(committed);
    reallocator_->OnCommit(committed);
  }

  // What does not hold was refused before, by Submit or by the agents when they started. Of
  // programs that another process has, and this one does not, nothing is said here.
  void ReloadPolicy() {
    const std::string& text = view().policy().text;
    const Result<Document> document =
        ParseDocument(text.empty() ? default_policy_ : text, "policy");
    if (!document.ok()) return;
    const Result<DisruptionPolicy> disruption = ParseDisruptionPolicy(document.value().root());
    if (disruption.ok()) gate_->SetPolicy(disruption.value());
    const Result<OversubPolicy> oversub = ParseOversubPolicy(document.value().root());
    if (oversub.ok()) {
      resolver_->SetPolicy(oversub.value());
      defragmenter_->SetPolicy(oversub.value());
      epoch_ = oversub.value().epoch;
    }
    Result<RightsizingPolicy> rightsizing = ParseRightsizingPolicy(document.value().root());
    if (rightsizing.ok()) sizer_->SetPolicy(std::move(rightsizing).value());
    Result<ScalingPolicy> scaling = ParseScalingPolicy(document.value().root());
    if (scaling.ok()) replicator_->SetPolicy(std::move(scaling).value());
    yielding_->SetPolicy(document.value().root());
    if (promises_ && !yielding_->admits_by_promises()) {
      not_admitted_ += promises_->refused();
      promises_.reset();
    }
    if (yielding_->admits_by_promises() && !promises_) promises_.emplace(view());
    count_promises_ = true;
    reallocator_->LeaveWaiting(yielding_->serves());
  }

  static constexpr std::size_t kForgetAtLeast = 10'000;

  Executor& executor_;
  std::string default_policy_;
  ProgramNames program_names_;
  const std::shared_ptr<ObservedUsage> observed_ = std::make_shared<ObservedUsage>();
  std::size_t forget_at_ = kForgetAtLeast;
  const std::shared_ptr<DemandInUse> demand_;
  Duration epoch_ = OversubPolicy().epoch;
  std::vector<std::unique_ptr<Agent>> agents_;
  std::size_t next_agent_ = 0;
  std::function<void(Status)> ready_;
  std::size_t starting_ = 0;
  Status start_status_;

  std::optional<DisruptionGate> gate_;
  std::optional<Resolver> resolver_;
  std::optional<Defragmenter> defragmenter_;
  std::optional<Reallocator> reallocator_;
  std::optional<Yielding> yielding_;
  std::optional<Sizer> sizer_;
  std::optional<Replicator> replicator_;
  std::optional<Growing> growing_;
  std::optional<Promises> promises_;
  bool count_promises_ = true;      // All of them, before anything is asked of them.
  std::uint64_t not_admitted_ = 0;  // Under policies before.
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
  impl_->Observe(instance, usage, usage, at);
}
void Engine::Observe(const InstanceId& instance, const Resources& usage, const Resources& peak,
                     Time at) {
  impl_->Observe(instance, usage, peak, at);
}
void Engine::Recall(const InstanceId& instance, Time created, const Resources& usage,
                    const Resources& peak, Time at) {
  impl_->Recall(instance, created, usage, peak, at);
}
void Engine::ObserveUsage(const InstanceId& instance, Resource resource,
                          std::span<const UsagePoint> points) {
  impl_->ObserveUsage(instance, resource, points);
}
Sizer& Engine::sizer() { return impl_->sizer(); }
Replicator& Engine::replicator() { return impl_->replicator(); }
void Engine::UseDemand(std::shared_ptr<const TraceLibrary> demand) {
  impl_->UseDemand(std::move(demand));
}
std::shared_ptr<const TraceLibrary> Engine::demand() const { return impl_->demand(); }
Result<WhyNot> Engine::AskWhyNot(const Service& service, std::optional<std::uint32_t> number,
                                 MachineId machine) {
  return impl_->AskWhyNot(service, number, machine);
}
const Outlook* Engine::FollowedOutlook() { return impl_->FollowedOutlook(); }
const Inventory& Engine::view() const { return impl_->view(); }
EngineStats Engine::stats() const { return impl_->stats(); }
std::map<std::string, HeldBack> Engine::held_back() const { return impl_->held_back(); }
std::map<std::string, DecidingStats> Engine::arms() const { return impl_->arms(); }
CacheStats Engine::cache_stats() const { return impl_->cache_stats(); }

}  // namespace berth
