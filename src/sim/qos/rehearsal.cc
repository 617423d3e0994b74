#include "sim/qos/rehearsal.h"

#include <algorithm>
#include <limits>

#include "berth/check.h"
#include "berth/rng.h"
#include "qos/kind_scheduler.h"
#include "qos/promise_ledger.h"
#include "sim/digest.h"
#include "sim/qos/completion_queue.h"
#include "sim/qos/host_attributes.h"
#include "sim/qos/interval_sampler.h"

namespace berth {
namespace {

constexpr Time kNever = Time::max();

class QosRehearsal {
 public:
  QosRehearsal(const std::vector<QosHost>& hosts, QosWorkload& workload, const QosOptions& options,
               NewScheduler new_scheduler)
      : options_(options),
        workload_(workload),
        attributes_(hosts),
        scheduler_(new_scheduler(
            {.classes = TermsOf(options.classes), .allocation_time = options.allocation_time},
            attributes_)),
        rng_(Rng(options.seed).Fork("allocations")),
        sampler_(options.classes, options.keep_fairness) {
    for (const QosHost& host : hosts) {
      scheduler_->AddHost(host.capacity);
      ledger_.AddCapacity(host.capacity);
    }
    for (const QosOutage& outage : options.outages) {
      host_events_.push_back({outage.from, outage.host, false});
      host_events_.push_back({outage.until, outage.host, true});
    }
    std::ranges::stable_sort(host_events_, {}, &HostEvent::at);
    result_.classes.resize(options.classes.size());
  }

  Result<QosResult> Run(const std::function<void(Time)>& progress) {
    BERTH_TRY(next_request_, workload_.Next());
    const Time end = options_.until.value_or(kNever);
    for (;;) {
      const Time at = NextEventAt();
      if (at == kNever || at > end) break;
      SampleUntil(at);
      now_ = at;
      BERTH_RETURN_IF_ERROR(Happen());
      Pass();
      if (result_.passes % 1024 == 0) progress(now_);
    }
    Finish(end == kNever ? now_ : end);
    return std::move(result_);
  }

 private:
  // What the scheduler does not know of a request.
  struct Job {
    std::uint64_t number = 0;  // Of arrival.
    Duration left{};           // What it must still run.
    Duration duration{};
    Duration allocation{};  // Of the present start.
    Time started;
    bool running = false;
    std::vector<HostIndex> warm;  // Where it ran before.
  };
  struct HostEvent {
    Time at;
    std::uint32_t host = 0;
    bool comes_back = false;
  };

  Job& JobOf(RequestIndex request) { return jobs_[ToNumber(request)]; }

  Time NextEventAt() const {
    Time at = next_request_ ? next_request_->at : kNever;
    if (!completions_.empty()) at = std::min(at, completions_.NextAt());
    if (next_host_event_ < host_events_.size() && (at != kNever || scheduler_->waiting() > 0))
      at = std::min(at, host_events_[next_host_event_].at);
    // With nothing else to come, those that wait would wait for ever.
    if (at == kNever || scheduler_->waiting() == 0) return at;
    return std::min(at, last_pass_ + options_.watchdog);
  }

  Status Happen() {
    for (; !completions_.empty() && completions_.NextAt() == now_; ++result_.events) Complete();
    for (; next_host_event_ < host_events_.size() && host_events_[next_host_event_].at <= now_;
         ++result_.events)
      SwitchHost(host_events_[next_host_event_++]);
    for (; next_request_ && next_request_->at == now_; ++result_.events) {
      Arrive(*next_request_);
      BERTH_TRY(next_request_, workload_.Next());
    }
    return {};
  }

  void Arrive(const QosRequest& request) {
    const std::uint32_t target_ppm = options_.classes[request.klass].availability_ppm;
    const Promised asked = Promised().Add(request.demand, target_ppm);
    const bool refused = options_.admission && ledger_.FirstTooMuch(asked).has_value();
    if (options_.keep_availabilities) {
      result_.availabilities.push_back(refused ? std::numeric_limits<float>::quiet_NaN() : 0);
      result_.class_of.push_back(static_cast<std::uint8_t>(request.klass));
    }
    if (refused) {
      ++result_.classes[request.klass].refused;
    } else {
      ledger_.Promise(asked);
      Admit(request);
    }
    ++arrived_;
  }

  void Admit(const QosRequest& request) {
    const Want want{.demand = request.demand,
                    .klass = request.klass,
                    .constraint = attributes_.WordFor(request.constraints),
                    .group = request.apart ? static_cast<std::uint32_t>(request.job) : kNoGroup};
    const RequestIndex index = scheduler_->Admit(want, now_);
    if (jobs_.size() <= ToNumber(index)) jobs_.resize(ToNumber(index) + 1);
    Job& job = JobOf(index);
    job = {};
    job.number = arrived_;
    job.left = job.duration = request.duration;
    result_.alive_peak = std::max(result_.alive_peak, ++alive_);
  }

  void Complete() {
    const RequestIndex index = completions_.Pop();
    Account(index);
    const RequestAccount& account = scheduler_->requests()[index];
    sampler_.Ended(account.want.klass, account.At(now_));
    ledger_.Release(
        Promised().Add(account.want.demand, options_.classes[account.want.klass].availability_ppm));
    scheduler_->Complete(index);
    --alive_;
  }

  // What became of it, as it stands now.
  void Account(RequestIndex index) {
    const RequestAccount& account = scheduler_->requests()[index];
    const ServiceClass& klass = options_.classes[account.want.klass];
    const Delivered delivered = account.At(now_);
    const Job& job = JobOf(index);
    const double availability = Availability(delivered);
    QosClassOutcome& outcome = result_.classes[account.want.klass];
    ++outcome.requests;
    outcome.fulfilled += Fulfils(delivered, klass.availability_ppm) ? 1U : 0U;
    outcome.preemptions += account.preemptions;
    outcome.availability_sum += availability;
    outcome.availability_least = std::min(outcome.availability_least, availability);
    outcome.deficit_sum += QosDeficit(delivered, klass.availability_ppm);
    const double cpus = static_cast<double>(account.want.demand[Resource::kCpu]) / kQosShareParts;
    outcome.penalty_cpu_hours += Penalty(klass, delivered, job.duration, cpus);
    if (options_.keep_availabilities)
      result_.availabilities[job.number] = static_cast<float>(availability);
  }

  void Stop(RequestIndex index) {
    Job& job = JobOf(index);
    job.running = false;
    job.left -= std::max(Duration(), now_ - job.started - job.allocation);
    completions_.Remove(index);
  }

  void SwitchHost(const HostEvent& event) {
    const HostIndex host{event.host};
    if (event.comes_back) {
      ledger_.AddCapacity(scheduler_->host(host).capacity);
      scheduler_->RecoverHost(host);
      return;
    }
    ledger_.RemoveCapacity(scheduler_->host(host).capacity);
    for (const RequestIndex index : scheduler_->host(host).running) Stop(index);
    scheduler_->LoseHost(host, now_);
  }

  void Start(RequestIndex index) {
    Job& job = JobOf(index);
    job.running = true;
    const HostIndex host = scheduler_->requests()[index].host;
    const bool hot = std::ranges::find(job.warm, host) != job.warm.end();
    if (!hot) job.warm.push_back(host);
    const std::vector<Duration>& takes = hot ? options_.hot : options_.cold;
    job.allocation = takes.size() == 1 ? takes[0] : takes[rng_.Below(takes.size())];
    job.started = now_;
    scheduler_->SetAllocation(index, job.allocation, now_);
    completions_.Put(index, now_ + job.allocation + job.left);
  }

  void Pass() {
    const PassOutcome& decisions = scheduler_->Pass(now_);
    last_pass_ = now_;
    ++result_.passes;
    result_.placements += decisions.grants.size();
    result_.waiting_peak = std::max(result_.waiting_peak, scheduler_->waiting());
    for (const Grant& grant : decisions.grants) {
      digest_.Add(JobOf(grant.request).number);
      digest_.Add(ToNumber(grant.host));
      for (const Victim& victim : decisions.VictimsOf(grant)) {
        digest_.Add(JobOf(victim.request).number);
        // One that was placed in this very pass never began.
        if (JobOf(victim.request).running) Stop(victim.request);
      }
    }
    for (const Grant& grant : decisions.grants) {
      if (scheduler_->requests()[grant.request].placed) Start(grant.request);
    }
  }

  void SampleUntil(Time at) {
    while (sampler_.NextAt() <= at && (alive_ > 0 || sampler_.AnyEnded())) {
      result_.intervals.push_back(sampler_.Sample(scheduler_->requests()));
    }
    sampler_.SkipTo(at, result_.intervals);
  }

  void Finish(Time end) {
    SampleUntil(end);
    now_ = end;
    const RequestTable& requests = scheduler_->requests();
    for (std::uint32_t i = 0; i < requests.size(); ++i) {
      if (!requests[RequestIndex{i}].alive) continue;
      Account(RequestIndex{i});
      ++result_.unfinished;
    }
    result_.end = end;
    result_.unseed = digest_.value();
  }

  const QosOptions& options_;
  QosWorkload& workload_;
  HostAttributes attributes_;
  std::unique_ptr<Scheduler> scheduler_;
  Rng rng_;
  IntervalSampler sampler_;
  PromiseLedger ledger_;
  CompletionQueue completions_;
  std::vector<HostEvent> host_events_;
  std::size_t next_host_event_ = 0;
  std::optional<QosRequest> next_request_;
  std::vector<Job> jobs_;
  std::uint64_t arrived_ = 0;
  std::uint64_t alive_ = 0;
  Time now_;
  Time last_pass_;
  Digest digest_;
  QosResult result_;
};

}  // namespace

NewScheduler FindScheduler(std::string_view name) {
  if (name == "qos") return NewQosScheduler;
  if (name == "priority") return NewPriorityScheduler;
  return nullptr;
}

Result<QosResult> RehearseQos(const std::vector<QosHost>& hosts, QosWorkload& workload,
                              const QosOptions& options, NewScheduler new_scheduler,
                              const std::function<void(Time)>& progress) {
  BERTH_CHECK(!options.hot.empty() && !options.cold.empty() && options.watchdog > Duration());
  return QosRehearsal(hosts, workload, options, new_scheduler).Run(progress);
}

}  // namespace berth
