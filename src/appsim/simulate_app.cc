#include "appsim/simulate_app.h"

#include <algorithm>
#include <utility>

#include "appsim/agenda.h"
#include "appsim/app_flow.h"
#include "appsim/app_platform.h"
#include "appsim/call_tree.h"
#include "berth/check.h"

namespace berth {
namespace {

class AppSimulation {
 public:
  AppSimulation(const AppModel& model, const AppRun& run,
                std::vector<std::vector<AppCall>> calls_of_types)
      : model_(model),
        region_(model.regions[run.region]),
        rng_(Rng(run.seed).Fork(region_.name)),
        autoscaler_(run.autoscaler),
        agenda_(model.duration.count()),
        flow_(model, region_, std::move(calls_of_types), rng_, agenda_, run.sink),
        platform_(model, rng_, agenda_, flow_),
        metrics_(model, outcome_.series) {
    outcome_.series.step = model.metric_step;
    outcome_.series.services.resize(model.services.size());
    outcome_.series.types.resize(model.request_types.size() + 1);
  }

  AppOutcome Run() {
    platform_.Deploy(region_.deployment);
    flow_.Begin();
    agenda_.PushChange(AppChange::Kind::kStepEnds, 0, model_.metric_step.count());
    if (autoscaler_ != nullptr) ScheduleDecision();
    for (Agenda::Next next; agenda_.Take(next);) {
      switch (next.kind) {
        case AppEventKind::kDone:
          flow_.Finish(next.index);
          break;
        case AppEventKind::kNodeDone:
          flow_.FinishFirst(next.index);
          break;
        case AppEventKind::kLane:
          flow_.Deliver(next.index);
          break;
        case AppEventKind::kArrival:
          flow_.Arrive(next.index);
          break;
        case AppEventKind::kDeadline:
          flow_.TimeOut(next.index);
          break;
        case AppEventKind::kChange:
          Change(agenda_.change(next.index));
          break;
      }
    }
    flow_.EndRun(outcome_);
    platform_.EndRun(outcome_);
    outcome_.means = MeansOf(outcome_.series);
    outcome_.latency_less = LatencyOf(outcome_, false);
    outcome_.latency_more = LatencyOf(outcome_, true);
    return std::move(outcome_);
  }

 private:
  void Change(AppChange change) {
    switch (change.kind) {
      case AppChange::Kind::kStepEnds:
        flow_.EndStep(outcome_.series);
        platform_.EndStep(outcome_.series);
        ++outcome_.series.steps;
        return agenda_.PushChange(AppChange::Kind::kStepEnds, 0,
                                  agenda_.now() + model_.metric_step.count());
      case AppChange::Kind::kDecide:
        return Decide();
      case AppChange::Kind::kPlanDue:
        return platform_.Enforce(plan_.states[change.index]);
      case AppChange::Kind::kNodeUp:
      case AppChange::Kind::kNodeGone:
      case AppChange::Kind::kInstanceReady:
      case AppChange::Kind::kInstanceGone:
        return platform_.Change(change);
    }
  }

  void ScheduleDecision() {
    agenda_.PushChange(AppChange::Kind::kDecide, 0, agenda_.now() + Period().count());
  }

  void Decide() {
    const Time now = TimeFromMicros(agenda_.now());
    plan_ = autoscaler_->Decide(now, platform_.State(), metrics_);
    ++outcome_.decisions;
    for (std::string& note : plan_.notes) {
      if (outcome_.notes.size() < kNotesMax && !std::ranges::count(outcome_.notes, note)) {
        outcome_.notes.push_back(std::move(note));
      }
    }
    const PlannedState* due = nullptr;  // Of several that are due only the last can be reached.
    const Time next = now + Period();
    for (std::uint32_t i = 0; i < plan_.states.size(); ++i) {
      const PlannedState& state = plan_.states[i];
      if (state.at <= now) due = &state;
      // What is due at the next decision or later is planned again then.
      if (state.at <= now || state.at >= next) continue;
      agenda_.PushChange(AppChange::Kind::kPlanDue, i, ToMicros(state.at));
    }
    if (due != nullptr) platform_.Enforce(*due);
    ScheduleDecision();
  }

  Duration Period() const { return std::max(Duration(1), autoscaler_->sync_period()); }

  static constexpr std::size_t kNotesMax = 100;

  const AppModel& model_;
  const AppRegion& region_;
  Rng rng_;
  Autoscaler* autoscaler_;
  Agenda agenda_;
  AppFlow flow_;
  AppPlatform platform_;
  AppOutcome outcome_;
  AppMetricSource metrics_;
  ScalingPlan plan_;
};

}  // namespace

Result<AppOutcome> SimulateApp(const AppModel& model, const AppRun& run) {
  BERTH_RETURN_IF_ERROR(CheckAppModel(model));
  BERTH_CHECK(run.region < model.regions.size());
  std::vector<std::vector<AppCall>> calls_of_types;
  calls_of_types.reserve(model.request_types.size());
  for (const AppRequestType& type : model.request_types) {
    BERTH_TRY(std::vector<AppCall> calls, UnfoldCalls(model, type));
    calls_of_types.push_back(std::move(calls));
  }
  return AppSimulation(model, run, std::move(calls_of_types)).Run();
}

ScaledApplication ScaledFrom(const AppModel& model) {
  ScaledApplication scaled;
  scaled.services.reserve(model.services.size());
  for (const AppService& service : model.services) {
    const auto boot_us = static_cast<std::int64_t>(service.boot.mean);
    scaled.services.push_back({.name = service.name,
                               .need = service.need,
                               .boot = Duration(boot_us),
                               .next = service.next});
  }
  for (std::size_t i = 0; i < model.services.size(); ++i) {
    for (const std::size_t next : model.services[i].next) {
      scaled.services[next].previous.push_back(i);
    }
  }
  scaled.types.reserve(model.node_types.size());
  for (const AppNodeType& type : model.node_types) scaled.types.push_back(type.vm);
  return scaled;
}

}  // namespace berth
