// Algorithms 2 and 3 of the tenant placement paper, with the notes' corrections, word for word,
// against the decisions of an engine under the shipped policies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include "allocate/outlook.h"
#include "allocate/policy.h"
#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "berth/rng.h"
#include "fleet/inventory.h"
#include "oversub/newcomer.h"
#include "oversub/tenant_amounts.h"
#include "oversub/violation.h"
#include "store/memory_store.h"

namespace berth {
namespace {

constexpr std::uint32_t kRepetitions = 100;
constexpr int kMachines = 8;

std::string_view PolicyNamed(std::string_view name) {
  return std::ranges::find(ShippedPolicies(), name, &ShippedPolicyEntry::name)->text;
}

Resources MilliAndGib(std::int64_t cpu, std::int64_t gib) {
  Resources amounts;
  amounts[Resource::kCpu] = cpu;
  amounts[Resource::kMemory] = gib << 30;
  amounts[Resource::kDisk] = gib << 30;
  return amounts;
}

std::shared_ptr<const TraceLibrary> SomeTraces(Rng& rng) {
  std::vector<DemandModel> models;
  for (int i = 0; i < 200; ++i) {
    DemandModel model;
    model.lifetime = static_cast<Step>(2 + rng.Below(300));
    const auto grows = [&](std::uint64_t most) {
      const auto maximum = static_cast<std::uint32_t>(rng.Below(most));
      const auto growth = rng.Below(static_cast<std::uint64_t>(std::min(model.lifetime, Step{12})));
      return GrowthTo(maximum / 3, maximum, static_cast<Step>(growth));
    };
    model.memory = grows(6 << 10);
    model.disk = grows(12 << 10);
    model.cpu_p90 = static_cast<std::uint32_t>(rng.Below(1500));
    model.cpu_peak = 2000;
    model.tenant_class = TenantClass{static_cast<std::uint16_t>(i % 2)};
    models.push_back(model);
  }
  return std::make_shared<const TraceLibrary>(
      TraceLibrary::Build(std::move(models), {"small", "large"}).value());
}

class Placing {
 public:
  Placing(std::uint64_t seed, std::string_view policy)
      : rng_(seed), holds_out_(policy == "prv_worst_fit"), library_(SomeTraces(rng_)) {
    executor_.RunUntil(Time(std::chrono::hours(24)));
    engine_ = std::make_unique<Engine>(
        store_, executor_,
        EngineOptions{.default_policy = std::string(PolicyNamed(policy)), .demand = library_});
    engine_->Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    Submit(ApplyPolicy{std::string(PolicyNamed(policy))});
    ChangeFleet fleet;
    fleet.put.emplace_back(Tenant{.name = TenantId("acme"), .quota = std::nullopt});
    for (const char* name : {"small", "large", "untraced"}) {
      InstanceType type;
      type.name = TypeId(name);
      type.size = std::string_view(name) == "large" ? MilliAndGib(4000, 12) : MilliAndGib(2000, 6);
      fleet.put.emplace_back(type);
    }
    for (int i = 0; i < kMachines; ++i) {
      Machine machine;
      machine.name = MachineId(fmt::format("m{}", i));
      machine.cluster = ClusterId("c");
      machine.capacity = MilliAndGib(6000 + 1000 * (i % 3), 28);
      fleet.put.emplace_back(machine);
    }
    Submit(std::move(fleet));
  }

  void Step() {
    executor_.RunUntil(executor_.now() + std::chrono::minutes(rng_.Below(25)));
    if (!services_.empty() && rng_.Below(4) == 0) return Delete();
    if (!services_.empty() && rng_.Below(3) == 0) Observe();
    Create();
  }

  std::map<std::string, int> counts;  // By which of the algorithm's cases decided.

 private:
  struct Node {
    std::string name;
    std::uint32_t before = 0;
    std::uint32_t after = 0;
    double load = 0;  // W_Max,
    double with = 0;  // and with the newcomer.
    bool held_out = false;
    bool fits = false;
  };

  std::optional<Decision> Submit(Action action) {
    std::optional<Decision> decision;
    engine_->Submit({.what = std::move(action)}, [&](const Reply& reply) {
      EXPECT_TRUE(reply.status.ok()) << reply.status.message();
      decision = reply.decision;
    });
    executor_.RunUntil(executor_.now() + std::chrono::seconds(1));
    return decision;
  }

  void Delete() {
    std::swap(services_[rng_.Below(services_.size())], services_.back());
    usage_.erase(services_.back());
    Submit(DeleteService{services_.back()});
    services_.pop_back();
  }

  void Observe() {
    const std::string& service = services_[rng_.Below(services_.size())];
    const Resources usage = MilliAndGib(static_cast<std::int64_t>(rng_.Below(1800)),
                                        static_cast<std::int64_t>(rng_.Below(8)));
    Seen& seen = usage_[service];
    seen.last = UsageDemand(usage);
    seen.peak = Greater(seen.peak, *seen.last);
    engine_->Observe({service, 0}, usage, executor_.now());
  }

  void Create() {
    Service service;
    service.name = fmt::format("s{}", created_++);
    service.tenant = TenantId("acme");
    service.klass = ClassId("gold");
    const std::uint64_t kind = rng_.Below(10);
    const TypeId type(kind == 0 ? "untraced" : kind < 4 ? "large" : "small");
    service.groups = {{.type = type, .role = RoleId("primary"), .count = 1}};
    const std::set<std::string> expected = Place(type);
    const std::optional<Decision> decision = Submit(CreateService{service});
    ASSERT_TRUE(decision.has_value());
    EXPECT_EQ(decision->refusal.has_value(), expected.empty())
        << "refuses what fits, or the reverse";
    if (decision->placed.empty()) return;
    const Placement& placed = decision->placed.front();
    EXPECT_TRUE(expected.contains(placed.machine.str()))
        << placed.machine.str() << " not one of " << fmt::format("{}", fmt::join(expected, ", "));
    ASSERT_TRUE(placed.foreseen.has_value());
    EXPECT_EQ(placed.foreseen->futures, kRepetitions);
    services_.push_back(service.name);
    usage_[service.name] = {};
  }

  // PLACE_TENANT_PR_VBF and PLACE_TENANT_PR_VWF: the machines that either may choose.
  std::set<std::string> Place(TypeId type) {
    std::vector<Node> nodes = Nodes(type);
    std::erase_if(nodes, [](const Node& node) { return !node.fits; });
    std::vector<Node> candidates;
    std::vector<Node> held_out;
    for (const Node& node : nodes) {
      if (node.after >= 1) continue;  // theta = 0.01 of 100.
      (node.held_out ? held_out : candidates).push_back(node);
    }
    if (candidates.empty()) candidates = held_out;
    if (!candidates.empty()) {
      ++counts[candidates.front().held_out ? "held out" : "below theta"];
      return BestBy(candidates);
    }
    // Machines that are violated whatever is placed are as bad as those that this one dooms. In
    // millionths.
    const auto harm = [](const Node& node) {
      const std::uint64_t spared = kRepetitions - node.before;
      return spared == 0 ? 1'000'000
                         : (node.after - node.before) * std::uint64_t{1'000'000} / spared;
    };
    std::uint64_t least = 1'000'000;
    for (const Node& node : nodes) least = std::min(least, harm(node));
    ++counts[least == 1'000'000 ? "all doomed" : "least harm"];
    std::erase_if(nodes, [&](const Node& node) { return harm(node) != least; });
    return BestBy(nodes);
  }

  std::set<std::string> BestBy(const std::vector<Node>& nodes) const {
    std::set<std::string> best;
    for (const Node& node : nodes) {
      const bool beaten = std::ranges::any_of(nodes, [&](const Node& other) {
        // Loads are compared to the millionth.
        return holds_out_ ? other.with < node.with - 1e-5 : other.with > node.with + 1e-5;
      });
      if (!beaten) best.insert(node.name);
    }
    return best;
  }

  std::vector<Node> Nodes(TypeId type) {
    const Inventory& view = engine_->view();
    std::vector<Node> nodes;
    for (const MachineState& machine : view.machines())
      nodes.push_back(NodeOf(view, machine, type));
    std::ranges::stable_sort(nodes, {}, &Node::load);
    for (std::size_t i = 0; i < 3 && holds_out_; ++i) nodes[i].held_out = true;
    return nodes;
  }

  Node NodeOf(const Inventory& view, const MachineState& machine, TypeId type) {
    const Resources limit = view.Find(type)->size;
    Node node{.name = machine.record.name.str()};
    node.fits = limit.FitsIn(machine.Free());
    std::vector<HostedTenant> tenants;
    Resources usage;
    for (const InstanceRef ref : machine.instances) {
      const Instance& instance = *view[ref.service].Find(ref.number);
      const Seen& seen = usage_.at(instance.id.service);
      HostedTenant tenant{.key = TenantKeyOf(instance.id.service, ref.number),
                          .tenant_class = library_->ClassNamed(instance.type.str()),
                          .role = TenantRole::kPrimary,
                          .creation = StepOf(instance.timeline.created),
                          .observed_peak = seen.peak};
      if (!seen.last) tenant.promised = UsageDemand(instance.limit);
      tenants.push_back(tenant);
      usage += ToResources(seen.last ? *seen.last : Typical(instance.type, instance.limit));
    }
    CountViolations(tenants, machine.record.capacity, type, limit, node);
    const Resources with = usage + ToResources(Typical(type, limit));
    for (const Resource r : {Resource::kCpu, Resource::kMemory, Resource::kDisk}) {
      const auto capacity = static_cast<double>(machine.record.capacity[r]);
      node.load = std::max(node.load, static_cast<double>(usage[r]) / capacity);
      node.with = std::max(node.with, static_cast<double>(with[r]) / capacity);
    }
    return node;
  }

  void CountViolations(const std::vector<HostedTenant>& tenants, const Resources& capacity,
                       TypeId type, const Resources& limit, Node& node) const {
    const Thresholds thresholds = ThresholdsOf(CapacityDemand(capacity), 950);
    const berth::Step now = StepOf(executor_.now());
    const std::int64_t hour = ToMicros(executor_.now()) / Duration(std::chrono::hours(1)).count();
    const Newcomer newcomer(*library_, library_->ClassNamed(type.str()), TenantRole::kPrimary,
                            static_cast<std::uint64_t>(hour) + 1,
                            {.begin = StepOf(Time(std::chrono::hours(hour))),
                             .end = StepOf(Time(std::chrono::hours(hour + 1)))},
                            kRepetitions, UsageDemand(limit));
    for (std::uint32_t i = 0; i < kRepetitions; ++i) {
      std::vector<DemandCurve> curves = DrawCurves(*library_, tenants, now, i);
      if (ViolatesAtDepartures(curves, now, thresholds)) ++node.before;
      curves.push_back(newcomer.curve(i));
      if (ViolatesAtDepartures(curves, now, thresholds)) ++node.after;
    }
  }

  // The median of what those of the type grew to; without traces what it is promised.
  Demand Typical(TypeId type, const Resources& limit) const {
    std::vector<DemandModel> models;
    for (const DemandModel& model :
         library_->Group(library_->ClassNamed(type.str()), TenantRole::kPrimary)) {
      models.push_back(model);
    }
    if (models.empty()) return UsageDemand(limit);
    const auto median = [&](auto of) {
      std::ranges::sort(models, {}, of);
      return of(models[(models.size() + 1) / 2 - 1]);
    };
    return {median([](const DemandModel& m) { return m.cpu_p90; }),
            median([](const DemandModel& m) { return m.memory.maximum; }),
            median([](const DemandModel& m) { return m.disk.maximum; })};
  }

  struct Seen {
    std::optional<Demand> last;
    Demand peak;
  };

  Rng rng_;
  bool holds_out_;
  std::shared_ptr<const TraceLibrary> library_;
  VirtualExecutor executor_;
  MemoryStore store_;
  std::unique_ptr<Engine> engine_;
  std::vector<std::string> services_;
  std::map<std::string, Seen> usage_;
  int created_ = 0;
};

class PrvPolicy : public ::testing::TestWithParam<std::string_view> {};

TEST_P(PrvPolicy, DecidesAsTheAlgorithmDoes) {
  std::map<std::string, int> counts;
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    SCOPED_TRACE(seed);
    Placing fleet(seed, GetParam());
    for (int step = 0; step < 100; ++step) {
      SCOPED_TRACE(step);
      fleet.Step();
      if (::testing::Test::HasFailure()) return;
    }
    for (const auto& [what, count] : fleet.counts) counts[what] += count;
  }
  EXPECT_GT(counts["below theta"], 20);
  EXPECT_GT(counts["least harm"], 10);
  EXPECT_GT(counts["all doomed"], 0);
  EXPECT_EQ(counts["held out"] > 0, GetParam() == "prv_worst_fit");
}

INSTANTIATE_TEST_SUITE_P(Shipped, PrvPolicy, ::testing::Values("prv_best_fit", "prv_worst_fit"),
                         [](const auto& name) { return std::string(name.param); });

}  // namespace
}  // namespace berth
