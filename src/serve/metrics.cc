#include "serve/metrics.h"

#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/registry.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <array>

#include "allocate/outlook.h"
#include "engine/replicator.h"
#include "engine/sizer.h"
#include "fleet/inventory.h"
#include "fleet/packing_state.h"
#include "oversub/trace_library.h"
#include "qos/standing.h"
#include "rightsize/live_program.h"
#include "serve/method.h"

namespace berth {
namespace {

using Label = std::map<std::string, std::string>;

// A hit is tens of microseconds, a synced commit a few milliseconds, overload a second.
const prometheus::Histogram::BucketBoundaries kSeconds = {
    0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5};

constexpr std::array kCodes = {std::pair(Code::kOk, "ok"),
                               std::pair(Code::kInvalidArgument, "invalid_argument"),
                               std::pair(Code::kDeadlineExceeded, "deadline_exceeded"),
                               std::pair(Code::kNotFound, "not_found"),
                               std::pair(Code::kAlreadyExists, "already_exists"),
                               std::pair(Code::kPermissionDenied, "permission_denied"),
                               std::pair(Code::kResourceExhausted, "resource_exhausted"),
                               std::pair(Code::kFailedPrecondition, "failed_precondition"),
                               std::pair(Code::kAborted, "aborted"),
                               std::pair(Code::kOutOfRange, "out_of_range"),
                               std::pair(Code::kUnimplemented, "unimplemented"),
                               std::pair(Code::kInternal, "internal"),
                               std::pair(Code::kUnavailable, "unavailable"),
                               std::pair(Code::kUnauthenticated, "unauthenticated")};

double Number(std::uint64_t value) { return static_cast<double>(value); }
double Seconds(Duration value) { return std::chrono::duration<double>(value).count(); }

}  // namespace

std::string_view CodeName(Code code) {
  for (const auto& [known, name] : kCodes) {
    if (known == code) return name;
  }
  return "unknown";
}

struct Metrics::Impl {
  prometheus::Registry registry;
  prometheus::Family<prometheus::Counter>& calls = prometheus::BuildCounter()
                                                       .Name("berth_calls_total")
                                                       .Help("Calls answered, by name and code")
                                                       .Register(registry);
  prometheus::Family<prometheus::Histogram>& seconds =
      prometheus::BuildHistogram()
          .Name("berth_call_seconds")
          .Help("From the arrival of a call to its answer, commits included")
          .Register(registry);
  // Looked up without a lock: all methods are known before the first call.
  std::map<std::string, prometheus::Histogram*, std::less<>> seconds_of;

  prometheus::Family<prometheus::Histogram>& arm_seconds =
      prometheus::BuildHistogram()
          .Name("berth_arm_call_seconds")
          .Help("Of calls decided in an arm of an experiment")
          .Register(registry);
  prometheus::Counter& wrong_tokens = prometheus::BuildCounter()
                                          .Name("berth_wrong_tokens_total")
                                          .Help("Calls turned away because of their token")
                                          .Register(registry)
                                          .Add({});

  void Set(const char* name, const char* help, double value, const Label& labels = {}) {
    prometheus::BuildGauge().Name(name).Help(help).Register(registry).Add(labels).Set(value);
  }
  // Of what only grows, and is counted elsewhere. It may begin again there, with a new experiment.
  void CountTo(const char* name, const char* help, double value, const Label& labels = {}) {
    prometheus::Counter& counter =
        prometheus::BuildCounter().Name(name).Help(help).Register(registry).Add(labels);
    double& before = counted[&counter];
    counter.Increment(value >= before ? value - before : value);
    before = value;
  }
  std::map<const prometheus::Counter*, double> counted;

  void RenderDecisions(const DecidingStats& stats);
  void RenderArms(const std::map<std::string, DecidingStats>& arms);
  void RenderStore(const StoreStats& stats, Revision known);
  void RenderClasses(const Inventory& view);
  void RenderLevels(const Inventory& view, Time now);
  void RenderScheduler(const EngineStats& stats);
  void RenderDemand(Zone& zone);
  void RenderSamples(const Observer::Counts& counts);
  void RenderSizing(const Sizer& sizer);
  void RenderScaling(const Replicator& replicator);
  void RenderPlans(const Planner::Counts& counts);
  void RenderPrograms(const LivePrograms& programs);
};

Metrics::Metrics() : impl_(std::make_unique<Impl>()) {
  for (const Method& method : Methods()) {
    impl_->seconds_of[method.name()] = &impl_->seconds.Add({{"call", method.name()}}, kSeconds);
  }
}
Metrics::~Metrics() = default;

void Metrics::NoteCall(const std::string& method, Code code, Duration took) {
  impl_->calls.Add({{"call", method}, {"code", std::string(CodeName(code))}}).Increment();
  impl_->seconds_of.at(method)->Observe(Seconds(took));
}

void Metrics::NoteArm(const std::string& arm, Duration took) {
  impl_->arm_seconds.Add({{"arm", arm}}, kSeconds).Observe(Seconds(took));
}

void Metrics::NoteWrongToken() { impl_->wrong_tokens.Increment(); }

void Metrics::Impl::RenderDecisions(const DecidingStats& stats) {
  CountTo("berth_requests_accepted_total", "Requests accepted by this process",
          Number(stats.accepted));
  CountTo("berth_requests_refused_total", "Requests refused by this process",
          Number(stats.refused));
  CountTo("berth_commits_total", "Commits that the store answered", Number(stats.commits));
  CountTo("berth_commit_conflicts_total", "Of them, lost to others and decided again",
          Number(stats.conflicts));
  CountTo("berth_commits_merged_total", "Of them, won although the view was stale",
          Number(stats.merged));
  CountTo("berth_theta_exceeded_total",
          "Instances placed where, with others placed there at the same time, a violation is not "
          "less probable than the policy's theta",
          Number(stats.exceeded));
  CountTo("berth_kept_hits_total", "Decisions that found every evaluation kept",
          Number(stats.hits));
  CountTo("berth_kept_misses_total", "Decisions that did not", Number(stats.misses));
}

void Metrics::Impl::RenderArms(const std::map<std::string, DecidingStats>& arms) {
  for (const auto& [name, stats] : arms) {
    const Label arm = {{"arm", name}};
    CountTo("berth_arm_accepted_total", "Requests accepted in an arm of an experiment",
            Number(stats.accepted), arm);
    CountTo("berth_arm_refused_total", "Requests refused in it", Number(stats.refused), arm);
    CountTo("berth_arm_commits_total", "Its commits", Number(stats.commits), arm);
    CountTo("berth_arm_conflicts_total", "Of them, lost to others and decided again",
            Number(stats.conflicts), arm);
    CountTo("berth_arm_hits_total", "Its decisions that found every evaluation kept",
            Number(stats.hits), arm);
    CountTo("berth_arm_misses_total", "Its decisions that did not", Number(stats.misses), arm);
    CountTo("berth_arm_machines_judged_total", "Machines judged for its decisions",
            Number(stats.machines_on_hits + stats.machines_on_misses), arm);
  }
}

void Metrics::Impl::RenderStore(const StoreStats& stats, Revision known) {
  Set("berth_revision", "The last commit that this process decides on", Number(ToNumber(known)));
  Set("berth_revisions_behind", "Commits that the store has and this process does not decide on",
      Number(std::max(ToNumber(stats.revision), ToNumber(known)) - ToNumber(known)));
  CountTo("berth_store_commits_total", "Commits that this process made", Number(stats.commits));
  CountTo("berth_store_syncs_total", "Writes that made them durable", Number(stats.syncs));
  CountTo("berth_store_sync_seconds_total", "What those writes took", Seconds(stats.syncing));
}

void Metrics::Impl::RenderClasses(const Inventory& view) {
  struct Count {
    std::uint64_t services = 0;
    std::uint64_t placed = 0;
    std::uint64_t pending = 0;
  };
  std::map<std::string, Count> classes;
  for (const ServiceClass& klass : view.settings().classes) classes[klass.name.str()];
  for (const ServiceState& service : view.services()) {
    if (service.vacant()) continue;
    Count& count = classes[service.record.klass.str()];
    ++count.services;
    for (const Instance& instance : service.instances) {
      if (instance.HoldsRoom()) ++count.placed;
      if (instance.state == InstanceState::kPending) ++count.pending;
    }
  }
  for (const auto& [name, count] : classes) {
    const Label klass = {{"class", name}};
    Set("berth_class_services", "Services, by class", Number(count.services), klass);
    Set("berth_class_instances_placed", "Instances that have a machine, by class",
        Number(count.placed), klass);
    Set("berth_class_instances_pending", "Instances that wait for room, by class",
        Number(count.pending), klass);
  }
}

void Metrics::Impl::RenderLevels(const Inventory& view, Time now) {
  for (const ClassStanding& standing : ClassStandings(view, now)) {
    const Label klass = {{"class", standing.name.str()}};
    Set("berth_class_fulfilled", "Instances that have had what was promised, by class",
        Number(standing.fulfilled), klass);
    Set("berth_class_at_risk", "Instances that wait and are close to a violation, by class",
        Number(standing.at_risk), klass);
    Set("berth_class_violated", "Instances that had less than promised, by class",
        Number(standing.violated), klass);
    Set("berth_class_penalty_cpu_hours", "What is owed to the instances there are, by class",
        standing.penalty_cpu_hours, klass);
  }
}

void Metrics::Impl::RenderScheduler(const EngineStats& stats) {
  CountTo("berth_scheduler_passes_total", "Times that the scheduler went through those that wait",
          Number(stats.passes));
  CountTo("berth_scheduler_pass_seconds_total", "What those passes took", Seconds(stats.passing));
  CountTo("berth_scheduler_seated_total", "Instances that it gave a place", Number(stats.seated));
  CountTo("berth_preemptions_total", "Instances that yielded to others", Number(stats.preempted));
  CountTo("berth_not_admitted_total", "Requests refused to keep promises already made",
          Number(stats.not_admitted));
}

void Metrics::Impl::RenderDemand(Zone& zone) {
  Set("berth_demand_models", "Demand models that estimates draw from",
      Number(zone.engine().demand()->size()));
  CountTo("berth_demand_learnt_total", "Instances that ended and were learnt from",
          Number(zone.learner() == nullptr ? 0 : zone.learner()->learnt()));
  const Outlook* outlook = zone.engine().FollowedOutlook();
  const Outlook::Unforeseen unforeseen =
      outlook == nullptr ? Outlook::Unforeseen() : outlook->unforeseen();
  Set("berth_demand_held",
      "Instances that no model fits: held at what was observed of them, or at their limits",
      unforeseen.held);
  Set("berth_demand_left_out", "Instances beyond what an estimate holds of one machine",
      Number(unforeseen.left_out));
}

void Metrics::Impl::RenderSamples(const Observer::Counts& counts) {
  CountTo("berth_samples_taken_total", "Samples taken", Number(counts.taken));
  CountTo("berth_samples_left_out_total", "Samples not later than what came before",
          Number(counts.left_out));
  CountTo("berth_prometheus_polls_total", "Times that Prometheus was asked for samples",
          Number(counts.polled.polls));
  CountTo("berth_prometheus_failures_total", "Of them, that it did not answer",
          Number(counts.polled.polls_failed));
  CountTo("berth_prometheus_series_refused_total", "Series of nobody that there is",
          Number(counts.polled.series_refused));
  CountTo("berth_samples_save_failures_total", "Times that samples could not be saved",
          Number(counts.saves_failed));
}

void Metrics::Impl::RenderSizing(const Sizer& sizer) {
  const Sizer::Counts counts = sizer.counts();
  Set("berth_sizing_followed", "Services times types whose usage is followed",
      Number(counts.followed));
  CountTo("berth_sizing_not_followed_total", "Times that one more could not be followed",
          Number(counts.not_followed));
  CountTo("berth_sizing_samples_total", "Samples that recommenders are told of",
          Number(counts.samples));
  CountTo("berth_sizing_samples_late_total", "Samples that came after their window was closed",
          Number(counts.late));
  CountTo("berth_sizing_out_of_memory_total", "Kills that recommenders were told of",
          Number(counts.out_of_memory));
  CountTo("berth_sizing_resizes_total", "Times that limits were set as recommended",
          Number(counts.resizes));
  CountTo("berth_sizing_refused_total", "Times that there was no room for that, or it failed",
          Number(counts.refused));
  CountTo("berth_sizing_held_back_total", "Times that the limits on disruption put it off",
          Number(counts.held_back));
  const Sizer::Slack slack = sizer.slack();
  for (const Resource r : kSizedResources) {
    const Label resource = {{"resource", std::string(ResourceName(r))}};
    Set("berth_sizing_limits", "Limits of the instances whose usage is followed",
        static_cast<double>(slack.limits[r]), resource);
    Set("berth_sizing_used", "What they used in the last five minutes of each service",
        static_cast<double>(slack.used[r]), resource);
  }
  const std::optional<Sizer::Rollout> rollout = sizer.rollout();
  if (!rollout) return;
  Set("berth_sizing_rolled_back", "Whether the roll-out was ended for what came of it",
      rollout->state.rolled_back.empty() ? 0 : 1);
  const auto arm = [&](const std::string& name, const ArmTally& tally) {
    const Label label = {{"arm", name}};
    CountTo("berth_sizing_arm_windows_total", "Instances times windows, by arm of a roll-out",
            Number(tally.instance_windows), label);
    CountTo("berth_sizing_arm_out_of_memory_total", "Kills in them", Number(tally.out_of_memory),
            label);
    CountTo("berth_sizing_arm_overruns_total", "Of them, with a sample above the limit",
            Number(tally.overruns), label);
  };
  arm(rollout->rollout.name, rollout->state.candidate);
  arm("control", rollout->state.control);
}

void Metrics::Impl::RenderScaling(const Replicator& replicator) {
  const Replicator::Counts counts = replicator.counts();
  Set("berth_scaling_followed", "Services whose load is followed", Number(counts.followed));
  CountTo("berth_scaling_not_followed_total", "Times that one more could not be followed",
          Number(counts.not_followed));
  CountTo("berth_scaling_samples_total", "Samples that scalers are told of",
          Number(counts.samples));
  CountTo("berth_scaling_samples_late_total", "Samples too old to say what is used now",
          Number(counts.late));
  CountTo("berth_scaling_grown_total", "Times that replicas were added as recommended",
          Number(counts.grown));
  CountTo("berth_scaling_shrunk_total", "Times that replicas were taken away as recommended",
          Number(counts.shrunk));
  CountTo("berth_scaling_refused_total", "Times that there was no room for one more, or it failed",
          Number(counts.refused));
  CountTo("berth_scaling_held_back_total", "Times that the limits on disruption put it off",
          Number(counts.held_back));
  Set("berth_scaling_replicas", "Replicas of services for which a count is recommended",
      Number(counts.replicas));
  Set("berth_scaling_wanted", "Those counts", Number(counts.wanted));
}

void Metrics::Impl::RenderPlans(const Planner::Counts& counts) {
  Set("berth_plan_applications", "Applications that are scaled by plans",
      Number(counts.applications));
  Set("berth_plan_troubled", "Of them, those for which none can be made", Number(counts.troubled));
  CountTo("berth_plan_made_total", "Plans that were made", Number(counts.plans));
}

void Metrics::Impl::RenderPrograms(const LivePrograms& programs) {
  for (const auto& [name, program] : programs.all()) {
    const Label label = {{"program", name}};
    const LiveProgram::Counts& counts = program->counts();
    CountTo("berth_program_answers_total", "Lines that a program answered", Number(counts.answers),
            label);
    CountTo("berth_program_failures_total",
            "Times that it ended, took too long or answered nonsense", Number(counts.failures),
            label);
    CountTo("berth_program_left_out_total", "Lines that it was not asked, having failed before",
            Number(counts.left_out), label);
    CountTo("berth_program_dropped_total", "Lines that it was not asked, as too many waited",
            Number(counts.dropped), label);
    Set("berth_program_waiting", "Lines that wait for it", Number(counts.waiting), label);
  }
}

std::string Metrics::Render(Zone& zone, std::uint64_t in_flight) {
  const EngineStats stats = zone.engine().stats();
  const PackingState packing = MeasurePacking(zone.view());
  impl_->Set("berth_calls_in_flight", "Calls let in and not answered", Number(in_flight));
  impl_->RenderDecisions(stats);
  impl_->RenderArms(zone.engine().arms());
  impl_->RenderStore(zone.store().stats(), zone.view().revision());
  impl_->RenderClasses(zone.view());
  impl_->RenderLevels(zone.view(), zone.decides().now());
  impl_->RenderScheduler(stats);
  impl_->RenderSamples(zone.observer().counts());
  impl_->RenderSizing(zone.engine().sizer());
  impl_->RenderScaling(zone.engine().replicator());
  impl_->RenderPlans(zone.planner().counts());
  impl_->RenderDemand(zone);
  impl_->RenderPrograms(zone.programs());
  impl_->Set("berth_instances_pending", "Instances that wait for room", Number(stats.pending));
  impl_->CountTo("berth_instances_reallocated_total",
                 "Instances moved off machines that failed or left", Number(stats.reallocated));
  impl_->CountTo("berth_disruptions_held_back_total",
                 "Moves put off by the policy's limits on disruption", Number(stats.held_back));
  impl_->CountTo("berth_violations_resolved_total",
                 "Machines off which instances were moved to end a violation",
                 Number(stats.violations));
  impl_->CountTo("berth_violation_moves_total", "Instances moved to end a violation",
                 Number(stats.resolving_moves));
  impl_->CountTo("berth_room_making_moves_total",
                 "Instances moved so that one that waits finds room",
                 Number(stats.room_making_moves));
  impl_->Set("berth_packing_density", "Cores allocated on machines in use, of their cores",
             packing.Density());
  impl_->Set("berth_cores_allocated_share", "Cores allocated, of all", packing.Utilisation());
  return prometheus::TextSerializer().Serialize(impl_->registry.Collect());
}

}  // namespace berth
