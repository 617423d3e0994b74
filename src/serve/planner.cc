#include "serve/planner.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "engine/counted_group.h"
#include "engine/replicator.h"
#include "fleet/inventory.h"
#include "scale/space/scaling_plan.h"

namespace berth {
namespace {

constexpr std::string_view kPlanKey = "plans/plan/";
constexpr std::string_view kLearnedKey = "plans/learned/";

std::string KeyFor(std::string_view kind, std::string_view application) {
  return fmt::format("{}{}", kind, application);
}

// Who was placed is taken to answer when it is reported started, or should have booted.
bool Answers(const Instance& instance, Duration boot, Time now) {
  if (instance.state == InstanceState::kRunning) return true;
  return instance.state == InstanceState::kPlaced && instance.timeline.since + boot <= now;
}

}  // namespace

void Planner::Start(std::span<const Observation> kept) {
  for (const Observation& entry : kept) kept_.emplace(entry.key, entry.value);
  Look();
}

void Planner::LookLater() {
  means_.decides.PostAt(means_.decides.now() + kLookEvery,
                        [this, alive = std::weak_ptr<bool>(alive_)] {
                          if (!alive.expired()) Look();
                        });
}

void Planner::Look() {
  const std::string& text = means_.engine.view().policy().text;
  if (text != policy_) {
    policy_ = text;
    Reload();
  }
  for (const auto& [name, application] : applications_) {
    if (IsToEnforce(*application)) Enforce(*application);
    if (!application->deciding && application->next <= means_.decides.now()) Decide(application);
  }
  LookLater();
}

// A policy in force was checked before. One without text has no applications.
void Planner::Reload() {
  std::map<std::string, std::shared_ptr<Application>> begun;
  Result<Document> document = ParseDocument(policy_.empty() ? "{}" : policy_, "policy");
  if (document.ok()) {
    const auto shared = std::make_shared<const Document>(std::move(document).value());
    const auto parsed = ParseApplications(shared->root());
    for (const PlannedApplication& policy :
         parsed.ok() ? parsed.value() : std::vector<PlannedApplication>()) {
      if (policy.mode != ScalingMode::kOff) begun[policy.name] = Begun(policy, shared);
    }
  }
  std::vector<Observation> forgotten;
  for (const auto& [name, application] : applications_) {
    if (begun.contains(name)) continue;
    for (const std::string_view kind : {kPlanKey, kLearnedKey}) {
      forgotten.push_back({KeyFor(kind, name), {}});
      kept_.erase(KeyFor(kind, name));
    }
  }
  if (!forgotten.empty()) means_.observer.Keep(std::move(forgotten));
  applications_ = std::move(begun);
}

std::shared_ptr<Planner::Application> Planner::Begun(
    const PlannedApplication& policy, const std::shared_ptr<const Document>& document) {
  auto application = std::make_shared<Application>(
      Application{{.application = policy.name, .mode = policy.mode}, document, policy});
  const std::vector<Resources> needs(policy.services.size());
  application->scaled = policy.Scaled(needs);
  if (const auto plan = kept_.find(KeyFor(kPlanKey, policy.name)); plan != kept_.end()) {
    // One of other services is none of ours: there is another soon.
    Result<ScalingPlan> kept = PlanFromJson(plan->second, "kept plan", application->scaled);
    if (kept.ok()) application->plan = std::move(kept).value();
  }
  if (const auto learned = kept_.find(KeyFor(kLearnedKey, policy.name)); learned != kept_.end()) {
    application->learned = learned->second;
  }
  return application;
}

Result<Planner::Situation> Planner::SituationOf(const Application& application) const {
  Situation situation;
  const Inventory& view = means_.engine.view();
  const Time now = means_.decides.now();
  for (const PlannedService& planned : application.policy.services) {
    const ServiceState* service = view.FindService(planned.name);
    if (service == nullptr) {
      return Status(Code::kNotFound, fmt::format("there is no service {} yet", planned.name));
    }
    const InstanceGroup* group = CountedGroup(service->record, planned.role);
    if (group == nullptr) {
      return Status(
          Code::kFailedPrecondition,
          fmt::format("{}: {}", planned.name, WhyNoneIsCounted(service->record, planned.role)));
    }
    situation.needs.push_back(view.Find(group->type)->size);
    situation.state.ready.push_back(0);
    situation.state.starting.push_back(0);
    situation.services.push_back({.name = planned.name, .instances = {}});
    for (const KeptInstance& instance : service->instances) {
      if (instance.type != group->type || instance.role != group->role ||
          instance.state == InstanceState::kEnded) {
        continue;
      }
      const bool answers = Answers(instance, planned.boot, now);
      ++(answers ? situation.state.ready : situation.state.starting).back();
      situation.services.back().instances.push_back(
          {fmt::format("{}/{}", planned.name, instance.id.number), instance.limit});
    }
  }
  return situation;
}

Status Planner::PutAutoscaler(Application& application, const std::vector<Resources>& needs) const {
  if (application.autoscaler != nullptr && application.needs == needs) return {};
  BERTH_TRY(std::unique_ptr<Autoscaler> made, application.policy.NewAutoscaler(needs));
  const Status restored = made->RestoreLearned(application.learned);
  if (!restored.ok()) {
    application.remark =
        fmt::format("what was learned before is of no use: {}", restored.message());
  }
  application.autoscaler = std::move(made);
  application.needs = needs;
  application.scaled = application.policy.Scaled(needs);
  return {};
}

void Planner::Decide(const std::shared_ptr<Application>& application) {
  const Time now = means_.decides.now();
  Result<Situation> situation = SituationOf(*application);
  Status status = situation.status();
  if (status.ok()) status = PutAutoscaler(*application, situation.value().needs);
  application->trouble = status.message();
  if (!status.ok()) {
    application->next = now + kTryAgainAfter;
    return;
  }
  application->deciding = true;
  means_.ponders.Post([this, now, application, alive = std::weak_ptr<bool>(alive_), means = means_,
                       situation = std::move(situation).value()]() mutable {
    const SampledMetrics metrics(means.observer, now, std::move(situation.services));
    Decided decided{.at = now,
                    .plan = application->autoscaler->Decide(now, situation.state, metrics),
                    .learned = application->autoscaler->SaveLearned()};
    means.decides.Post([this, application, alive, decided = std::move(decided)]() mutable {
      if (!alive.expired()) OnDecided(*application, std::move(decided));
    });
  });
}

void Planner::OnDecided(Application& application, Decided decided) {
  application.deciding = false;
  application.next = decided.at + std::max(application.autoscaler->sync_period(), kLookEvery);
  application.plan = std::move(decided.plan);
  application.learned = std::move(decided.learned);
  if (!application.remark.empty()) {
    application.plan.notes.push_back(std::exchange(application.remark, {}));
  }
  // Of a policy before: another stands in its place.
  const auto current = applications_.find(application.application);
  if (current == applications_.end() || current->second.get() != &application) return;
  ++plans_;
  std::vector<Observation> entries = {
      {KeyFor(kPlanKey, application.application), PlanToJson(application.plan, application.scaled)},
      {KeyFor(kLearnedKey, application.application), application.learned}};
  for (const Observation& entry : entries) kept_[entry.key] = entry.value;
  means_.observer.Keep(std::move(entries));
  Enforce(application);
}

// When another state is due, and now and then, as what could not be done before may be possible.
bool Planner::IsToEnforce(const Application& application) const {
  const Time now = means_.decides.now();
  const PlannedState* due = StateDueBy(application.plan, now);
  const Time last = application.enforced_at;
  return due != StateDueBy(application.plan, last) || now >= last + kEnforceAgainAfter;
}

void Planner::Enforce(Application& application) {
  application.enforced_at = means_.decides.now();
  const PlannedState* due = StateDueBy(application.plan, application.enforced_at);
  for (std::size_t s = 0; s < application.scaled.services.size(); ++s) {
    std::optional<CountAdvice> advice;
    if (due != nullptr) {
      advice = {.count = due->instances[s],
                .why = fmt::format("{}: plan of {}: {}", due->instances[s], application.application,
                                   due->why)};
    }
    means_.engine.replicator().SetPlanned(application.scaled.services[s].name, std::move(advice));
  }
}

std::vector<const LivePlan*> Planner::Plans() const {
  std::vector<const LivePlan*> plans;
  plans.reserve(applications_.size());
  for (const auto& [name, application] : applications_) plans.push_back(application.get());
  return plans;
}

const LivePlan* Planner::PlanOf(std::string_view service) const {
  for (const auto& [name, application] : applications_) {
    const auto& services = application->scaled.services;
    if (std::ranges::find(services, service, &ScaledService::name) != services.end()) {
      return application.get();
    }
  }
  return nullptr;
}

Planner::Counts Planner::counts() const {
  Counts counts{.applications = applications_.size(), .plans = plans_};
  for (const auto& [name, application] : applications_) {
    counts.troubled += application->trouble.empty() ? 0U : 1U;
  }
  return counts;
}

}  // namespace berth
