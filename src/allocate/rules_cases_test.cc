// One case a rule, worked out by hand.
#include <gtest/gtest.h>

#include <set>

#include "support/random_fleet.h"
#include "support/rule_answers.h"

namespace berth {
namespace {

using testing::PutInto;
using testing::Sized;

// A fleet built line by line, and an ask of 2 cpu and 4Gi for one more of acme's service web, which
// declares 4 instances.
class RuleCases : public ::testing::Test {
 protected:
  RuleCases() {
    PutInto(view_, InstanceType{
                       .name = TypeId("small"), .size = limit_, .skus = {}, .requires_labels = {}});
    PutInto(view_, Tenant{.name = TenantId("acme"), .quota = std::nullopt});
    PutInto(view_, Tenant{.name = TenantId("globex"), .quota = std::nullopt});
    web_ = ServiceOf("web", "acme");
  }

  // A machine of 8 cpu and 32Gi in rack r1 of cluster c1, unless changed.
  static Machine Plain(std::string_view name) {
    Machine machine;
    machine.name = MachineId(name);
    machine.datacenter = DatacenterId("d");
    machine.cluster = ClusterId("c1");
    machine.row = RowId("row");
    machine.rack = RackId("r1");
    machine.capacity = Sized(8, 32);
    return machine;
  }
  void Add(const Machine& machine) { PutInto(view_, machine); }
  void AddLabelled(std::string_view name, std::string_view label, std::string_view value) {
    Machine machine = Plain(name);
    machine.labels = {{LabelName(label), LabelName(value)}};
    Add(machine);
  }

  // One more instance of a service runs there.
  void Run(const std::string& service, std::string_view tenant, std::string_view machine,
           const Resources& limit) {
    if (view_.FindService(service) == nullptr) PutInto(view_, ServiceOf(service, tenant));
    Instance instance;
    instance.id = {service, next_number_++};
    instance.type = TypeId("small");
    instance.machine = MachineId(machine);
    instance.limit = limit;
    instance.state = InstanceState::kPlaced;
    PutInto(view_, instance);
  }
  void Run(std::string_view machine) { Run("web", "acme", machine, limit_); }

  // Calls f(rule, ask, machine).
  template <typename F>
  auto With(std::string_view rule, std::string_view options, std::string_view machine, F f) {
    const auto entry = std::ranges::find(BuiltinRules(), rule, &RuleEntry::name);
    const std::unique_ptr<Rule> created = testing::CreateRule(*entry, options);
    Footprint footprint;
    if (const ServiceState* state = view_.FindService("web")) footprint = Footprint(view_, *state);
    Instance wanted;
    wanted.id = asked_;
    wanted.type = TypeId("small");
    wanted.limit = limit_;
    const MachineIndex index = *view_.IndexOf(MachineId(machine));
    return f(*created, AskFor(view_, web_, wanted, footprint, outlook_),
             Candidate{index, view_[index]});
  }
  std::uint32_t Points(std::string_view rule, std::string_view options, std::string_view machine) {
    return With(rule, options, machine, &testing::Answer);
  }
  // What a validator says; "" if it has nothing against the machine.
  std::string Against(std::string_view rule, std::string_view options, std::string_view machine) {
    const auto against = [](const Rule& validator, const Ask& ask, const Candidate& candidate) {
      if (testing::Answer(validator, ask, candidate) == 0) return std::string();
      const Refusing refusing = *testing::AsRefusing(validator);
      return fmt::format("{} [{}]", refusing.Lacks(ask, candidate),
                         ToString(refusing.CureFor(ask, candidate)));
    };
    return With(rule, options, machine, against);
  }
  Concerns ConcernsOf(std::string_view rule, std::string_view machine) {
    return With(rule, "", machine, [](const Rule& created, const Ask& ask, const Candidate&) {
      return created.concerns(ask);
    });
  }

  static Service ServiceOf(const std::string& name, std::string_view tenant) {
    Service service;
    service.name = name;
    service.tenant = TenantId(tenant);
    service.klass = ClassId("gold");
    service.groups = {{.type = TypeId("small"), .role = {}, .count = 4}};
    return service;
  }

  Inventory view_;
  Service web_;
  Resources limit_ = Sized(2, 4);
  InstanceId asked_{"web", 1000};
  std::uint32_t next_number_ = 0;
  const Outlook* outlook_ = nullptr;
};

// Says what it is told to.
class ToldOutlook final : public Outlook {
 public:
  void Follow(Inventory& /*view*/, Time /*now*/, Duration /*late*/) override {}
  bool Refresh(Inventory& /*view*/, std::uint32_t /*machines_max*/) override { return false; }
  void Observe(const Instance& /*instance*/, const Resources& /*usage*/, Time /*at*/) override {}
  std::uint64_t epoch() const override { return 1; }
  Resources Usage(MachineIndex /*machine*/) const override { return usage; }
  Resources NewcomerUsage(const Traits& /*newcomer*/) const override { return newcomer; }
  Risk RiskOf(const Traits& /*newcomer*/, MachineIndex /*machine*/) const override { return risk; }
  bool IsHeldOut(MachineIndex /*machine*/) const override { return held_out; }
  LoadWeights WeightsIn(ClusterIndex /*cluster*/) const override { return weights; }

  Resources usage;
  Resources newcomer;
  Risk risk;
  bool held_out = false;
  LoadWeights weights{};
};

TEST_F(RuleCases, ViolationProbability) {
  Add(Plain("a"));
  ToldOutlook told;
  const auto points = [&](std::uint32_t before, std::uint32_t after, std::string_view theta) {
    told.risk = {.repetitions = 100, .before = before, .after = after};
    return Points("violation_probability", theta, "a");
  };
  EXPECT_EQ(points(5, 90, ""), 0U) << "nothing is foreseen";
  outlook_ = &told;
  EXPECT_EQ(points(0, 0, ""), 0U);
  EXPECT_EQ(points(0, 1, ""), 1U + 9'999U) << "1% is not below 1%";
  EXPECT_EQ(points(0, 1, "theta: 1.1%"), 0U);
  EXPECT_EQ(points(40, 40, ""), 1U) << "it does no harm there";
  EXPECT_EQ(points(50, 75, ""), 1U + 499'999U) << "in half of the futures that were spared";
  EXPECT_EQ(points(0, 100, ""), kPointsMax) << "it dooms the machine";
  EXPECT_EQ(points(100, 100, ""), kPointsMax) << "doomed before";
  EXPECT_EQ(points(50, 75, "least: rise"), 1U + 249'999U) << "in a quarter of all futures";
  EXPECT_EQ(points(98, 100, "least: rise"), 1U + 19'999U);
  EXPECT_EQ(points(100, 100, "least: rise"), kPointsMax) << "the doomed come last by either";
}

TEST_F(RuleCases, HeldOutMachines) {
  Add(Plain("a"));
  ToldOutlook told;
  told.risk = {.repetitions = 100};
  outlook_ = &told;
  EXPECT_EQ(Points("held_out_machines", "", "a"), 0U);
  told.held_out = true;
  EXPECT_EQ(Points("held_out_machines", "", "a"), kPointsMax);
  told.risk.after = 1;
  EXPECT_EQ(Points("held_out_machines", "", "a"), 0U) << "nothing is held out from the doomed";
}

// 2 of 8 cpu and 16 of 32Gi are taken, 2 cpu more are expected: shares of a half and a half.
TEST_F(RuleCases, FitOfUsage) {
  Add(Plain("a"));
  ToldOutlook told;
  told.usage = Sized(2, 16);
  told.newcomer = Sized(2, 0);
  outlook_ = &told;
  EXPECT_EQ(Points("worst_fit", "of: usage", "a"), 250'000U) << "twice the capacity is the most";
  EXPECT_EQ(Points("best_fit", "of: usage", "a"), 750'000U);
  told.newcomer = Sized(4, 0);  // Three quarters of the cpu.
  EXPECT_EQ(Points("worst_fit", "of: usage", "a"), 375'000U);
  told.weights = {3, 1, 0, 0, 0};
  EXPECT_EQ(Points("worst_fit", "of: usage, weighting: sum", "a"),
            343'750U);  // 3/4 * 3/8 + 1/4 * 1/4.
  told.usage = Sized(20, 0);
  EXPECT_EQ(Points("worst_fit", "of: usage", "a"), kPointsMax) << "no more than that";
}

TEST_F(RuleCases, FitsCountsWhatYieldsForAsksThatDoNot) {
  Add(Plain("a"));
  PutInto(view_, PolicyText{testing::PolicyWithEvictions(100)});
  Run("batch", "globex", "a", Sized(7, 1));  // Gold.
  EXPECT_EQ(Against("fits", "evicting: true", "a"), "1 cpu free, needs 2 [more-machines]");
  Service batch = view_.FindService("batch")->record;
  batch.klass = ClassId("bronze");
  PutInto(view_, batch);
  EXPECT_EQ(Against("fits", "evicting: true", "a"), "");
  EXPECT_EQ(Against("fits", "", "a"), "1 cpu free, needs 2 [more-machines]");
  web_.klass = ClassId("bronze");  // Those that yield do not make others yield.
  EXPECT_EQ(Against("fits", "evicting: true", "a"), "1 cpu free, needs 2 [more-machines]");
  web_.klass = ClassId("gold");
  batch.yield_whole = true;
  PutInto(view_, batch);
  EXPECT_EQ(Against("fits", "evicting: true", "a"), "1 cpu free, needs 2 [more-machines]");
}

TEST_F(RuleCases, FewestEvictionsCountsThoseThatGo) {
  Add(Plain("a"));
  Add(Plain("b"));
  PutInto(view_, PolicyText{testing::PolicyWithEvictions(100)});
  Service batch = ServiceOf("batch", "globex");
  batch.klass = ClassId("bronze");
  PutInto(view_, batch);
  for (int i = 0; i < 8; ++i) Run("batch", "globex", "a", Sized(1, 1));
  EXPECT_EQ(Points("fewest_evictions", "", "a"), 20'000U);  // Two of a hundred.
  EXPECT_EQ(Points("fewest_evictions", "", "b"), 0U);
}

TEST_F(RuleCases, UsualClustersFirstIsTheSameForOneSizeAndAnotherForOthers) {
  std::vector<std::string> names;
  for (int c = 0; c < 20; ++c) {
    names.push_back(fmt::format("m{}", c));
    Machine machine = Plain(names.back());
    machine.cluster = ClusterId(fmt::format("c{}", c));
    Add(machine);
  }
  const auto order = [&] {
    std::vector<std::uint32_t> points;
    for (const std::string& name : names)
      points.push_back(Points("usual_clusters_first", "", name));
    return points;
  };
  const std::vector<std::uint32_t> small = order();
  Run("m3");  // What runs there does not matter,
  web_.klass = ClassId("bronze");
  EXPECT_EQ(order(), small);
  limit_ = Sized(4, 4);  // the size does.
  EXPECT_NE(order(), small);
  EXPECT_EQ(std::set(small.begin(), small.end()).size(), names.size());
}

TEST_F(RuleCases, BelowClusterLimitCountsTheAskAndOverSubscription) {
  Add(Plain("a"));
  Add(Plain("b"));
  Run("batch", "globex", "a", Sized(6, 1));  // Of 16 cpu in the cluster.
  EXPECT_EQ(Against("below_cluster_limit", "cpu: 50%", "b"), "");
  limit_ = Sized(3, 4);
  EXPECT_EQ(Against("below_cluster_limit", "cpu: 50%", "b"),
            "its cluster has 2 cpu left below its limit of 50%, needs 3 [more-machines]");
  EXPECT_EQ(Against("below_cluster_limit", "memory: 50%", "b"), "");
  limit_ = Sized(9, 4);
  EXPECT_EQ(Against("below_cluster_limit", "cpu: 0.5", "b"),
            "its cluster has 2 cpu left below its limit of 50%, needs 9 [smaller-ask]");
  PutInto(view_, PolicyText{"oversubscription: {cpu: 200%}"});
  EXPECT_EQ(Against("below_cluster_limit", "cpu: 50%", "b"), "");
}

TEST_F(RuleCases, QuotaCountsWhatTheTenantHasAndTheAsk) {
  Add(Plain("a"));
  Resources quota = Sized(6, 64);
  PutInto(view_, Tenant{.name = TenantId("acme"), .quota = quota});
  Run("a");
  Run("a");
  EXPECT_EQ(Against("quota", "", "a"), "");
  EXPECT_EQ(ConcernsOf("quota", "a"), Concerns::kNone);
  limit_ = Sized(3, 4);
  EXPECT_EQ(Against("quota", "", "a"),
            "tenant acme has a quota of 6 cpu and would use 7 [more-quota]");
  EXPECT_EQ(ConcernsOf("quota", "a"), Concerns::kAll);
}

TEST_F(RuleCases, QuotaLetsWhatExistsMoveAlsoWhenItWasLowered) {
  Add(Plain("a"));
  Run("a");
  PutInto(view_, Tenant{.name = TenantId("acme"), .quota = Sized(1, 1)});
  EXPECT_NE(Against("quota", "", "a"), "");
  asked_ = {"web", 0};
  EXPECT_EQ(Against("quota", "", "a"), "");
}

TEST_F(RuleCases, InstancesWithinCountsThoseOfAllServices) {
  Add(Plain("a"));
  Run("a");
  EXPECT_EQ(Against("instances_within", "most: 2", "a"), "");
  Run("batch", "globex", "a", Sized(1, 1));
  EXPECT_EQ(Against("instances_within", "most: 2", "a"),
            "holds 2 instances already, at most 2 may [more-machines]");
  EXPECT_EQ(Against("instances_within", "", "a"), "");
}

TEST_F(RuleCases, LeavesFreeTakesAShareOfTheWholeMachine) {
  Add(Plain("a"));
  Run("batch", "globex", "a", Sized(4, 1));
  EXPECT_EQ(Against("leaves_free", "cpu: 25%", "a"), "");  // 2 of 8 cpu are left.
  limit_ = Sized(3, 4);
  EXPECT_EQ(Against("leaves_free", "cpu: 25%", "a"),
            "would have 1 cpu left, 25% of it must stay free [more-machines]");
  limit_ = Sized(7, 4);
  EXPECT_EQ(Against("leaves_free", "cpu: 25%", "a"),
            "would have 0 cpu left, 25% of it must stay free [smaller-ask]");
  EXPECT_EQ(Against("leaves_free", "", "a"), "");
}

TEST_F(RuleCases, NonemptyMachinesFirst) {
  Add(Plain("a"));
  Add(Plain("b"));
  Run("batch", "globex", "b", Sized(1, 1));
  EXPECT_EQ(Points("nonempty_machines_first", "", "a"), kPointsMax);
  EXPECT_EQ(Points("nonempty_machines_first", "", "b"), 0U);
}

TEST_F(RuleCases, HeldForWholeLastHoldsTheEndOfTheCluster) {
  for (const std::string_view name : {"a", "b", "c"}) Add(Plain(name));
  Machine elsewhere = Plain("0");
  elsewhere.cluster = ClusterId("c2");
  Add(elsewhere);
  EXPECT_EQ(Points("held_for_whole_last", "per_cluster: 2", "a"), 0U);
  EXPECT_EQ(Points("held_for_whole_last", "per_cluster: 2", "b"), kPointsMax);
  EXPECT_EQ(Points("held_for_whole_last", "per_cluster: 2", "c"), kPointsMax);
  EXPECT_EQ(Points("held_for_whole_last", "per_cluster: 2", "0"), kPointsMax);
  limit_ = Sized(4, 16);  // Just half.
  EXPECT_EQ(Points("held_for_whole_last", "per_cluster: 2", "c"), kPointsMax);
  limit_ = Sized(1, 17);
  EXPECT_EQ(Points("held_for_whole_last", "per_cluster: 2", "c"), 0U);
}

TEST_F(RuleCases, FirstMachinesFirstGoesByRowRackAndName) {
  // In the order in which they stand in their cluster, not in that in which they came.
  Machine last = Plain("a");
  last.rack = RackId("r9");
  Add(last);
  Add(Plain("c"));
  Add(Plain("b"));
  Machine elsewhere = Plain("0");
  elsewhere.cluster = ClusterId("c2");
  Add(elsewhere);
  EXPECT_EQ(Points("first_machines_first", "", "b"), 0U);
  EXPECT_EQ(Points("first_machines_first", "", "c"), 333'333U);
  EXPECT_EQ(Points("first_machines_first", "", "a"), 666'666U);
  EXPECT_EQ(Points("first_machines_first", "", "0"), 0U);
}

TEST_F(RuleCases, LikelyToFailLastReadsARisk) {
  AddLabelled("a", "failure_risk", "0.25");
  AddLabelled("b", "failure_risk", "often");
  AddLabelled("c", "failure_risk", "7");
  AddLabelled("d", "disk_risk", "0.5");
  EXPECT_EQ(Points("likely_to_fail_last", "", "a"), 250'000U);
  EXPECT_EQ(Points("likely_to_fail_last", "", "b"), 0U);
  EXPECT_EQ(Points("likely_to_fail_last", "", "c"), kPointsMax);
  EXPECT_EQ(Points("likely_to_fail_last", "", "d"), 0U);
  EXPECT_EQ(Points("likely_to_fail_last", "label: disk_risk", "d"), 500'000U);
}

TEST_F(RuleCases, LatestHostFirst) {
  AddLabelled("a", "host_version", "v1");
  AddLabelled("b", "host_version", "v2");
  EXPECT_EQ(Points("latest_host_first", "latest: v2", "a"), kPointsMax);
  EXPECT_EQ(Points("latest_host_first", "latest: v2", "b"), 0U);
  EXPECT_EQ(Points("latest_host_first", "", "a"), Points("latest_host_first", "", "b"));
}

TEST_F(RuleCases, NewestGenerationFirst) {
  for (const std::string_view sku : {"gen4", "gen5", "gen6"}) {
    Machine machine = Plain(sku);
    machine.sku = SkuId(sku);
    Add(machine);
  }
  EXPECT_EQ(Points("newest_generation_first", "order: [gen6, gen5]", "gen6"), 0U);
  EXPECT_EQ(Points("newest_generation_first", "order: [gen6, gen5]", "gen5"), 500'000U);
  EXPECT_EQ(Points("newest_generation_first", "order: [gen6, gen5]", "gen4"), kPointsMax);
}

TEST_F(RuleCases, GpuMachinesLastUnlessTheAskWantsOne) {
  Machine machine = Plain("a");
  machine.capacity[Resource::kGpu] = 4000;
  Add(machine);
  Add(Plain("b"));
  EXPECT_EQ(Points("gpu_machines_last", "", "a"), kPointsMax);
  EXPECT_EQ(Points("gpu_machines_last", "", "b"), 0U);
  limit_[Resource::kGpu] = 1000;
  EXPECT_EQ(Points("gpu_machines_last", "", "a"), 0U);
}

TEST_F(RuleCases, BalancedUseComparesWhatIsLeftOfCpuAndMemory) {
  Add(Plain("a"));
  EXPECT_EQ(Points("balanced_use", "", "a"), 125'000U);  // 6 of 8 cpu, 28 of 32Gi.
  Run("batch", "globex", "a", Sized(0, 4));
  EXPECT_EQ(Points("balanced_use", "", "a"), 0U);
}

TEST_F(RuleCases, BestAndWorstFitWeighWhatIsLeft) {
  Add(Plain("a"));
  EXPECT_EQ(Points("best_fit", "", "a"), 812'500U);  // 6 of 8 cpu, 28 of 32Gi.
  EXPECT_EQ(Points("worst_fit", "", "a"), 187'500U);
  EXPECT_EQ(Points("worst_fit", "weights: {memory: 2}", "a"), 125'000U);
}

TEST_F(RuleCases, FewestInstancesFirst) {
  Add(Plain("a"));
  EXPECT_EQ(Points("fewest_instances_first", "", "a"), 0U);
  Run("a");
  Run("batch", "globex", "a", Sized(1, 1));
  EXPECT_EQ(Points("fewest_instances_first", "", "a"), 2000U);
}

TEST_F(RuleCases, SmallerMachinesFirst) {
  Machine large = Plain("a");
  large.capacity = Sized(2000, 32);
  Add(large);
  Add(Plain("b"));
  EXPECT_EQ(Points("smaller_machines_first", "", "a"), kPointsMax);
  EXPECT_EQ(Points("smaller_machines_first", "", "b"), 8000U);
}

TEST_F(RuleCases, PreferredLabelsCountsThoseThatAreMissing) {
  AddLabelled("a", "disk", "ssd");
  AddLabelled("b", "disk", "tape");
  EXPECT_EQ(Points("preferred_labels", "labels: {disk: ssd, net: fast}", "a"), 500'000U);
  EXPECT_EQ(Points("preferred_labels", "labels: {disk: ssd, net: fast}", "b"), kPointsMax);
  EXPECT_EQ(Points("preferred_labels", "", "b"), 0U);
}

TEST_F(RuleCases, EmptierRacksFirst) {
  Add(Plain("a"));
  Add(Plain("b"));
  Run("batch", "globex", "a", Sized(4, 1));
  EXPECT_EQ(Points("emptier_racks_first", "", "b"), 250'000U);  // 4 of 16 cpu in the rack.
}

TEST_F(RuleCases, FewestOfServiceIsAShareOfWhatItDeclares) {
  Add(Plain("a"));
  Add(Plain("b"));
  Machine apart = Plain("c");
  apart.rack = RackId("r2");
  Add(apart);
  EXPECT_EQ(ConcernsOf("fewest_of_service_in_rack", "a"), Concerns::kNone);
  EXPECT_EQ(ConcernsOf("fewest_of_service_on_machine", "a"), Concerns::kNone);
  Run("a");
  Run("batch", "globex", "b", Sized(1, 1));
  EXPECT_EQ(Points("fewest_of_service_in_rack", "", "b"), 250'000U);
  EXPECT_EQ(Points("fewest_of_service_in_rack", "", "c"), 0U);
  EXPECT_EQ(ConcernsOf("fewest_of_service_in_rack", "c"), Concerns::kOwn);
  EXPECT_EQ(Points("fewest_of_service_on_machine", "", "a"), 250'000U);
  EXPECT_EQ(Points("fewest_of_service_on_machine", "", "b"), 0U);
  EXPECT_EQ(ConcernsOf("fewest_of_service_on_machine", "c"), Concerns::kOwn);
}

TEST_F(RuleCases, OtherUpdateDomainsFirst) {
  for (const std::string_view name : {"a", "b", "c"}) {
    Machine machine = Plain(name);
    machine.update_domain = DomainId(name == "c" ? "ud2" : "ud1");
    Add(machine);
  }
  EXPECT_EQ(ConcernsOf("other_update_domains_first", "a"), Concerns::kNone);
  Run("a");
  Run("a");
  EXPECT_EQ(Points("other_update_domains_first", "", "b"), 500'000U);
  EXPECT_EQ(Points("other_update_domains_first", "", "c"), 0U);
  EXPECT_EQ(ConcernsOf("other_update_domains_first", "a"), Concerns::kAll);
}

TEST_F(RuleCases, AtMostPerUpdateDomain) {
  for (const std::string_view name : {"a", "b", "c"}) {
    Machine machine = Plain(name);
    machine.update_domain = DomainId(name == "c" ? "ud2" : "ud1");
    Add(machine);
  }
  web_.constraints.max_per_update_domain = 1;
  EXPECT_EQ(ConcernsOf("at_most_per_update_domain", "a"), Concerns::kNone);
  Run("a");
  EXPECT_EQ(ConcernsOf("at_most_per_update_domain", "a"), Concerns::kAll);
  EXPECT_EQ(Against("at_most_per_update_domain", "", "b"),
            "its update domain holds 1 of the service already, at most 1 may "
            "[looser-constraints]");
  EXPECT_EQ(Against("at_most_per_update_domain", "", "c"), "");
  web_.constraints.max_per_update_domain = 2;
  EXPECT_EQ(Against("at_most_per_update_domain", "", "b"), "");
}

TEST_F(RuleCases, SameTenantFirst) {
  Add(Plain("a"));
  Add(Plain("b"));
  Run("mail", "acme", "a", Sized(1, 1));
  Run("batch", "globex", "b", Sized(1, 1));
  EXPECT_EQ(Points("same_tenant_first", "", "a"), 0U);
  EXPECT_EQ(Points("same_tenant_first", "", "b"), kPointsMax);
}

TEST_F(RuleCases, FullerClusters) {
  Add(Plain("a"));
  Add(Plain("b"));
  Run("batch", "globex", "a", Sized(4, 1));
  EXPECT_EQ(Points("fuller_clusters", "", "b"), 750'000U);  // 4 of 16 cpu are allocated.
}

TEST_F(RuleCases, ServiceClustersFirst) {
  Add(Plain("a"));
  Machine elsewhere = Plain("b");
  elsewhere.cluster = ClusterId("c2");
  Add(elsewhere);
  EXPECT_EQ(ConcernsOf("service_clusters_first", "a"), Concerns::kNone);
  EXPECT_EQ(Points("service_clusters_first", "", "b"), kPointsMax);
  Run("b");
  EXPECT_EQ(Points("service_clusters_first", "", "a"), kPointsMax);
  EXPECT_EQ(Points("service_clusters_first", "", "b"), 0U);
  EXPECT_EQ(ConcernsOf("service_clusters_first", "a"), Concerns::kAll);
}

TEST_F(RuleCases, ListedClustersFirst) {
  for (const std::string_view name : {"c1", "c2", "c3"}) {
    Machine machine = Plain(name);
    machine.cluster = ClusterId(name);
    Add(machine);
  }
  EXPECT_EQ(Points("listed_clusters_first", "order: [c2, c1]", "c2"), 0U);
  EXPECT_EQ(Points("listed_clusters_first", "order: [c2, c1]", "c1"), 500'000U);
  EXPECT_EQ(Points("listed_clusters_first", "order: [c2, c1]", "c3"), kPointsMax);
}

TEST(RuleOptions, ThatAreWrongAreToldWithTheirPlace) {
  const auto told = [](std::string_view rule) {
    const std::string text = fmt::format("allocate: {{rules: [{}]}}", rule);
    const Document document = ParseDocument(text, "p.yaml").value();
    return ParseAllocatePolicy(document.root()).status().message();
  };
  EXPECT_EQ(told("{below_cluster_limit: {cpu: 0%}}"),
            "p.yaml:1:48: allocate.rules[0].below_cluster_limit.cpu: '0%' is out of range; write a "
            "share from 1% to 100%, like 90% or 0.9");
  EXPECT_EQ(told("{leaves_free: {cpu: 101%}}"),
            "p.yaml:1:40: allocate.rules[0].leaves_free.cpu: '101%' is out of range; write a share "
            "from 0% to 100%, like 90% or 0.9");
  EXPECT_EQ(told("{listed_clusters_first: {order: [c 1]}}"),
            "p.yaml:1:53: allocate.rules[0].listed_clusters_first.order[0]: 'c 1' is not a name; "
            "write 1 to 128 letters, digits, '.', '_' or '-'");
  EXPECT_EQ(told("{preferred_labels: {labels: {disk: [ssd]}}}"),
            "p.yaml:1:55: allocate.rules[0].preferred_labels.labels.disk: is a list; write text");
  EXPECT_EQ(told("{worst_fit: {of: cpu}}"),
            "p.yaml:1:37: allocate.rules[0].worst_fit.of: must be 'limits' or 'usage'");
  EXPECT_EQ(told("{worst_fit: {weights: {cpus: 1}}}"),
            "p.yaml:1:43: allocate.rules[0].worst_fit.weights: unknown field 'cpus'; did you mean "
            "'cpu'?");
}

}  // namespace
}  // namespace berth
