#include "sim/packing.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/virtual_executor.h"
#include "berth/check.h"
#include "fleet/inventory.h"
#include "sim/digest.h"
#include "store/memory_store.h"

namespace berth {
namespace {

// Nobody asks a rehearsal for old decisions, so only enough of the log is kept for agents to
// follow.
constexpr LogRetention kShortLog{.age = std::chrono::hours(24 * 365), .revisions = 10'000};

class PackingRun {
 public:
  PackingRun(const FleetFile& fleet, Trace& trace, const PackingOptions& options,
             const std::function<void(Time)>& progress)
      : fleet_(fleet),
        trace_(trace),
        options_(options),
        progress_(progress),
        store_(kShortLog),
        engine_(store_, executor_,
                {.agents = options.agents, .name = "a", .default_policy = options.policy}) {}

  Result<PackingResult> Run() {
    BERTH_RETURN_IF_ERROR(Load());
    ReadNext();
    executor_.PostAt(Time() + options_.sample_every, [this] { Sample(); });
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
    for (const MachineState& machine : engine_.view().machines()) {
      if (machine.vacant()) continue;
      ++result_.machines;
      cores_milli_ += machine.record.capacity[Resource::kCpu];
      memory_ += static_cast<double>(machine.record.capacity[Resource::kMemory]);
    }
    result_.cores = static_cast<std::uint64_t>(cores_milli_ / 1000);
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

  // Reads one arrival ahead, so that the trace is streamed and never held.
  void ReadNext() {
    Result<std::optional<Arrival>> next = trace_.Next();
    if (!next.ok()) {
      failure_ = next.status();
      done_ = true;
      return;
    }
    if (!next.value() || (options_.until && next.value()->at - Time() > *options_.until)) {
      done_ = true;
      return;
    }
    const Time at = next.value()->at;
    executor_.PostAt(at, [this, arrival = std::move(*next.value())] {
      Arrive(arrival);
      ReadNext();
    });
  }

  void Arrive(const Arrival& arrival) {
    if (tenants_.insert(arrival.service.tenant).second &&
        engine_.view().Find(arrival.service.tenant) == nullptr) {
      ChangeFleet tenant{.put = {Tenant{.name = arrival.service.tenant, .quota = std::nullopt}},
                         .remove = {}};
      engine_.Submit({.what = std::move(tenant)},
                     [this, arrival](const Reply&) { Create(arrival); });
    } else {
      Create(arrival);
    }
  }

  void Create(const Arrival& arrival) {
    engine_.Submit({.what = CreateService{arrival.service}},
                   [this, arrival](const Reply& reply) { OnReply(arrival, reply); });
  }

  void OnReply(const Arrival& arrival, const Reply& reply) {
    ++result_.requests;
    if (!reply.status.ok()) {
      ++result_.refusals["invalid: " + reply.status.message()];
      ++refused_;
      return;
    }
    const Decision& decision = *reply.decision;
    digest_.Add(decision);
    Count(decision);
    if (!reply.accepted()) {
      ++result_.refusals[decision.refusal->rule.str()];
      ++refused_;
      return;
    }
    ++result_.accepted;
    result_.instances += decision.placed.size();
    if (!arrival.lifetime) return;
    executor_.PostAt(executor_.now() + *arrival.lifetime, [this, name = arrival.service.name] {
      if (done_) return;
      ++result_.departures;
      engine_.Submit({.what = DeleteService{name}},
                     [](const Reply& deleted) { BERTH_CHECK(deleted.accepted()); });
    });
  }

  void Count(const Decision& decision) {
    for (const Funnel& funnel : decision.funnels) {
      double before = funnel.machines;
      for (const FunnelStep& step : funnel.steps) {
        auto at = std::ranges::find(result_.rules, step.rule.str(), &RuleEffect::rule);
        if (at == result_.rules.end()) {
          result_.rules.push_back({.rule = step.rule.str(), .validator = step.validator});
          at = result_.rules.end() - 1;
        }
        if (before <= 0) continue;
        ++at->asked;
        at->kept += step.left / before;
        before = step.left;
      }
    }
  }

  void Sample() {
    const Inventory& view = engine_.view();
    PackingSample sample{.at = executor_.now()};
    std::int64_t allocated = 0;
    std::int64_t in_use = 0;
    double memory = 0;
    for (const MachineState& machine : view.machines()) {
      if (machine.vacant() || machine.instances.empty()) continue;
      ++sample.machines_in_use;
      sample.instances += machine.instances.size();
      allocated += machine.allocated[Resource::kCpu];
      in_use += machine.record.capacity[Resource::kCpu];
      memory += static_cast<double>(machine.allocated[Resource::kMemory]);
    }
    const auto share = [](double part, double whole) { return whole > 0 ? part / whole : 0.0; };
    sample.utilisation = share(static_cast<double>(allocated), static_cast<double>(cores_milli_));
    sample.density = share(static_cast<double>(allocated), static_cast<double>(in_use));
    sample.memory = share(memory, memory_);
    sample.waiting = engine_.stats().pending;
    sample.requests = result_.requests;
    sample.refused = refused_;
    result_.samples.push_back(sample);
    if (progress_) progress_(sample.at);
    if (!done_) executor_.PostAt(executor_.now() + options_.sample_every, [this] { Sample(); });
  }

  void Summarise() {
    for (RuleEffect& effect : result_.rules) {
      if (effect.asked > 0) effect.kept /= static_cast<double>(effect.asked);
    }
    for (const PackingSample& sample : result_.samples) {
      result_.mean_utilisation += sample.utilisation;
      result_.mean_density += sample.density;
      result_.peak_utilisation = std::max(result_.peak_utilisation, sample.utilisation);
    }
    if (!result_.samples.empty()) {
      result_.mean_utilisation /= static_cast<double>(result_.samples.size());
      result_.mean_density /= static_cast<double>(result_.samples.size());
    }
    result_.engine = engine_.stats();
    result_.notes = trace_.Notes();
    result_.unseed = digest_.value();
  }

  const FleetFile& fleet_;
  Trace& trace_;
  const PackingOptions& options_;
  const std::function<void(Time)>& progress_;
  VirtualExecutor executor_;
  MemoryStore store_;
  Engine engine_;
  PackingResult result_;
  std::unordered_set<TenantId> tenants_;
  std::uint64_t refused_ = 0;
  std::int64_t cores_milli_ = 0;
  double memory_ = 0;
  Digest digest_;
  Status failure_;
  bool done_ = false;  // The trace has ended; what still runs is let be.
};

}  // namespace

Result<PackingResult> SimulatePacking(const FleetFile& fleet, Trace& trace,
                                      const PackingOptions& options,
                                      const std::function<void(Time)>& progress) {
  return PackingRun(fleet, trace, options, progress).Run();
}

}  // namespace berth
