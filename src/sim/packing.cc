#include "sim/packing.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/document.h"
#include "base/virtual_executor.h"
#include "berth/check.h"
#include "fleet/inventory.h"
#include "fleet/packing_state.h"
#include "sim/digest.h"
#include "sim/distant_store.h"
#include "store/memory_store.h"

namespace berth {
namespace {

// Nobody asks a rehearsal for old decisions, so only enough of the log is kept for agents to
// follow.
constexpr LogRetention kPackingLog{.age = std::chrono::hours(24 * 365), .revisions = 10'000};

struct KnownTenant {
  bool known = false;                   // To the store and all agents.
  std::vector<Executor::Task> waiting;  // For that.
};

class PackingRun {
 public:
  PackingRun(const FleetFile& fleet, Trace& trace, const PackingOptions& options,
             const std::function<void(Time)>& progress)
      : fleet_(fleet),
        trace_(trace),
        options_(options),
        progress_(progress),
        store_(kPackingLog, Inventory(),
               options.merge ? StalePlacements::kMerge : StalePlacements::kConflict),
        distant_(store_, executor_,
                 [this](const CommitReply& reply) { metrics_.NoteCommit(executor_.now(), reply); }),
        thinking_(options.latency, Rng(options.seed).Fork("thinking")),
        engine_(distant_, executor_,
                {.agents = options.agents,
                 .name = "a",
                 .default_policy = options.policy,
                 .refresh_when_idle = options.refresh_when_idle,
                 .thinking = [this](bool hit) { return Think(hit); }}) {}

  Result<PackingResult> Run() {
    BERTH_RETURN_IF_ERROR(Load());
    ReadNext();
    executor_.RunUntilIdle();
    BERTH_RETURN_IF_ERROR(failure_);
    Summarise();
    return std::move(result_);
  }

 private:
  Status Load() {
    Status status;
    for (ChangeSet& change : ToChanges(fleet_)) Commit(std::move(change), status);
    ChangeSet types;
    for (const InstanceType& type : trace_.Types()) types.operations.emplace_back(Put{type});
    if (!types.operations.empty()) Commit(std::move(types), status);
    engine_.Start([&](const Status& ready) {
      if (status.ok()) status = ready;
    });
    executor_.RunUntilIdle();
    bound_.emplace(engine_.view());
    const PackingState fleet = MeasurePacking(engine_.view());
    result_.machines = fleet.machines;
    result_.cores = static_cast<std::uint64_t>(fleet.all_millicores() / 1000);
    return status;
  }

  void Commit(ChangeSet change, Status& status) {
    change.seen = Revision{UINT64_MAX};  // A fresh store: nothing can have changed.
    store_.Commit(std::move(change), executor_, [&](const CommitReply& reply) {
      if (reply.outcome == CommitReply::Outcome::kCommitted || !status.ok()) return;
      status =
          reply.violation ? Status(Code::kInvalidArgument, reply.violation->because) : reply.status;
    });
    executor_.RunUntilIdle();
  }

  // From the trace's time to the rehearsal's.
  Duration Sped(Duration duration) const {
    return duration / static_cast<Duration::rep>(options_.speed_up);
  }

  // Reads one arrival ahead, so that the trace is streamed and never held.
  void ReadNext() {
    Result<std::optional<Arrival>> next = trace_.Next();
    if (!next.ok()) failure_ = next.status();
    if (!next.ok() || !next.value() ||
        (options_.until && next.value()->at - Time() > *options_.until)) {
      done_ = true;
      StartClock();
      return;
    }
    Arrival& arrival = *next.value();
    // What is there at time zero ran before: it is placed one after another, in no time.
    if (arrival.at == Time()) {
      return Arrive(std::move(arrival), [this] { ReadNext(); });
    }
    StartClock();
    const Time at = Time() + Sped(arrival.at - Time());
    executor_.PostAt(at, [this, arrival = std::move(arrival)] {
      Arrive(arrival, nullptr);
      ReadNext();
    });
  }

  void StartClock() {
    if (std::exchange(clock_runs_, true)) return;
    distant_.SetDistance(options_.latency.commit);
    executor_.PostAt(Time() + Sped(options_.sample_every), [this] { Sample(); });
    executor_.PostAt(Time() + Sped(options_.warm_up),
                     [this] { metrics_.BeginTiming(executor_.now(), engine_); });
  }

  Duration Think(bool hit) { return clock_runs_ ? thinking_.Next(hit) : Duration(); }

  // A new tenant is made known first; whoever else of it comes meanwhile waits for that too.
  void Arrive(Arrival arrival, std::function<void()> then) {
    const TenantId name = arrival.service.tenant;
    const auto [tenant, fresh] = tenants_.try_emplace(name);
    if (fresh) tenant->second.known = engine_.view().Find(name) != nullptr;
    if (tenant->second.known) return Create(std::move(arrival), std::move(then));
    tenant->second.waiting.push_back(
        [this, arrival = std::move(arrival), then = std::move(then)] { Create(arrival, then); });
    if (!fresh) return;
    ChangeFleet put{.put = {Tenant{.name = name, .quota = std::nullopt}}, .remove = {}};
    engine_.Submit({.what = std::move(put)}, [&waits = tenant->second](const Reply&) {
      waits.known = true;
      for (const Executor::Task& create : std::exchange(waits.waiting, {})) create();
    });
  }

  void Create(Arrival arrival, std::function<void()> then) {
    CreateService create{arrival.service};
    engine_.Submit({.what = std::move(create)},
                   [this, arrival = std::move(arrival), then = std::move(then),
                    asked_at = executor_.now()](const Reply& reply) {
                     OnReply(arrival, asked_at, reply);
                     if (then) then();
                   });
  }

  void OnReply(const Arrival& arrival, Time asked_at, const Reply& reply) {
    answered_at_ = executor_.now();
    if (reply.decision) digest_.Add(*reply.decision);
    if (arrival.at - Time() >= options_.warm_up) {
      metrics_.NoteReply(reply, MillicoresOf(arrival.service));
      if (arrival.at > Time()) metrics_.NoteTime(asked_at, executor_.now(), reply);
    }
    if (!reply.accepted() || !arrival.lifetime) return;
    executor_.PostAt(
        executor_.now() + Sped(*arrival.lifetime), [this, name = arrival.service.name] {
          if (done_) return;
          ++result_.departures;
          engine_.Submit({.what = DeleteService{name}},
                         [](const Reply& deleted) { BERTH_CHECK(deleted.accepted()); });
        });
  }

  std::int64_t MillicoresOf(const Service& service) const {
    std::int64_t sum = 0;
    for (const InstanceGroup& group : service.groups) {
      const InstanceType* type = engine_.view().Find(group.type);
      if (type != nullptr) sum += group.count * type->size[Resource::kCpu];
    }
    return sum;
  }

  void Sample() {
    PackingSample sample = SamplePacking(engine_.view(), *bound_, executor_.now());
    const Requests& requests = metrics_.requests();
    sample.waiting = engine_.stats().pending;
    sample.requests = requests.asked;
    sample.refused = requests.asked - requests.accepted;
    result_.samples.push_back(sample);
    if (progress_) progress_(Time() + (sample.at - Time()) * options_.speed_up);
    if (done_) return;
    executor_.PostAt(executor_.now() + Sped(options_.sample_every), [this] { Sample(); });
  }

  PackingMeans Means() const {
    PackingMeans means;
    double samples = 0;
    for (const PackingSample& sample : result_.samples) {
      if (sample.at < Time() + Sped(options_.warm_up)) continue;
      ++samples;
      means.utilisation += sample.utilisation;
      means.peak_utilisation = std::max(means.peak_utilisation, sample.utilisation);
      means.density += sample.density;
      means.density_bound += sample.density_bound;
      means.machines_in_use += static_cast<double>(sample.machines_in_use);
      means.machines_bound += static_cast<double>(sample.machines_bound);
    }
    if (samples == 0) return means;
    for (double* sum : {&means.utilisation, &means.density, &means.density_bound,
                        &means.machines_in_use, &means.machines_bound}) {
      *sum /= samples;
    }
    return means;
  }

  void Summarise() {
    metrics_.End(answered_at_, engine_);
    result_.means = Means();
    result_.requests = metrics_.requests();
    result_.rules = metrics_.Rules();
    result_.contention = metrics_.contention();
    result_.cache = metrics_.cache();
    if (options_.latency.any()) {
      result_.times = {
          .micros = metrics_.micros(), .hits = thinking_.hits(), .misses = thinking_.misses()};
    }
    result_.notes = trace_.Notes();
    result_.unseed = digest_.value();
  }

  const FleetFile& fleet_;
  Trace& trace_;
  const PackingOptions& options_;
  const std::function<void(Time)>& progress_;
  VirtualExecutor executor_;
  MemoryStore store_;
  DistantStore distant_;
  ThinkingTime thinking_;
  PackingMetrics metrics_;
  Engine engine_;
  std::optional<VolumeBound> bound_;  // Of the fleet, whose machines stay as they are.
  PackingResult result_;
  std::map<TenantId, KnownTenant> tenants_;
  Time answered_at_;  // The last request.
  Digest digest_;
  Status failure_;
  bool clock_runs_ = false;  // What was there at time zero is placed.
  bool done_ = false;        // The trace has ended; what still runs is let be.
};

// A scheduler goes on for as long as anybody waits, so such a rehearsal would never end.
Status RefuseScheduler(const std::string& policy) {
  if (policy.empty()) return {};
  BERTH_TRY(const Document document, ParseDocument(policy, "policy"));
  const std::optional<Node> scheduler = document.root().Find("scheduler");
  if (!scheduler) return {};
  return scheduler->Error(
      "packing is rehearsed first come, first served; leave it out, or use berth simulate qos");
}

}  // namespace

Result<PackingResult> SimulatePacking(const FleetFile& fleet, Trace& trace,
                                      const PackingOptions& options,
                                      const std::function<void(Time)>& progress) {
  BERTH_RETURN_IF_ERROR(RefuseScheduler(options.policy));
  return PackingRun(fleet, trace, options, progress).Run();
}

}  // namespace berth
