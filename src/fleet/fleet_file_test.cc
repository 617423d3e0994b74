#include "fleet/fleet_file.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "berth/rng.h"
#include "fleet/cluster_layout.h"
#include "fleet/judge.h"

namespace berth {
namespace {

FleetFile ParsedFleet(std::string_view text) {
  Result<FleetFile> file = ParseFleetFile(text, "f.yaml");
  EXPECT_TRUE(file.ok()) << file.status().message();
  return file.ok() ? std::move(file).value() : FleetFile();
}

std::string ErrorInFleet(std::string_view text) {
  const Result<FleetFile> file = ParseFleetFile(text, "f.yaml");
  return file.ok() ? "accepted" : file.status().message();
}

const Machine& MachineNamed(const FleetFile& file, std::string_view name) {
  for (const Machine& machine : file.machines) {
    if (machine.name.str() == name) return machine;
  }
  ADD_FAILURE() << "no machine " << name;
  static const Machine kNone;
  return kNone;
}

Resources Of(std::int64_t cpu_milli, std::int64_t memory) {
  Resources resources;
  resources[Resource::kCpu] = cpu_milli;
  resources[Resource::kMemory] = memory;
  return resources;
}

Labels LabelsOf(std::initializer_list<std::pair<const char*, const char*>> pairs) {
  Labels labels;
  for (const auto& [name, value] : pairs) labels.emplace_back(LabelName(name), LabelName(value));
  return labels;
}

constexpr std::string_view kHead = "zone: z\nskus:\n  - {name: s, cpu: 8, memory: 32Gi}\n";

std::string WithHead(std::string_view rest) { return std::string(kHead) + std::string(rest); }

TEST(FleetFile, AGroupIsLaidOutEvenly) {
  const FleetFile file = ParsedFleet(WithHead("clusters:\n  - {name: c, sku: s, machines: 45}\n"));
  ASSERT_EQ(file.machines.size(), 45U);
  EXPECT_EQ(file.machines.front().name.str(), "c-0001");
  EXPECT_EQ(file.machines.back().name.str(), "c-0045");
  std::map<std::string, int> racks;
  std::map<std::string, std::set<std::string>> domains_of_rack;
  for (const Machine& machine : file.machines) {
    EXPECT_EQ(machine.datacenter.str(), "dc1");
    EXPECT_EQ(machine.row.str(), "r1");
    EXPECT_EQ(machine.capacity, Of(8000, std::int64_t{32} << 30));
    EXPECT_EQ(machine.health, Health::kReady);
    ++racks[machine.rack.str()];
    domains_of_rack[machine.rack.str()].insert(machine.update_domain.str());
  }
  EXPECT_EQ(racks, (std::map<std::string, int>{{"k01", 15}, {"k02", 15}, {"k03", 15}}));
  for (const auto& [rack, domains] : domains_of_rack) EXPECT_EQ(domains.size(), 5U) << rack;
}

TEST(FleetFile, RacksDifferByAtMostOneMachineAndRowsByAtMostOneRack) {
  for (std::uint32_t machines = 1; machines <= 40; ++machines) {
    for (std::uint32_t racks = 1; racks <= machines; racks += 3) {
      for (std::uint32_t rows = 1; rows <= racks; rows += 2) {
        const std::vector<Machine> all = LayOut({.name = ClusterId("c"),
                                                 .datacenter = DatacenterId("d"),
                                                 .machines = machines,
                                                 .racks = racks,
                                                 .rows = rows,
                                                 .labels = {}},
                                                {.name = SkuId("s"), .capacity = {}, .labels = {}});
        std::map<std::string, std::uint32_t> in_rack;
        std::map<std::string, std::set<std::string>> in_row;
        for (const Machine& machine : all) {
          ++in_rack[machine.rack.str()];
          in_row[machine.row.str()].insert(machine.rack.str());
        }
        ASSERT_EQ(in_rack.size(), racks);
        ASSERT_EQ(in_row.size(), rows);
        for (const auto& [rack, count] : in_rack) {
          ASSERT_TRUE(count == machines / racks || count == (machines + racks - 1) / racks);
        }
        for (const auto& [row, held] : in_row) {
          ASSERT_TRUE(held.size() == racks / rows || held.size() == (racks + rows - 1) / rows);
        }
      }
    }
  }
}

TEST(FleetFile, TheOrderOfNamesIsTheOrderOfNumbers) {
  const std::vector<Machine> machines = LayOut(
      {.name = ClusterId("c"), .datacenter = {}, .machines = 10'001, .racks = 501, .labels = {}},
      {.name = SkuId("s"), .capacity = {}, .labels = {}});
  EXPECT_EQ(machines.front().name.str(), "c-00001");
  for (std::size_t i = 1; i < machines.size(); ++i) {
    ASSERT_LT(machines[i - 1].name, machines[i].name);
    ASSERT_LE(machines[i - 1].rack, machines[i].rack);
  }
}

TEST(FleetFile, OverridesChangeWhatTheyNameAndNothingElse) {
  const FleetFile plain = ParsedFleet(WithHead("clusters:\n  - {name: c, sku: s, machines: 3}\n"));
  const FleetFile file = ParsedFleet(WithHead(R"(clusters:
  - {name: c, sku: s, machines: 3, labels: {tier: a, ssd: "yes"}}
machines:
  - {name: c-0002, health: draining, memory: 16Gi, update_domain: ud9, labels: {tier: b, x: "1"}}
)"));
  Machine expected = plain.machines[1];
  expected.health = Health::kDraining;
  expected.capacity = Of(8000, std::int64_t{16} << 30);
  expected.update_domain = DomainId("ud9");
  expected.labels = LabelsOf({{"ssd", "yes"}, {"tier", "b"}, {"x", "1"}});
  EXPECT_EQ(file.machines[1], expected);
  EXPECT_EQ(file.machines[0].labels, LabelsOf({{"ssd", "yes"}, {"tier", "a"}}));
}

TEST(FleetFile, AddsSingleMachinesByHand) {
  const FleetFile file = ParsedFleet(WithHead(R"(clusters:
  - {name: c, datacenter: east, sku: s, machines: 2, labels: {tier: a}}
machines:
  - {name: extra, cluster: c, rack: k77}
  - {name: lone-1, cluster: solo, sku: s, row: r3, rack: k01, health: updating}
  - {name: lone-2, cluster: solo, rack: k02}
)"));
  ASSERT_EQ(file.machines.size(), 5U);
  const Machine& extra = MachineNamed(file, "extra");
  EXPECT_EQ(extra.datacenter.str(), "east");
  EXPECT_EQ(extra.rack.str(), "k77");
  EXPECT_EQ(extra.row.str(), "r1");
  EXPECT_EQ(extra.update_domain.str(), "ud1");
  EXPECT_EQ(extra.labels, LabelsOf({{"tier", "a"}}));
  const Machine& lone = MachineNamed(file, "lone-1");
  EXPECT_EQ(lone.datacenter.str(), "dc1");
  EXPECT_EQ(lone.row.str(), "r3");
  EXPECT_EQ(lone.health, Health::kUpdating);
  EXPECT_EQ(MachineNamed(file, "lone-2").sku.str(), "s");
}

TEST(FleetFile, AQuotaBoundsOnlyWhatItNames) {
  const FleetFile file = ParsedFleet(WithHead(
      "tenants:\n  - {name: a, quota: {cpu: 4}}\n  - {name: b}\n  - {name: c, quota: {}}\n"));
  ASSERT_EQ(file.tenants.size(), 3U);
  ASSERT_TRUE(file.tenants[0].quota.has_value());
  EXPECT_EQ((*file.tenants[0].quota)[Resource::kCpu], 4000);
  EXPECT_EQ((*file.tenants[0].quota)[Resource::kMemory], kUnlimited);
  EXPECT_FALSE(file.tenants[1].quota.has_value());
  EXPECT_FALSE(file.tenants[2].quota.has_value());
}

TEST(FleetFile, ErrorsSayWhereWhatAndWhatToDo) {
  struct Case {
    const char* rest;
    const char* error;
  };
  const Case cases[] = {
      {"cluster: []\n", "f.yaml:4:1: top level: unknown field 'cluster'; did you mean 'clusters'?"},
      {"zone: y\n", "f.yaml:4:1: top level: duplicate key 'zone', first on line 1; keep one"},
      {"types:\n  - {name: t, cpu: 1, skus: [gen9]}\n",
       "f.yaml:5:30: types[0].skus[0]: there is no SKU gen9; known are s"},
      {"types:\n  - {name: t}\n",
       "f.yaml:5:5: types[0]: has no resources; give it at least cpu or memory"},
      {"types:\n  - {name: t, cpu: -1}\n",
       "f.yaml:5:20: types[0].cpu: '-1' is negative; write it like \"4\", \"2.5\" or \"250m\""},
      {"types:\n  - {name: t, cpu: 1}\n  - {name: t, cpu: 2}\n",
       "f.yaml:6:5: types[1]: there is a type t already, on line 5; give each a name of its own"},
      {"types:\n  - {name: t, memory: 9999Pi}\n",
       "f.yaml:5:23: types[0].memory: '9999Pi' is over the most that memory can be, 4Pi; write it "
       "like \"16Gi\", \"512MiB\" or \"2TB\""},
      {"tenants:\n  - {name: a/b}\n",
       "f.yaml:5:12: tenants[0].name: 'a/b' is not a name; write 1 to 128 letters, digits, '.', "
       "'_' or '-'"},
      {"tenants:\n  - {name: a, quota: {cores: 4}}\n",
       "f.yaml:5:23: tenants[0].quota: unknown field 'cores'; known are cpu, memory, disk, "
       "network, gpu"},
      {"clusters:\n  - {name: c, sku: x, machines: 1}\n",
       "f.yaml:5:20: clusters[0].sku: there is no SKU x; known are s"},
      {"clusters:\n  - {name: c, sku: s, machines: 0}\n",
       "f.yaml:5:33: clusters[0].machines: '0' is out of range; write a whole number from 1 to "
       "1000000"},
      {"clusters:\n  - {name: c, sku: s, machines: 2, racks: 3}\n",
       "f.yaml:5:5: clusters[0]: has 3 racks for 2 machines; give it at most one a machine"},
      {"clusters:\n  - {name: c, sku: s, machines: 3, racks: 1, rows: 2}\n",
       "f.yaml:5:5: clusters[0]: has 2 rows for 1 racks; give it at most one a rack"},
      {"clusters:\n  - {name: c, sku: s, machines: 1}\n  - {name: c, datacenter: e, sku: s, "
       "machines: 1}\n",
       "f.yaml:6:5: clusters[1]: there is a cluster c already, on line 5, and the machines of both "
       "would stand in two racks; give each a name of its own"},
      {"clusters:\n  - {name: a, sku: s, machines: 600000}\n  - {name: b, sku: s, machines: "
       "600000}\n",
       "f.yaml:6:5: clusters[1]: brings the fleet to 1200000 machines, and 1000000 are the most in "
       "one file; split it into zones"},
      {"clusters:\n  - {name: c, sku: s, machines: 4, racks: 2}\nmachines:\n  - {name: c-0001, "
       "rack: k02}\n",
       "f.yaml:7:5: machines[0]: machine c-0001 would stand in two racks, dc1/c/r1/k01 by line 5 "
       "and dc1/c/r1/k02 by this one; keep one of them"},
      {"machines:\n  - {name: m, cluster: c, rack: k01, sku: s}\n  - {name: m, cluster: c, rack: "
       "k02}\n",
       "f.yaml:6:5: machines[1]: machine m would stand in two racks, dc1/c/r1/k01 by line 5 and "
       "dc1/c/r1/k02 by this one; keep one of them"},
      {"machines:\n  - {name: m, cluster: c, rack: k01, sku: s}\n  - {name: m, health: down}\n",
       "f.yaml:6:5: machines[1]: there is a machine m already, on line 5; give each a name of its "
       "own"},
      {"clusters:\n  - {name: c, sku: s, machines: 4}\nmachines:\n  - {name: c-0005, health: "
       "down}\n",
       "f.yaml:7:5: machines[0]: no cluster has a machine c-0005; correct the name, or give it a "
       "cluster and a rack to add it by hand"},
      {"machines:\n  - {name: m, cluster: c, rack: k01}\n",
       "f.yaml:5:5: machines[0]: the first machine of cluster c does not say its SKU; add 'sku'"},
      {"machines:\n  - {name: m, cluster: c, rack: k01, sku: s, datacenter: e}\n  - {name: n, "
       "cluster: c, rack: k01, datacenter: w}\n",
       "f.yaml:6:5: machines[1]: cluster c stands in datacenter e by line 5 and in w by this one; "
       "keep one of them"},
      {"clusters:\n  - {name: c, sku: s, machines: 4}\nmachines:\n  - {name: c-0001, health: "
       "sick}\n",
       "f.yaml:7:28: machines[0].health: 'sick' is no health; write ready, draining, down or "
       "updating"},
      {"clusters:\n  - {name: c, sku: s, machines: 1, labels: {a b: x}}\n",
       "f.yaml:5:45: clusters[0].labels: 'a b' is not a label's name; write 1 to 128 letters, "
       "digits, '.', '_' or '-'"},
  };
  for (const Case& c : cases) EXPECT_EQ(ErrorInFleet(WithHead(c.rest)), c.error) << c.rest;
  EXPECT_EQ(ErrorInFleet("zone: z\n"), "f.yaml:1:1: top level: field 'skus' is missing; add it");
  EXPECT_EQ(ErrorInFleet("zone: z\nskus:\n  - {name: s, cpu: 1}\n  - {name: t, cpu: 1}\nmachines:\n"
                         "  - {name: m, cluster: c, rack: k, sku: s}\n"
                         "  - {name: n, cluster: c, rack: k, sku: t}\n"),
            "f.yaml:7:5: machines[1]: machine n is a t, but cluster c holds s by line 6; a cluster "
            "holds one SKU");
  EXPECT_EQ(
      ErrorInFleet("zone: z\nskus:\n  - {name: s, cpu: 1}\n  - {name: t, cpu: 1}\nclusters:\n"
                   "  - {name: c, sku: s, machines: 1}\nmachines:\n"
                   "  - {name: c-0001, sku: t}\n"),
      "f.yaml:8:5: machines[0]: machine c-0001 is a s by line 6 and a t by this one; keep one "
      "of them");
  const std::string long_name(124, 'x');
  EXPECT_EQ(
      ErrorInFleet(WithHead("clusters:\n  - {name: " + long_name + ", sku: s, machines: 1}\n")),
      "f.yaml:5:5: clusters[0]: has a name too long to number its machines after it; shorten "
      "it");
}

TEST(FleetFile, BecomesChangesThatAStoreTakes) {
  const FleetFile file =
      ParsedFleet(WithHead("types:\n  - {name: t, cpu: 1}\ntenants:\n  - {name: a}\n"
                           "clusters:\n  - {name: c, sku: s, machines: 20001}\n"));
  const std::vector<ChangeSet> changes = ToChanges(file);
  ASSERT_EQ(changes.size(), 2U);
  Inventory inventory;
  for (ChangeSet change : changes) {
    EXPECT_LE(change.operations.size(), kOperationsMax);
    change.seen = inventory.revision();
    Judgement judgement = Judge(inventory, change, Time());
    ASSERT_FALSE(judgement.violation.has_value()) << judgement.violation->because;
    const Revision revision = Next(inventory.revision());
    for (Update& update : judgement.updates) update.revision = revision;
    inventory.Apply({.revision = revision, .at = Time(), .updates = judgement.updates});
  }
  EXPECT_EQ(inventory.machines().size(), 20'001U);
  EXPECT_NE(inventory.Find(TypeId("t")), nullptr);
  EXPECT_NE(inventory.Find(TenantId("a")), nullptr);
}

TEST(FleetFileFormat, WritesEvenClustersAsGroups) {
  const std::string text = R"(zone: west-1
skus:
  - {name: s, cpu: 24, memory: 192Gi, network: 40Gbit, labels: {generation: "4"}}
types:
  - {name: D4, cpu: 4, memory: 16Gi, skus: [s], labels: {ssd: "y"}}
tenants:
  - {name: acme, quota: {cpu: 400, memory: 2Ti}}
  - {name: "true"}
clusters:
  - {name: c1, datacenter: dc1, sku: s, machines: 40, racks: 4, rows: 2, update_domains: 5, labels: {ssd: "y"}}
machines:
  - {name: c1-0007, update_domain: ud9, health: down, memory: 128Gi, labels: {memory: "reduced"}}
)";
  // The override makes a sixth update domain, so the writer counts six and names what differs.
  const FleetFile file = ParsedFleet(text);
  EXPECT_EQ(ParsedFleet(FormatFleetFile(file)), file);
  FleetFile plain = file;
  plain.machines[6].update_domain = DomainId("ud2");
  std::string expected = text;
  expected.erase(expected.find("update_domain: ud9, "), 20);
  EXPECT_EQ(FormatFleetFile(plain), expected);
}

std::string RandomFile(Rng& rng) {
  const auto below = [&](std::uint64_t n) { return rng.Below(n); };
  std::string text = "zone: z\nskus:\n";
  for (int i = 0; i < 3; ++i) {
    text += fmt::format(
        "  - {{name: s{}, cpu: 1{}.{}, memory: 1{}Mi, disk: {}, network: 1{}Mbit, labels: {{a: "
        "x{}, "
        "\"1\": \"2\"}}}}\n",
        i, below(9), below(9), below(999), below(99999), below(99), below(2));
  }
  std::string clusters;
  std::string machines;
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t count = 1 + below(30);
    const std::uint64_t racks = 1 + below(count);
    clusters += fmt::format(
        "  - {{name: c{}, datacenter: d{}, sku: s{}, machines: {}, racks: {}, rows: {}, "
        "update_domains: 1, labels: {{b: y{}}}}}\n",
        i, below(2), below(3), count, racks, 1 + below(racks), below(2));
    if (below(2) == 0) continue;
    machines += fmt::format(
        "  - {{name: c{}-0001, health: down, cpu: {}, update_domain: ud{}, labels: {{a: x{}, c: "
        "z{}}}}}\n",
        i, below(100), below(3), below(2), below(2));
    if (below(2) == 0) machines += fmt::format("  - {{name: c{0}x, cluster: c{0}, rack: q}}\n", i);
  }
  if (below(2) == 0) machines += "  - {name: lone, cluster: l, sku: s0, rack: k1, memory: 5}\n";
  text += "clusters:\n" + clusters;
  if (!machines.empty()) text += "machines:\n" + machines;
  return text;
}

TEST(FleetFileFormat, WhatItWritesReadsBackTheSame) {
  Rng rng(11);
  for (int i = 0; i < 100; ++i) {
    const std::string text = RandomFile(rng);
    const FleetFile file = ParsedFleet(text);
    const std::string written = FormatFleetFile(file);
    FleetFile again = ParsedFleet(written);
    // Machines by hand follow the clusters, in the order of the clusters they joined.
    FleetFile sorted = file;
    std::ranges::sort(sorted.machines, {}, &Machine::name);
    std::ranges::sort(again.machines, {}, &Machine::name);
    ASSERT_EQ(again, sorted) << text << "\nbecame\n" << written;
    ASSERT_EQ(FormatFleetFile(ParsedFleet(written)), written);
  }
}

TEST(FleetFileFormat, AnUnevenClusterIsWrittenByHand) {
  FleetFile file =
      ParsedFleet(WithHead("clusters:\n  - {name: c, sku: s, machines: 4, racks: 2}\n"));
  file.machines.erase(file.machines.begin() + 1);
  const std::string written = FormatFleetFile(file);
  EXPECT_EQ(written.find("clusters:"), std::string::npos) << written;
  EXPECT_EQ(ParsedFleet(written), file);
}

}  // namespace
}  // namespace berth
