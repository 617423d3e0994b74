// Rehearsals of tenants with several replicas, looked at by a technique that does as another one
// does and, at everything that it is told, counts what must not be.
#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "berth/rng.h"
#include "sim/tenants/simulate.h"
#include "sim/tenants/study.h"

namespace berth {
namespace {

// Neither count divides the other: nodes 0 and 6 share an update domain only, 0 and 4 a fault
// domain only.
constexpr NodeDomains kDomains{.fault = 4, .update = 6};

constexpr std::uint32_t kUnsteadyHours = 6;

constexpr std::string_view kLoosePolicy =
    "oversubscription: {cpu: 1000%, memory: 1000%, disk: 1000%}\n"
    "allocate: {rules: [{worst_fit: {of: usage}}]}\n"
    "oversub: {held_out: {per_cluster: 0}}\n";

struct SeenReplicas {
  // What must not be: two replicas of a tenant that share a node or a domain; tenants of which some
  // replicas are there and others are not; replicas or loads of which the technique was not told.
  int sharing = 0;
  int torn = 0;
  int left_behind = 0;
  // What must be, so that this says anything: replicas moved that are not alone, and replicas taken
  // off again in the step in which they came.
  int moved = 0;
  int withdrawn = 0;
  std::map<TenantNumber, std::uint64_t> keys = {};
};

class WatchedTechnique final : public Technique {
 public:
  // What it does as, and what it sees.
  static inline const TechniqueEntry* as = nullptr;
  static inline SeenReplicas seen;

  explicit WatchedTechnique(const TechniqueContext& context)
      : cluster_(context.cluster), kinds_(context.kinds), inner_(as->make(context)) {}

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override {
    return inner_->Choose(tenant, fits);
  }
  void Exceeded(const ClusterTenant& tenant) override { inner_->Exceeded(tenant); }
  std::optional<Move> Repack() override { return inner_->Repack(); }
  std::optional<Move> Relieve(NodeIndex violated) override { return inner_->Relieve(violated); }

  void Placed(const ClusterTenant& tenant) override {
    inner_->Placed(tenant);
    told_[tenant.number] = tenant.node;
    seen.keys[tenant.number] = tenant.hosted.key;
    if (tenant.hosted.creation == now_) newcomers_.insert(tenant.number);
    for (NodeIndex node = 0; node < cluster_.node_count(); ++node) {
      for (const TenantNumber number : cluster_.tenants(node)) {
        const ClusterTenant& other = cluster_.tenant(number);
        if (other.first != tenant.first || other.number == tenant.number) continue;
        if (tenant.node == node || tenant.node % kDomains.fault == node % kDomains.fault ||
            tenant.node % kDomains.update == node % kDomains.update) {
          ++seen.sharing;
        }
        if (tenant.hosted.creation != now_) ++seen.moved;
      }
    }
  }

  void Left(const ClusterTenant& tenant, NodeIndex from) override {
    inner_->Left(tenant, from);
    told_.erase(tenant.number);
  }

  // Nobody is on the way: who left has left, and nobody came.
  void Advance(Step now) override {
    inner_->Advance(now);
    now_ = now;
    std::map<TenantNumber, std::size_t> there;  // How many, by the first of the tenant.
    std::map<TenantNumber, NodeIndex> held;
    for (NodeIndex node = 0; node < cluster_.node_count(); ++node) {
      NodeLoad reported;
      for (const TenantNumber number : cluster_.tenants(node)) {
        const ClusterTenant& tenant = cluster_.tenant(number);
        ++there[tenant.first];
        held[number] = node;
        for (const DemandResource r : kAllDemandResources) reported[r] += tenant.reported[r];
      }
      if (reported != cluster_.reported(node)) ++seen.left_behind;
    }
    if (held != told_) ++seen.left_behind;
    for (const auto& [first, count] : there) {
      const ClusterTenant& tenant = cluster_.tenant(first);
      const bool whole =
          count == kinds_[static_cast<std::size_t>(tenant.hosted.tenant_class)].replicas;
      if (!whole || tenant.hosted.role != TenantRole::kPrimary) ++seen.torn;
    }
    for (const TenantNumber number : newcomers_) seen.withdrawn += held.contains(number) ? 0 : 1;
    newcomers_.clear();
  }

 private:
  const TenantCluster& cluster_;
  const std::span<const TenantKind> kinds_;
  const std::unique_ptr<Technique> inner_;
  Step now_ = 0;
  std::map<TenantNumber, NodeIndex> told_;  // Where everyone is.
  std::set<TenantNumber> newcomers_;        // Of the step.
};

std::unique_ptr<Technique> NewWatchedTechnique(const TechniqueContext& context) {
  return std::make_unique<WatchedTechnique>(context);
}

// Three classes, of four, two and one replica, of which now and then some need much more at once,
// so that nodes are violated all the time. Of each class there are secondaries enough.
TenantPopulation UnsteadyPopulation() {
  TenantPopulation population{.name = "testing",
                              .kinds = {{"four", Demand(16'000, 80'000, 1'000), 4},
                                        {"two", Demand(8'000, 40'000, 1'000), 2},
                                        {"one", Demand(4'000, 40'000, 1'000), 1}},
                              .pool = TenantPool(kUnsteadyHours * kStepsPerHour),
                              .library = TraceLibrary::Build({}).value()};
  std::vector<DemandModel> models;
  Rng rng(11);
  for (int i = 0; i < 200; ++i) {
    const std::size_t kind = rng.Below(population.kinds.size());
    const TenantKind& of = population.kinds[kind];
    DemandTrace trace{
        .tenant_class = TenantClass{static_cast<std::uint16_t>(kind)},
        .role = rng.Below(of.replicas) > 0 ? TenantRole::kSecondary : TenantRole::kPrimary,
        .samples = {}};
    const std::uint64_t lifetime = 3 + rng.Below(80);
    for (std::uint64_t age = 0; age < lifetime; ++age) {
      const std::uint32_t memory = of.limit[DemandResource::kMemory];
      trace.samples.emplace_back(10, rng.Below(12) == 0 ? memory * 2 : memory / 2, 100);
    }
    models.push_back(FitModel(trace));
    population.pool.Add(trace, of.limit[DemandResource::kCpu]);
  }
  population.pool.LookAhead();
  population.library = TraceLibrary::Build(std::move(models)).value();
  return population;
}

// What a rehearsal on 12 nodes comes to, and what is seen in it.
std::pair<TenantOutcome, SeenReplicas> WatchTenants(const TenantPopulation& population,
                                                    const TechniqueEntry& technique) {
  WatchedTechnique::as = &technique;
  WatchedTechnique::seen = {};
  const TechniqueEntry watched{.name = technique.name,
                               .summary = {},
                               .estimates = technique.estimates,
                               .in_all = false,
                               .make = NewWatchedTechnique};
  const TenantOutcome outcome =
      SimulateTenants(population, {.technique = &watched, .policy = std::string(kLoosePolicy)},
                      {.nodes = 12,
                       .domains = kDomains,
                       .density_hundredths = 120,
                       .hours = kUnsteadyHours,
                       .seed = 3});
  return {outcome, WatchedTechnique::seen};
}

TEST(TenantsInDomains, AreApartAndWholeWhateverTheTechnique) {
  const TenantPopulation population = UnsteadyPopulation();
  std::map<TenantNumber, std::uint64_t> keys;
  for (const TechniqueEntry& entry : BuiltinTechniques()) {
    const auto [outcome, seen] = WatchTenants(population, entry);
    EXPECT_EQ(seen.sharing, 0) << entry.name;
    EXPECT_EQ(seen.torn, 0) << entry.name;
    EXPECT_EQ(seen.left_behind, 0) << entry.name;
    // None of this is because nothing happened.
    EXPECT_GT(outcome.violations, 20U) << entry.name;
    EXPECT_GT(seen.moved, 100) << entry.name;
    EXPECT_GT(seen.withdrawn, 10) << entry.name;
    std::set<std::uint64_t> distinct;
    for (const auto& [number, key] : seen.keys) distinct.insert(key);
    EXPECT_EQ(distinct.size(), seen.keys.size()) << entry.name;
    // The same come, whoever of them is placed.
    for (const auto& [number, key] : seen.keys) {
      EXPECT_EQ(keys.try_emplace(number, key).first->second, key) << entry.name;
    }
  }
}

// Two replicas of a tenant on two nodes: 20 tenants at 2.0, as each is promised 8 cores.
TEST(TenantsInDomains, LeaveTogetherWhenThePrimaryDoes) {
  for (const std::size_t secondary_lifetime : {4U, 10U, 33U}) {
    TenantPool pool(100);
    const std::vector<Demand> primary(10, Demand(10, 10, 10));
    const std::vector<Demand> secondary(secondary_lifetime, Demand(10, 10, 10));
    pool.Add({.tenant_class = {}, .role = TenantRole::kPrimary, .samples = primary}, 8'000);
    pool.Add({.tenant_class = {}, .role = TenantRole::kSecondary, .samples = secondary}, 8'000);
    pool.LookAhead();
    const TenantPopulation population{.name = "testing",
                                      .kinds = {{"two", Demand(10, 10, 10), 2}},
                                      .pool = std::move(pool),
                                      .library = TraceLibrary::Build({}).value()};
    const TenantOutcome outcome =
        SimulateTenants(population, ParseTechniqueName("best_fit_max").value(),
                        {.nodes = 2, .domains = {.fault = 2, .update = 2}, .hours = 10});
    EXPECT_DOUBLE_EQ(outcome.tenants_mean, 20);
    // At once and in the steps 11, 22, 33, 44 and 55 of 60.
    EXPECT_EQ(outcome.placed, 20U * 6) << secondary_lifetime;
    EXPECT_EQ(outcome.refused, 0U);
  }
}

TEST(TenantsInDomains, OfWhomOneReplicaFitsNowhereAreRefusedOnce) {
  TenantPool pool(100);
  for (const TenantRole role : {TenantRole::kPrimary, TenantRole::kSecondary}) {
    pool.Add({.tenant_class = {}, .role = role, .samples = {Demand(10, 10, 10)}}, 8'000);
  }
  pool.Add({.tenant_class = {}, .role = TenantRole::kSecondary, .samples = {Demand()}}, 8'000);
  pool.LookAhead();
  const TenantPopulation population{.name = "testing",
                                    .kinds = {{"three", Demand(10, 10, 10), 3}},
                                    .pool = std::move(pool),
                                    .library = TraceLibrary::Build({}).value()};
  // Nodes there are enough, and fault domains.
  const TenantOutcome outcome =
      SimulateTenants(population, ParseTechniqueName("worst_fit_max").value(),
                      {.nodes = 12, .domains = {.fault = 3, .update = 2}, .hours = 1});
  EXPECT_EQ(outcome.placed, 0U);
  EXPECT_EQ(outcome.refused, 7U);  // One at first and one in each step.
  EXPECT_EQ(outcome.tenants_mean, 0);
}

// Where there are no secondaries domains tell nothing apart.
TEST(TenantsInDomains, OfOneReplicaAreAsWithoutDomains) {
  TenantPopulation population = UnsteadyPopulation();
  TenantPool pool(kUnsteadyHours * kStepsPerHour);
  for (std::size_t i = 0; i < population.pool.size(); ++i) {
    const PooledTenant& tenant = population.pool.tenant(i);
    DemandTrace trace{.tenant_class = tenant.tenant_class, .role = {}, .samples = {}};
    for (Step age = 0; age < tenant.lifetime; ++age) {
      trace.samples.push_back(population.pool.At(tenant, age));
    }
    pool.Add(trace, tenant.promised_millicores);
  }
  pool.LookAhead();
  population.pool = std::move(pool);
  for (const TechniqueEntry& entry : BuiltinTechniques()) {
    if (entry.name == "policy") continue;  // Of equally good machines it takes one of another rack.
    const TechniqueName name{.technique = &entry};
    TenantSimulation options{
        .nodes = 12, .density_hundredths = 120, .hours = kUnsteadyHours, .seed = 3};
    const TenantOutcome without = SimulateTenants(population, name, options);
    options.domains = kDomains;
    EXPECT_EQ(SimulateTenants(population, name, options), without) << entry.name;
  }
}

TEST(TenantsInDomainsThreads, GiveTheSameWhateverTheirNumber) {
  const TenantPopulation population = UnsteadyPopulation();
  TenantStudyOptions options{
      .densities_hundredths = {100, 120},
      .techniques = ParseTechniqueNames("worst_fit_max,prv_annealing").value(),
      .repetitions = 2,
      .nodes = 12,
      .domains = kDomains,
      .hours = 2};
  const auto one = StudyTenants(population, options, [](std::uint64_t) {});
  options.workers = 3;
  const auto three = StudyTenants(population, options, [](std::uint64_t) {});
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].outcomes, three[i].outcomes);
  EXPECT_NE(one[0].outcomes[0][0], one[0].outcomes[0][1]);
}

}  // namespace
}  // namespace berth
