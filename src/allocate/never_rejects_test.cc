// Nothing is refused that fits somewhere, and nothing is accepted that fits nowhere: an agent with
// all that it keeps against a search of every machine, on fleets that fill up.
#include <gtest/gtest.h>

#include <map>

#include "allocate/agent.h"
#include "allocate/evaluate.h"
#include "base/virtual_executor.h"
#include "store/memory_store.h"
#include "support/plain_fleet.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

using testing::PlainFleet;
using testing::RandomQuota;
using testing::Sized;

constexpr std::uint64_t kFleets = 200;
constexpr int kRequests = 50;

struct Counts {
  std::uint64_t asked = 0;
  std::uint64_t accepted = 0;
  std::uint64_t outside_only = 0;  // Fitted on no machine of the first k clusters, but elsewhere.
  std::uint64_t evicting = 0;      // Accepted, and somebody yielded.
  std::map<DecisionKind, std::uint64_t> refused;
};

// One instance that needs a machine, and the request that asks for it.
struct WantedRoom {
  Service service;  // As it would be.
  Instance instance;
  Request request;
};

class FillingFleet {
 public:
  FillingFleet(std::uint64_t seed, Counts& counts)
      : rng_(seed),
        counts_(counts),
        looked_at_first_(static_cast<std::uint32_t>(1 + rng_.Below(3))),
        clusters_(4 * looked_at_first_ + rng_.Below(4)),
        evicts_(rng_.Below(2) == 0),
        plain_(evicts_ ? std::set<ClassId>{ClassId("bronze")} : std::set<ClassId>{}) {
    watch_ = store_.WatchFrom(Revision{}, executor_, [this](const WatchEvent& event) {
      for (const Update& update : event.committed->updates) plain_.Take(update);
    });
    agent_.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    Answer({.what = ApplyPolicy{Policy()}});
    Answer({.what = ChangeFleet{.put = Records(), .remove = {}}});
  }

  // One request and what the search says about it.
  void Step() {
    if (rng_.Below(15) == 0) ChangeHealth();
    const WantedRoom wanted = AnyWanted();
    std::vector<MachineId> takers = plain_.Takers(wanted.service, wanted.instance);
    std::erase(takers, wanted.instance.machine);  // A move leads elsewhere.
    ++counts_.asked;
    if (!takers.empty() && AllOutsideTheFirst(wanted, takers)) ++counts_.outside_only;

    const Reply reply = Answer(wanted.request);
    ASSERT_TRUE(reply.status.ok()) << reply.status.message();
    ASSERT_TRUE(reply.decision.has_value());
    ASSERT_EQ(reply.accepted(), !takers.empty())
        << (reply.accepted() ? "placed on " + reply.decision->placed.front().machine.str()
                             : reply.decision->refusal->because);
    if (!reply.accepted()) {
      ++counts_.refused[reply.decision->kind];
      return;
    }
    ++counts_.accepted;
    if (!reply.decision->evicted.empty()) ++counts_.evicting;
    ASSERT_EQ(reply.decision->placed.size(), 1U);
    const MachineId chosen = reply.decision->placed.front().machine;
    ASSERT_NE(std::ranges::find(takers, chosen), takers.end()) << chosen.str();
    ASSERT_EQ(plain_.Broken(), "");
  }

 private:
  // Of the orders of clusters, those in which the first ones fill up or are drawn.
  std::string Policy() {
    std::vector<std::string> listed;
    for (std::uint64_t c = 0; c < clusters_; ++c) listed.push_back(fmt::format("c{}", c));
    rng_.Shuffle(std::span(listed));
    const std::vector<std::string> rules = {
        "best_fit",
        "worst_fit, same_tenant_first",
        "usual_clusters_first, {best_fit: {buckets: 4}}",
        "fewest_of_service_in_rack, {best_fit: {buckets: 3}}",
        fmt::format("{{listed_clusters_first: {{order: [{}]}}}}, best_fit",
                    fmt::join(listed, ", ")),
    };
    return fmt::format(
        "classes:\n"
        "  - {{name: gold, availability: 100%, importance: 3}}\n"
        "  - {{name: bronze, availability: 50%, importance: 1, may_wait: false, evictable: {}}}\n"
        "allocate:\n"
        "  clusters: {}\n"
        "  cache: {{evaluations: {}, rule_objects: {}}}\n"
        "  rules: [{}{}]\n",
        evicts_, looked_at_first_, 1 + rng_.Below(60), 1 + rng_.Below(120),
        evicts_ ? "{fits: {evicting: true}}, fewest_evictions, " : "",
        rules[rng_.Below(rules.size())]);
  }

  std::vector<Record> Records() {
    std::vector<Record> records;
    for (const char* name : {"acme", "globex", "initech"}) {
      records.emplace_back(Tenant{.name = TenantId(name), .quota = RandomQuota(rng_)});
    }
    for (std::size_t i = 0; i < kTypes.size(); ++i) {
      InstanceType type;
      type.name = TypeId(kTypes[i]);
      type.size = Sized(1 + static_cast<std::int64_t>(rng_.Below(4)),
                        1 + static_cast<std::int64_t>(rng_.Below(8)));
      if (i == 1) type.skus = {SkuId("sku1")};
      if (i == 2) type.requires_labels = {{LabelName("disk"), LabelName("ssd")}};
      records.emplace_back(type);
    }
    for (std::uint64_t c = 0; c < clusters_; ++c) {
      const std::uint64_t machines = 1 + rng_.Below(4);
      for (std::uint64_t m = 0; m < machines; ++m) records.emplace_back(AnyMachine(c, m));
    }
    return records;
  }

  Machine AnyMachine(std::uint64_t cluster, std::uint64_t number) {
    Machine machine;
    machine.name = MachineId(fmt::format("c{}-m{}", cluster, number));
    machine.datacenter = DatacenterId(fmt::format("d{}", cluster % 2));
    machine.cluster = ClusterId(fmt::format("c{}", cluster));
    machine.row = RowId(fmt::format("row{}", number / 2));
    machine.rack = RackId(fmt::format("r{}", rng_.Below(2)));
    machine.sku = SkuId(fmt::format("sku{}", cluster % 3));
    machine.capacity = Sized(3 + static_cast<std::int64_t>(rng_.Below(6)),
                             6 + static_cast<std::int64_t>(rng_.Below(12)));
    if (rng_.Below(3) == 0) machine.labels = {{LabelName("disk"), LabelName("ssd")}};
    if (rng_.Below(8) == 0) machine.health = Health::kUpdating;
    return machine;
  }

  void ChangeHealth() {
    auto at = plain_.machines().begin();
    std::advance(at, static_cast<std::ptrdiff_t>(rng_.Below(plain_.machines().size())));
    const Health health = at->second.health == Health::kReady
                              ? static_cast<Health>(1 + rng_.Below(3))
                              : Health::kReady;
    EXPECT_TRUE(Answer({.what = SetHealth{at->first, health}}).accepted());
  }

  WantedRoom AnyWanted() {
    const auto& services = plain_.services();
    if (services.empty() || rng_.Below(10) < 5) return NewService();
    auto at = services.begin();
    std::advance(at, static_cast<std::ptrdiff_t>(rng_.Below(services.size())));
    const Instance& first = plain_.instances().lower_bound({at->first, 0})->second;
    const bool moves = rng_.Below(4) == 0 && first.HoldsRoom();
    return moves ? WantedRoom{at->second, first, {.what = MoveInstance{first.id, MachineId()}}}
                 : OneMore(at->second);
  }

  WantedRoom NewService() {
    WantedRoom wanted;
    Service& service = wanted.service;
    service.name = fmt::format("s{}", counts_.asked);
    service.tenant = TenantId(testing::TenantNames()[rng_.Below(3)]);
    service.klass = ClassId(rng_.Below(2) == 0 ? "gold" : "bronze");
    service.groups = {{.type = TypeId(kTypes[rng_.Below(kTypes.size())]), .role = {}, .count = 1}};
    service.constraints = testing::RandomConstraints(rng_);
    service.yield_whole = rng_.Below(5) == 0;
    wanted.instance = InstanceOf(service, 0);
    wanted.request = {.what = CreateService{service}};
    return wanted;
  }

  WantedRoom OneMore(Service service) {
    ++service.groups.front().count;
    WantedRoom wanted;
    wanted.instance = InstanceOf(service, service.next_number);
    wanted.request = {.what = ScaleService{.service = service.name, .groups = service.groups}};
    wanted.service = std::move(service);
    return wanted;
  }

  Instance InstanceOf(const Service& service, std::uint32_t number) const {
    Instance instance;
    instance.id = {service.name, number};
    instance.type = service.groups.front().type;
    instance.limit = agent_.view().Find(instance.type)->size;
    return instance;
  }

  bool AllOutsideTheFirst(const WantedRoom& wanted, const std::vector<MachineId>& takers) const {
    const Inventory& view = agent_.view();
    Footprint footprint;
    if (const ServiceState* state = view.FindService(wanted.service.name)) {
      footprint = Footprint(view, *state);
    }
    std::vector<ClusterIndex> order =
        OrderClusters(agent_.policy(), AskFor(view, wanted.service, wanted.instance, footprint));
    order.resize(std::min<std::size_t>(order.size(), looked_at_first_));
    return std::ranges::none_of(takers, [&](MachineId taker) {
      return std::ranges::find(order, view.Find(taker)->cluster) != order.end();
    });
  }

  Reply Answer(Request request) {
    std::optional<Reply> answer;
    agent_.Submit(std::move(request), [&](Reply reply) { answer = std::move(reply); });
    executor_.RunUntilIdle();
    EXPECT_TRUE(answer.has_value());
    return answer.value_or(Reply{});
  }

  static constexpr std::array<const char*, 4> kTypes = {"plain", "picky", "labelled", "other"};

  Rng rng_;
  Counts& counts_;
  const std::uint32_t looked_at_first_;
  const std::uint64_t clusters_;
  const bool evicts_;
  PlainFleet plain_;
  VirtualExecutor executor_;
  MemoryStore store_;
  std::unique_ptr<Watch> watch_;
  Agent agent_{store_, executor_, {.name = "a0", .default_policy = std::string(ShippedPolicy())}};
};

TEST(NeverRejects, WhatASearchOfEveryMachineCanPlaceAndAcceptsNothingElse) {
  Counts counts;
  for (std::uint64_t seed = 0; seed < kFleets; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    FillingFleet fleet(seed, counts);
    for (int i = 0; i < kRequests; ++i) {
      fleet.Step();
      if (::testing::Test::HasFatalFailure()) return;
    }
  }
  const std::uint64_t refused = counts.asked - counts.accepted;
  fmt::print(
      "{} asked, {} accepted, {} refused, {} fit only outside the first clusters, {} evict\n",
      counts.asked, counts.accepted, refused, counts.outside_only, counts.evicting);
  EXPECT_EQ(counts.asked, kFleets * kRequests);
  EXPECT_GE(counts.outside_only * 10, counts.asked * 3);
  EXPECT_GE(counts.accepted * 10, counts.asked * 3);
  EXPECT_GE(refused * 10, counts.asked);
  EXPECT_GE(counts.evicting * 50, counts.asked);
  for (const DecisionKind kind : {DecisionKind::kCreate, DecisionKind::kScale, DecisionKind::kMove})
    EXPECT_GE(counts.refused[kind], 100U) << ToString(kind);
}

}  // namespace
}  // namespace berth
