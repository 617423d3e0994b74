#include "sim/scaling/rehearse_scaling.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <utility>

#include "base/text.h"
#include "scale/replica_advisor.h"
#include "scale/shared_cpu.h"
#include "usage/window.h"

namespace berth {
namespace {

// The replicas of a service: those that answer, and when the others will.
class ReplicaSet {
 public:
  explicit ReplicaSet(std::uint32_t answering) : answering_(answering) {}

  void MoveTo(Time now) {
    while (!starting_.empty() && starting_.front().ready <= now) {
      answering_ += starting_.front().count;
      starting_.pop_front();
    }
  }
  void SetCount(std::uint32_t count, Time ready) {
    const std::uint32_t now = replicas();
    if (count > now) starting_.push_back({ready, count - now});
    std::uint32_t fewer = now - std::min(now, count);
    // Who does not work yet goes first, the newest of them before the others.
    while (fewer > 0 && !starting_.empty()) {
      const std::uint32_t gone = std::min(fewer, starting_.back().count);
      starting_.back().count -= gone;
      fewer -= gone;
      if (starting_.back().count == 0) starting_.pop_back();
    }
    answering_ -= fewer;
  }

  std::uint32_t answering() const { return answering_; }
  std::uint32_t starting() const {
    std::uint32_t all = 0;
    for (const Starting& each : starting_) all += each.count;
    return all;
  }
  std::uint32_t replicas() const { return answering_ + starting(); }

 private:
  struct Starting {
    Time ready;
    std::uint32_t count = 0;
  };
  std::uint32_t answering_;
  std::deque<Starting> starting_;
};

// The limit of cpu, set anew every five minutes from what the replicas used.
class SizedReplicas {
 public:
  explicit SizedReplicas(const ScalingRehearsal& rehearsal)
      : limit_(rehearsal.scaling.basis.reference_milli) {
    if (!rehearsal.recommender) return;
    recommender_ = rehearsal.recommender->make({.resource = Resource::kCpu, .request = limit_});
    if (rehearsal.utilisation_of == UtilisationBasis::kReference) {
      bounds_ = BoundsBesideScaler({}, rehearsal.scaling);
    }
    bounds_.min = std::max<std::int64_t>(1, bounds_.min.value_or(1));
  }

  void Note(Time at, double used_milli, std::uint32_t answering) {
    if (!recommender_) return;
    if (!samples_.empty() && WindowOf(at) != window_) CloseWindow();
    window_ = WindowOf(at);
    const double each = used_milli / std::max(1U, answering);
    samples_.insert(samples_.end(), answering, static_cast<float>(each));
  }
  std::int64_t limit() const { return limit_; }

 private:
  void CloseWindow() {
    WindowHistogram histogram;
    for (const float sample : samples_) {
      histogram.Add(Buckets::Of(Resource::kCpu).Find(sample));
    }
    recommender_->Observe(
        {.end = window_ + kWindowLength, .samples = samples_, .histogram = histogram});
    samples_.clear();
    const std::optional<SizeAdvice> advice = recommender_->Recommend();
    if (advice) limit_ = ApplyBounds(Resource::kCpu, *advice, limit_, bounds_).advice.target;
  }

  std::unique_ptr<Recommender> recommender_;
  SizeBounds bounds_;
  std::int64_t limit_;
  Time window_;
  std::vector<float> samples_;
};

Result<ReplicaAdvisor> AdvisorOf(const ScalingRehearsal& rehearsal) {
  if (!rehearsal.program) return ReplicaAdvisor::Make(rehearsal.scaling);
  return ReplicaAdvisor::Around(NewExternalScaler(rehearsal.program, rehearsal.scaling.basis),
                                rehearsal.scaling);
}

Status CheckMetrics(const ServiceLoad& load, const ReplicaAdvisor& advisor) {
  for (const std::string& name : advisor.Metrics()) {
    if (std::ranges::find(load.metrics, name) != load.metrics.end()) continue;
    return {Code::kInvalidArgument,
            fmt::format("the load has no column {}, which the scaler's expression names; add it, "
                        "or use cpu_milli or replicas",
                        Quoted(name))};
  }
  return {};
}

std::vector<NamedMetric> MetricsOf(const ServiceLoad& load, const LoadRow& row) {
  std::vector<NamedMetric> metrics;
  metrics.reserve(row.metrics.size());
  for (std::size_t i = 0; i < row.metrics.size(); ++i) {
    if (!std::isnan(row.metrics[i])) metrics.push_back({load.metrics[i], row.metrics[i]});
  }
  return metrics;
}

}  // namespace

Result<ScalingOutcome> RehearseScaling(const ServiceLoad& load, const ScalingRehearsal& rehearsal) {
  const ScalerBasis& basis = rehearsal.scaling.basis;
  BERTH_TRY(ReplicaAdvisor advisor, AdvisorOf(rehearsal));
  BERTH_RETURN_IF_ERROR(CheckMetrics(load, advisor));
  ReplicaSet replicas(std::clamp(basis.replicas, rehearsal.scaling.min, rehearsal.scaling.max));
  SizedReplicas sized(rehearsal);
  ScalingOutcome outcome;
  outcome.steps.reserve(load.rows.size());
  double cpu = 0;
  for (const LoadRow& row : load.rows) {
    cpu = row.cpu_milli.value_or(cpu);
    replicas.MoveTo(row.at);
    const double limit = static_cast<double>(sized.limit());
    const double used = std::min(cpu, limit * replicas.answering());
    const double measured = rehearsal.utilisation_of == UtilisationBasis::kReference
                                ? used
                                : used * static_cast<double>(basis.reference_milli) / limit;
    const std::vector<NamedMetric> metrics = MetricsOf(load, row);
    advisor.Observe({.at = row.at,
                     .replicas = replicas.replicas(),
                     .starting = replicas.starting(),
                     .unmeasured = row.cpu_milli ? 0 : replicas.answering(),
                     .cpu_milli = row.cpu_milli ? measured : 0,
                     .metrics = metrics});
    if (row.cpu_milli) sized.Note(row.at, used, replicas.answering());
    if (advisor.advice()) {
      replicas.SetCount(advisor.advice()->count, row.at + rehearsal.start_up);
    }
    outcome.steps.push_back(
        {.at = row.at,
         .load_milli = cpu,
         .replicas = replicas.replicas(),
         .answering = replicas.answering(),
         .needed = WholeReplicas(cpu / (basis.target * static_cast<double>(basis.reference_milli))),
         .limit_milli = sized.limit()});
  }
  if (advisor.advice()) outcome.why = advisor.advice()->why;
  return outcome;
}

ScalingTotals SumUp(const std::vector<ScalingStep>& steps) {
  ScalingTotals totals;
  double seconds = 0;
  double load = 0;
  double not_needed = 0;
  std::uint64_t changes = 0;
  for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
    const ScalingStep& step = steps[i];
    const double lasts = std::chrono::duration<double>(steps[i + 1].at - step.at).count();
    const double power = static_cast<double>(step.limit_milli) * step.answering;
    seconds += lasts;
    load += step.load_milli * lasts;
    totals.replicas_mean += step.replicas * lasts;
    totals.unserved += std::max(0.0, step.load_milli - power) * lasts;
    if (step.answering < step.needed) totals.time_short += lasts;
    not_needed += (step.replicas - std::min(step.replicas, step.needed)) * lasts;
    if (steps[i + 1].replicas != step.replicas) ++changes;
  }
  totals.over = totals.replicas_mean == 0 ? 0 : not_needed / totals.replicas_mean;
  totals.replicas_mean /= seconds;
  totals.unserved = load == 0 ? 0 : totals.unserved / load;
  totals.time_short /= seconds;
  totals.changes_a_day = static_cast<double>(changes) * 86'400 / seconds;
  return totals;
}

}  // namespace berth
