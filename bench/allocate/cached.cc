// What an allocation costs an agent that keeps its evaluations, commit included, at 1,000 to
// 100,000 machines; against the same rules asked of every machine in one pass.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "allocate/agent.h"
#include "allocate/evaluate.h"
#include "base/quantiles.h"
#include "base/virtual_executor.h"
#include "bench/allocate/suites.h"
#include "bench/allocate/zone.h"
#include "bench/bar.h"
#include "berth/check.h"
#include "store/memory_store.h"

namespace berth {
namespace {

constexpr std::int64_t kFillPercent = 80;
constexpr std::size_t kLoadedAtOnce = 10'000;

using Clock = std::chrono::steady_clock;
double MicrosSince(Clock::time_point start) {
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

std::string ProductionPolicy() {
  const auto policies = ShippedPolicies();
  return std::string(std::ranges::find(policies, "production", &ShippedPolicyEntry::name)->text);
}

struct Cost {
  double median = 0;  // Microseconds an allocation,
  double p99 = 0;
  double rate = 0;  // and allocations a second, the departures between them included.
};

// One allocation, and what it found kept.
struct Sample {
  double micros = 0;
  std::uint64_t made = 0;     // Evaluations that were not there,
  std::uint64_t updated = 0;  // and machines in the others that had changed.
};

double Median(std::vector<double> values) {
  return values.empty() ? 0 : Quantile(std::move(values), 0.5);
}

// What keeping costs and saves: a request that finds all as it was, one that brings a machine up to
// date, one that makes an evaluation.
void PrintCosts(std::span<const Sample> samples) {
  constexpr std::uint64_t kMany = 100;
  std::vector<double> hit;
  std::vector<double> per_update;
  std::vector<double> per_made;
  for (const Sample& sample : samples) {
    if (sample.made == 0 && sample.updated <= 2) hit.push_back(sample.micros);
  }
  const double base = Median(hit);
  for (const Sample& sample : samples) {
    const double more = sample.micros - base;
    if (sample.made == 0 && sample.updated >= kMany) {
      per_update.push_back(more * 1e3 / static_cast<double>(sample.updated));
    }
    if (sample.made > 0) per_made.push_back(more / static_cast<double>(sample.made));
  }
  fmt::print(
      "  a hit {:.2f} us ({:.0f}% of the requests), a changed machine {:.0f} ns more, an "
      "evaluation made {:.0f} us more\n",
      base, 100.0 * static_cast<double>(hit.size()) / static_cast<double>(samples.size()),
      Median(std::move(per_update)), Median(std::move(per_made)));
}

// A zone with one agent over a memory store, filled and kept full.
class ZoneRun {
 public:
  ZoneRun(const ZoneShape& shape, std::uint32_t instances, const Constraints& constraints)
      : zone_(shape),
        requests_(shape, instances, constraints, Rng(1)),
        store_({.age = std::chrono::hours(1), .revisions = 1000}) {
    std::vector<Operation> operations;
    for (const Record& record : zone_.records()) {
      operations.emplace_back(Put{record});
      if (operations.size() == kLoadedAtOnce) Load(std::exchange(operations, {}));
    }
    Load(std::move(operations));
    agent_ = std::make_unique<Agent>(
        store_, executor_, Agent::Options{.name = "a0", .default_policy = ProductionPolicy()});
    agent_->Start([](const Status& status) { BERTH_CHECK(status.ok()); });
    executor_.RunUntilIdle();
    while (!full()) Arrive();
  }

  Cost Work(std::size_t allocations) {
    samples_.clear();
    samples_.reserve(allocations);
    const Clock::time_point start = Clock::now();
    while (samples_.size() < allocations) {
      const Kept::Work before = agent_->cache_work();
      const double micros = Arrive();
      const Kept::Work after = agent_->cache_work();
      samples_.push_back({.micros = micros,
                          .made = after.missed - before.missed,
                          .updated = after.machines - before.machines});
      while (full()) Depart();
    }
    const double seconds = MicrosSince(start) / 1e6;
    std::vector<double> micros;
    for (const Sample& sample : samples_) micros.push_back(sample.micros);
    std::ranges::sort(micros);
    return {.median = micros[micros.size() / 2],
            .p99 = micros[micros.size() * 99 / 100],
            .rate = static_cast<double>(allocations) / seconds};
  }

  const Agent& agent() const { return *agent_; }
  std::size_t running() const { return running_.size(); }
  std::uint64_t refused() const { return refused_; }
  std::span<const Sample> samples() const { return samples_; }
  Service NextRequest() { return requests_.Next(); }

  // What is freed when it goes.
  double AgentMegabytes() {
    const std::size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    agent_.reset();
    const std::size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    return static_cast<double>(before - after) / 1e6;
  }

 private:
  bool full() const { return used_ * 100 > zone_.millicores() * kFillPercent; }

  void Load(std::vector<Operation> operations) {
    ChangeSet change;
    change.seen = Revision{UINT64_MAX};
    change.operations = std::move(operations);
    store_.Commit(std::move(change), executor_, [](const CommitReply& reply) {
      BERTH_CHECK(reply.outcome == CommitReply::Outcome::kCommitted);
    });
    executor_.RunUntilIdle();
  }

  // How many microseconds from the request to its answer.
  double Arrive() {
    Service service = requests_.Next();
    const std::string name = service.name;
    const std::int64_t size =
        agent_->view().Find(service.groups[0].type)->size[Resource::kCpu] * service.groups[0].count;
    bool accepted = false;
    double micros = 0;
    const Clock::time_point start = Clock::now();
    agent_->Submit({.what = CreateService{std::move(service)}}, [&](const Reply& reply) {
      micros = MicrosSince(start);
      accepted = reply.accepted();
    });
    executor_.RunUntilIdle();
    if (accepted) {
      running_.emplace_back(name, size);
      used_ += size;
    } else {
      ++refused_;
    }
    return micros;
  }

  void Depart() {
    std::swap(running_[rng_.Below(running_.size())], running_.back());
    const auto [name, size] = running_.back();
    running_.pop_back();
    used_ -= size;
    agent_->Submit({.what = DeleteService{name}},
                   [](const Reply& reply) { BERTH_CHECK(reply.accepted()); });
    executor_.RunUntilIdle();
  }

  BenchZone zone_;
  BenchRequests requests_;
  VirtualExecutor executor_;
  MemoryStore store_;
  std::unique_ptr<Agent> agent_;
  std::vector<std::pair<std::string, std::int64_t>> running_;
  std::int64_t used_ = 0;
  std::uint64_t refused_ = 0;
  std::vector<Sample> samples_;
  Rng rng_{7};
};

// The same rules asked of the machines of some clusters, one after the other; nothing is sorted.
std::uint64_t BestInOnePass(const AllocatePolicy& policy, const Ask& ask,
                            std::span<const ClusterIndex> clusters) {
  std::uint64_t best = kNoKey;
  for (const ClusterIndex cluster : clusters) {
    for (const MachineIndex index : ask.inventory[cluster].machines) {
      const Candidate machine{index, ask.inventory[index]};
      const bool valid = std::ranges::all_of(policy.validators, [&](const auto& listed) {
        return listed.rule->IsValid(ask, machine);
      });
      if (valid) best = std::min(best, policy.Key(ask, machine));
    }
  }
  return best;
}

double PassMillis(ZoneRun& run, std::size_t clusters, int repetitions) {
  const AllocatePolicy& policy = run.agent().policy();
  const Inventory& view = run.agent().view();
  std::vector<double> millis;
  for (int i = 0; i < repetitions; ++i) {
    const Service service = run.NextRequest();
    Instance wanted;
    wanted.id = {service.name, 0};
    wanted.type = service.groups[0].type;
    wanted.limit = view.Find(wanted.type)->size;
    const Footprint nowhere;
    const Ask ask = AskFor(view, service, wanted, nowhere);
    std::vector<ClusterIndex> order = OrderClusters(policy, ask);
    order.resize(std::min(order.size(), clusters));
    const Clock::time_point start = Clock::now();
    BERTH_CHECK(BestInOnePass(policy, ask, order) != kNoKey);
    millis.push_back(MicrosSince(start) / 1e3);
  }
  std::ranges::sort(millis);
  return millis[millis.size() / 2];
}

void PrintCache(const CacheStats& stats) {
  fmt::print("  {:<14} {:>12} {:>8} {:>14} {:>8} {:>8}\n", "kept", "asked", "hits", "machines",
             "kept", "MB");
  for (const auto& [name, of] :
       {std::pair("evaluations", stats.evaluations), std::pair("rule objects", stats.rule_objects),
        std::pair("facts", stats.facts)}) {
    fmt::print("  {:<14} {:>12} {:>7.1f}% {:>14} {:>8} {:>8.1f}\n", name, of.asked,
               100.0 * static_cast<double>(of.hits) /
                   static_cast<double>(std::max<std::uint64_t>(of.asked, 1)),
               of.machines, of.kept, static_cast<double>(of.bytes) / 1e6);
  }
}

// Every request for two instances that must not share a rack or a machine: the first constrains the
// second. A request is an allocation, though it places two.
void RunConstrained(std::uint32_t clusters, std::size_t allocations) {
  constexpr std::uint32_t kInstances = 2;
  Constraints spread;
  spread.spread_racks = kInstances;
  spread.max_per_machine = 1;
  ZoneRun run({.clusters = clusters}, kInstances, spread);
  const Cost cost = run.Work(allocations);
  fmt::print(
      "{} instances a request, with rack spread and at most one a machine: median {:.2f} us, p99 "
      "{:.0f} us, {} refused\n",
      kInstances, cost.median, cost.p99, run.refused());
  PrintBar("allocate.constrained_rate", cost.rate, ">=", 15'000);
}

}  // namespace

void RunCached(bool full) {
  const std::size_t allocations = full ? 500'000 : 100'000;
  fmt::print(
      "\nAllocation by one agent, production policy, 240 sizes, four of five requests like the one "
      "before,\nfilled to {}% of the cores and kept there; memory store, commits included\n",
      kFillPercent);
  std::vector<double> medians;
  std::vector<double> megabytes;
  const std::vector<std::uint32_t> sizes = {1, 10, 100};
  Cost largest;
  for (const std::uint32_t clusters : sizes) {
    ZoneRun run({.clusters = clusters}, 1, {});
    const Cost cost = run.Work(allocations);
    fmt::print(
        "{:>7} machines: median {:.2f} us, p99 {:.0f} us, {:.0f} allocations/s, {} running, "
        "{} refused\n",
        clusters * 1000, cost.median, cost.p99, cost.rate, run.running(), run.refused());
    PrintCosts(run.samples());
    PrintCache(run.agent().cache_stats());
    medians.push_back(cost.median);
    largest = cost;
    if (clusters == sizes.back()) {
      const double zone_ms = PassMillis(run, SIZE_MAX, full ? 50 : 20);
      const double selected_ms = PassMillis(run, run.agent().policy().clusters, full ? 200 : 50);
      fmt::print("one pass over the zone {:.2f} ms, over {} clusters {:.2f} ms\n", zone_ms,
                 run.agent().policy().clusters, selected_ms);
      PrintBar("allocate.faster_than_zone_pass", zone_ms * 1e3 / cost.median, ">=", 500);
      PrintBar("allocate.faster_than_clusters_pass", selected_ms * 1e3 / cost.median, ">=", 50);
    }
    megabytes.push_back(run.AgentMegabytes());
    fmt::print("  agent's memory {:.0f} MB\n", megabytes.back());
    std::fflush(stdout);
  }
  PrintBar("allocate.zone_median_us", largest.median, "<=", 5);
  PrintBar("allocate.zone_p99_us", largest.p99, "<=", 500);
  PrintBar("allocate.zone_rate", largest.rate, ">=", 30'000);
  PrintBar("allocate.median_growth_1k_to_100k", medians.back() / medians.front(), "<=", 2);
  PrintBar("allocate.agent_megabytes", megabytes.back(), "<=", 400);
  fmt::print("memory grows with the machines to the power of {:.2f}\n",
             std::log(megabytes.back() / megabytes.front()) / std::log(100.0));

  RunConstrained(sizes.back(), allocations / 2);
}

}  // namespace berth
