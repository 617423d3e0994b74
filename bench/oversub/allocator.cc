// The estimate inside the allocator: requests through one agent, commits included, while machines
// age and usage is observed.
#include <fmt/format.h>
#include <malloc.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "allocate/agent.h"
#include "base/quantiles.h"
#include "base/virtual_executor.h"
#include "bench/bar.h"
#include "bench/oversub/suites.h"
#include "bench/oversub/tenants.h"
#include "berth/check.h"
#include "oversub/fleet_outlook.h"
#include "oversub/tenant_amounts.h"
#include "store/memory_store.h"

namespace berth {
namespace {

struct Shape {
  std::uint32_t machines = 0;
  std::uint32_t tenants = 0;  // Of each.
  // Machines of the paper's first specification for 100 tenants, which these tenants overload;
  // otherwise of several generations, on which they are safe, near theta, or too many.
  bool saturated = false;
  std::uint32_t per_cluster = 250;
};

double MegabytesInUse() {
  const auto info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd) / 1e6;
}

// What went by in a run.
struct Figures {
  std::vector<double> hits_us;
  std::vector<double> misses_us;
  std::uint64_t placed = 0;
  std::uint64_t refused = 0;
  double seconds = 0;
};

class AllocatorRun {
 public:
  explicit AllocatorRun(const Shape& shape)
      : shape_(shape), region_(PopulationRegions().front()), executor_(Start()) {
    std::vector<DemandModel> models;
    for (int i = 0; i < 20'000; ++i) models.push_back(FitModel(GenerateTenant(region_, rng_)));
    std::vector<std::string> names;
    for (const PopulationClass& of : PopulationClasses()) names.emplace_back(of.name);
    library_ = std::make_shared<const TraceLibrary>(
        TraceLibrary::Build(std::move(models), std::move(names)).value());
    while (met_.size() < 1'000) met_.push_back(TenantMet(region_, kBenchStart, rng_));
    LoadFleet();
    LoadTenants();
    fleet_.SetRevision(Revision{1});
    store_ = std::make_unique<MemoryStore>(
        LogRetention{.age = std::chrono::hours(1), .revisions = 1000}, std::move(fleet_));
    before_agent_ = MegabytesInUse();
    StartAgent();
  }

  // So many placements, each with a departure and an observation, at the beginning of each of some
  // epochs: then nothing is kept, and all machines are out of date.
  Figures Work(std::size_t placements) {
    constexpr std::size_t kEpochs = 3;
    Figures figures;
    for (std::size_t epoch = 1; epoch <= kEpochs; ++epoch) {
      const Duration hour = std::chrono::hours(1);
      const Time now = executor_.now();
      aged_us_ += Timed_us([&] { executor_.RunUntil(now - now.time_since_epoch() % hour + hour); });
      Work(placements * epoch / kEpochs, figures);
    }
    return figures;
  }
  void Work(std::size_t placements, Figures& figures) {
    const double us = Timed_us([&] {
      while (figures.placed + figures.refused < placements) {
        Observe();
        Place(figures);
        Depart();
        // 2,000 placements a second.
        executor_.RunUntil(executor_.now() + std::chrono::microseconds(500));
      }
    });
    figures.seconds += us / 1e6;
  }

  double agent_megabytes() const { return MegabytesInUse() - before_agent_; }
  double outlook_megabytes() const {
    return static_cast<double>(
               dynamic_cast<const FleetOutlook*>(agent_->FollowedOutlook())->bytes()) /
           1e6;
  }
  // Of the machines, those whose probability of a violation is at least this.
  double ShareFrom(double probability) const {
    const FleetRisk& risks = dynamic_cast<const FleetOutlook*>(agent_->FollowedOutlook())->risks();
    std::size_t count = 0;
    for (std::size_t i = 0; i < risks.machine_count(); ++i) {
      const MachineRisk& risk = risks.machine(i);
      if (risk.violations() >= probability * risk.repetitions()) ++count;
    }
    return static_cast<double>(count) / static_cast<double>(risks.machine_count());
  }
  // For each hour that went by.
  double aged_seconds() const { return aged_us_ / 1e6; }
  double start_seconds() const { return start_us_ / 1e6; }

 private:
  static Time Start() { return Time(kBenchStart * kStepLength); }

  void Install(const Record& record) {
    fleet_.Install({.key = KeyOf(record), .record = record, .revision = Revision{1}});
  }

  void LoadFleet() {
    const auto policies = ShippedPolicies();
    policy_ =
        std::string(std::ranges::find(policies, "prv_worst_fit", &ShippedPolicyEntry::name)->text);
    // What is promised is not what this is about.
    const std::string_view section = "oversubscription: {";
    const std::size_t begin = policy_.find(section) + section.size();
    policy_.replace(begin, policy_.find('}', begin) - begin,
                    "cpu: 5000%, memory: 5000%, disk: 5000%");
    Install(PolicyText{policy_});
    Install(Tenant{.name = TenantId("acme"), .quota = std::nullopt});
    for (const PopulationClass& of : PopulationClasses()) {
      InstanceType type;
      type.name = TypeId(of.name);
      type.size = ToResources(of.limit);
      Install(type);
    }
    const double least = shape_.saturated ? 1.2 * shape_.tenants / 100 : ScaleAt(0.5);
    const double most = shape_.saturated ? least : ScaleAt(0.001);
    for (std::uint32_t i = 0; i < shape_.machines; ++i) {
      Machine machine;
      machine.name = MachineId(fmt::format("m{}", i));
      machine.cluster = ClusterId(fmt::format("c{}", i / shape_.per_cluster));
      machine.rack = RackId(fmt::format("r{}", i % shape_.per_cluster / 25));
      machine.capacity = ToResources(CapacityOf(least + rng_.Unit() * (most - least)));
      Install(machine);
    }
  }

  // The paper's first specification, larger or smaller.
  static Demand CapacityOf(double scale) {
    return {static_cast<std::uint32_t>(80'000 * scale), static_cast<std::uint32_t>(417'792 * scale),
            static_cast<std::uint32_t>(4'768'372 * scale)};
  }

  // At which machines with so many tenants have this mean probability of a violation.
  double ScaleAt(double probability) const {
    constexpr int kTried = 30;
    double too_small = 0.01;
    double large = 10;
    for (int i = 0; i < 10; ++i) {
      const double middle = (too_small + large) / 2;
      double violations = 0;
      Rng rng(9);
      for (int j = 0; j < kTried; ++j) {
        MachineRisk machine(*library_, ThresholdsOf(CapacityOf(middle), 950), 100);
        machine.Advance(kBenchStart, nullptr);
        std::vector<HostedTenant> tenants;
        while (tenants.size() < shape_.tenants) {
          tenants.push_back(met_[rng.Below(met_.size())]);
          tenants.back().key = rng.Next();
        }
        machine.InsertAll(tenants);
        violations += machine.violations();
      }
      (violations / (100 * kTried) > probability ? too_small : large) = middle;
    }
    return large;
  }

  void LoadTenants() {
    for (std::uint32_t i = 0; i < shape_.machines; ++i) {
      for (std::uint32_t j = 0; j < shape_.tenants; ++j) {
        const HostedTenant& tenant = met_[rng_.Below(met_.size())];
        const Service service = ServiceOf(tenant);
        Instance instance;
        instance.id = {service.name, 0};
        instance.type = service.groups.front().type;
        instance.role = service.groups.front().role;
        instance.limit = LimitOf(tenant);
        instance.timeline.created = Time(tenant.creation * kStepLength);
        instance.machine = MachineId(fmt::format("m{}", i));
        instance.state = InstanceState::kPlaced;
        Install(service);
        Install(instance);
        observed_->Note(TenantKeyOf(service.name, 0), instance.timeline.created,
                        ToResources(tenant.observed_peak), executor_.now());
        running_.push_back(service.name);
      }
    }
  }

  static Resources LimitOf(const HostedTenant& tenant) {
    return ToResources(PopulationClasses()[static_cast<std::size_t>(tenant.tenant_class)].limit);
  }

  Service ServiceOf(const HostedTenant& tenant) {
    const auto of = static_cast<std::size_t>(tenant.tenant_class);
    Service service;
    service.name = fmt::format("s{}", services_++);
    service.tenant = TenantId("acme");
    service.klass = ClassId("gold");
    service.next_number = 1;
    service.groups = {
        {.type = TypeId(PopulationClasses()[of].name),
         .role = RoleId(tenant.role == TenantRole::kSecondary ? "secondary" : "primary"),
         .count = 1}};
    return service;
  }

  void StartAgent() {
    agent_ = std::make_unique<Agent>(
        *store_, executor_,
        Agent::Options{.name = "a0",
                       .default_policy = policy_,
                       .refresh_when_idle = true,
                       .new_outlook = [this](const Node& policy, const Outlook* /*at_hand*/)
                           -> Result<std::unique_ptr<Outlook>> {
                         BERTH_TRY(const OversubPolicy oversub, ParseOversubPolicy(policy));
                         return std::unique_ptr<Outlook>(
                             std::make_unique<FleetOutlook>(library_, observed_, oversub));
                       }});
    agent_->Start([](const Status& status) { BERTH_CHECK(status.ok()); });
    start_us_ =
        Timed_us([&] { executor_.RunUntil(executor_.now() + std::chrono::milliseconds(200)); });
  }

  void Place(Figures& figures) {
    Service service = ServiceOf(met_[rng_.Below(met_.size())]);
    service.next_number = 0;
    const std::string name = service.name;
    bool accepted = false;
    bool answered = false;
    const Kept::Work before = agent_->cache_work();
    const double us = Timed_us([&] {
      agent_->Submit({.what = CreateService{std::move(service)}}, [&](const Reply& reply) {
        accepted = reply.accepted();
        answered = true;
      });
      executor_.RunUntil(executor_.now());
    });
    BERTH_CHECK(answered);
    const Kept::Work after = agent_->cache_work();
    if (after.asked == before.asked) return;
    (after.missed == before.missed ? figures.hits_us : figures.misses_us).push_back(us);
    ++(accepted ? figures.placed : figures.refused);
    if (accepted) running_.push_back(name);
  }

  void Depart() {
    std::swap(running_[rng_.Below(running_.size())], running_.back());
    agent_->Submit({.what = DeleteService{running_.back()}},
                   [](const Reply& reply) { BERTH_CHECK(reply.accepted()); });
    running_.pop_back();
    executor_.RunUntil(executor_.now());
  }

  void Observe() {
    const Demand usage(static_cast<std::uint32_t>(rng_.Below(400)),
                       static_cast<std::uint32_t>(rng_.Below(1000)),
                       static_cast<std::uint32_t>(rng_.Below(4000)));
    agent_->Observe({running_[rng_.Below(running_.size())], 0}, ToResources(usage),
                    executor_.now());
  }

  const Shape shape_;
  const PopulationRegion& region_;
  Rng rng_{8};
  VirtualExecutor executor_;
  Inventory fleet_;
  std::unique_ptr<MemoryStore> store_;
  std::shared_ptr<const TraceLibrary> library_;
  std::string policy_;
  std::unique_ptr<Agent> agent_;
  std::shared_ptr<ObservedUsage> observed_ = std::make_shared<ObservedUsage>();
  std::vector<HostedTenant> met_;
  std::vector<std::string> running_;
  std::uint64_t services_ = 0;
  double before_agent_ = 0;
  double start_us_ = 0;
  double aged_us_ = 0;
};

double MedianOf(const std::vector<double>& values) {
  return values.empty() ? 0 : Quantile(values, 0.5);
}
double P99Of(const std::vector<double>& values) {
  return values.empty() ? 0 : Quantile(values, 0.99);
}

struct Measured {
  double hit_us = 0;
  double miss_us = 0;
  double rate = 0;
  double megabytes = 0;
};

Measured Measure(const Shape& shape, std::size_t placements) {
  AllocatorRun run(shape);
  const Figures figures = run.Work(placements);
  const Measured measured{.hit_us = MedianOf(figures.hits_us),
                          .miss_us = MedianOf(figures.misses_us),
                          .rate = static_cast<double>(placements) / figures.seconds,
                          .megabytes = run.agent_megabytes()};
  fmt::print(
      "{} machines in clusters of {}, {} tenants each{}, prv_worst_fit, commits and ageing "
      "included: a hit {:.1f} us "
      "(p99 {:.0f}, {} of them), a miss {:.0f} us (p99 {:.0f}, {}), {:.0f} placements/s with a "
      "departure and an observation each, {} refused; of the machines {:.0f}% are below theta, "
      "{:.0f}% at half or above, {:.0f}% doomed; first estimate {:.1f} s, ageing {:.1f} s of three "
      "hours; agent {:.0f} MB, of them the outlook {:.0f}\n",
      shape.machines, shape.per_cluster, shape.tenants, shape.saturated ? ", saturated" : "",
      measured.hit_us, P99Of(figures.hits_us), figures.hits_us.size(), measured.miss_us,
      P99Of(figures.misses_us), figures.misses_us.size(), measured.rate, figures.refused,
      100 - 100 * run.ShareFrom(0.01), 100 * run.ShareFrom(0.5), 100 * run.ShareFrom(1),
      run.start_seconds(), run.aged_seconds(), measured.megabytes, run.outlook_megabytes());
  return measured;
}

void PrintBars(std::uint32_t machines, const Measured& measured) {
  const auto name = [&](std::string_view what) {
    return fmt::format("oversub.allocator_{}_{}", machines, what);
  };
  PrintBar(name("hit_us"), measured.hit_us, "<=", 50);
  PrintBar(name("miss_us"), measured.miss_us, "<=", 1000);
  PrintBar(name("rate"), measured.rate, ">=", 2000);
  PrintBar(name("megabytes"), measured.megabytes, "<=", 1000);
}

}  // namespace

void RunAllocator(bool full) {
  // How the cost grows with the size.
  Measure({.machines = 1'000, .tenants = 100}, 3'000);
  constexpr Shape kWanted{.machines = 10'000, .tenants = 100};
  PrintBars(kWanted.machines, Measure(kWanted, full ? 20'000 : 6'000));
  Measure({.machines = 10'000, .tenants = full ? 100U : 20U, .per_cluster = 10'000}, 3'000);
  Measure({.machines = full ? 10'000U : 1'000U, .tenants = 100, .saturated = true}, 3'000);
  if (full) Measure({.machines = 100'000, .tenants = 20}, 20'000);
}

}  // namespace berth
