// The reference must see every kind of broken fleet, or the simulation proves nothing.
#include "sim/faults/reference.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <utility>

namespace berth::faults {
namespace {

Resources Cpus(std::int64_t cpus) {
  Resources size;
  size[Resource::kCpu] = cpus * 1000;
  return size;
}

Update PutOf(Record record) {
  RecordKey key = KeyOf(record);
  return {.key = std::move(key), .record = std::move(record), .revision = {}};
}

Machine MachineIn(std::string_view name, std::string_view cluster, std::string_view rack) {
  Machine machine;
  machine.name = MachineId(name);
  machine.cluster = ClusterId(cluster);
  machine.rack = RackId(rack);
  machine.capacity = Cpus(4);
  return machine;
}

Service ServiceOf(std::string name, std::string_view tenant, std::uint32_t count) {
  Service service;
  service.name = std::move(name);
  service.tenant = TenantId(tenant);
  service.groups = {{.type = TypeId("small"), .role = {}, .count = count}};
  return service;
}

Instance InstanceOn(std::string service, std::uint32_t number, std::string_view machine) {
  Instance instance;
  instance.id = {std::move(service), number};
  instance.type = TypeId("small");
  instance.limit = Cpus(1);
  instance.machine = MachineId(machine);
  if (!machine.empty()) instance.state = InstanceState::kPlaced;
  return instance;
}

// Machines a and b in rack r0 of cluster c0, c in rack r1 of cluster c1; four cpus each.
class Fleet {
 public:
  Fleet() {
    EXPECT_EQ(Commit({MachineIn("a", "c0", "r0"), MachineIn("b", "c0", "r0"),
                      MachineIn("c", "c1", "r1")}),
              "");
  }

  // What is wrong after these, if anything is.
  std::string Commit(const std::vector<Record>& records) {
    Committed committed;
    for (const Record& record : records) committed.updates.push_back(PutOf(record));
    return Apply(committed);
  }
  std::string Apply(const Committed& committed) { return reference_.Apply(committed).value_or(""); }

  // A service with an instance on each of these machines; "" is none.
  std::string Create(const Service& service, const std::vector<std::string_view>& machines) {
    std::vector<Record> records = {service};
    for (std::uint32_t i = 0; i < machines.size(); ++i) {
      records.emplace_back(InstanceOn(service.name, i, machines[i]));
    }
    return Commit(records);
  }

 private:
  Reference reference_;
};

TEST(FaultsReference, AcceptsWhatHolds) {
  Fleet fleet;
  EXPECT_EQ(fleet.Create(ServiceOf("web", "acme", 4), {"a", "a", "b", "c"}), "");
  EXPECT_EQ(fleet.Create(ServiceOf("later", "acme", 2), {"", ""}), "");
}

TEST(FaultsReference, SeesAMachineOverItsCapacity) {
  Fleet fleet;
  EXPECT_EQ(fleet.Create(ServiceOf("web", "acme", 3), {"a", "a", "a"}), "");
  EXPECT_EQ(fleet.Create(ServiceOf("db", "acme", 2), {"a", "a"}),
            "machine a is over its capacity: 5 cpu of 4");
}

TEST(FaultsReference, SeesAMachineThatShrankUnderWhatItHolds) {
  Fleet fleet;
  EXPECT_EQ(fleet.Create(ServiceOf("web", "acme", 3), {"a", "a", "a"}), "");
  Machine smaller = MachineIn("a", "c0", "r0");
  smaller.capacity = Cpus(2);
  EXPECT_EQ(fleet.Commit({smaller}), "machine a is over its capacity: 3 cpu of 2");
}

TEST(FaultsReference, SeesAMachineThatLeftWithWhatItHolds) {
  Fleet fleet;
  EXPECT_EQ(fleet.Create(ServiceOf("web", "acme", 1), {"a"}), "");
  Committed gone;
  gone.updates.push_back(
      {.key = KeyOf(RecordKind::kMachine, "a"), .record = std::nullopt, .revision = {}});
  EXPECT_EQ(fleet.Apply(gone), "machine a is gone but holds instances");
}

TEST(FaultsReference, SeesIsolationBrokenBothWays) {
  Service alone = ServiceOf("alone", "acme", 1);
  alone.constraints.isolate = true;
  const std::string broken = "machine a holds an isolating service beside another tenant";
  Fleet first;
  EXPECT_EQ(first.Create(alone, {"a"}), "");
  EXPECT_EQ(first.Create(ServiceOf("own", "acme", 1), {"a"}), "");
  EXPECT_EQ(first.Create(ServiceOf("other", "globex", 1), {"a"}), broken);
  Fleet second;
  EXPECT_EQ(second.Create(ServiceOf("other", "globex", 1), {"a"}), "");
  EXPECT_EQ(second.Create(alone, {"a"}), broken);
}

TEST(FaultsReference, SeesSpreadBroken) {
  Service service = ServiceOf("web", "acme", 3);
  service.constraints.max_per_machine = 1;
  EXPECT_EQ(Fleet().Create(service, {"a", "a", "c"}),
            "service web has 2 instances on one machine and allows 1");
  service.constraints = {};
  service.constraints.max_per_rack = 1;
  EXPECT_EQ(Fleet().Create(service, {"a", "b", "c"}),
            "service web has 2 instances in one rack and allows 1");
  service.constraints = {};
  service.constraints.max_per_update_domain = 2;
  EXPECT_EQ(Fleet().Create(service, {"a", "b", "c"}),
            "service web has 3 instances in one update domain and allows 2");
  service.constraints = {};
  service.constraints.spread_racks = 2;
  EXPECT_EQ(Fleet().Create(service, {"a", "b", "c"}), "");
  EXPECT_EQ(Fleet().Create(service, {"a", "b", "b"}),
            "service web asks for 2 racks and has 3 of 3 instances in one");
  service.constraints = {};
  service.constraints.within = Scope::kCluster;
  EXPECT_EQ(Fleet().Create(service, {"a", "b", "c"}),
            "service web must stay within one cluster and does not");
}

TEST(FaultsReference, SeesAGangThatIsNeitherWholeNorAbsent) {
  EXPECT_EQ(Fleet().Create(ServiceOf("web", "acme", 3), {"a", "b"}),
            "service web is neither whole nor absent: 1 missing instances of type small");
  EXPECT_EQ(Fleet().Create(ServiceOf("web", "acme", 1), {"a", "b"}),
            "service web is neither whole nor absent: 1 surplus instances of type small");
  EXPECT_EQ(Fleet().Create(ServiceOf("web", "acme", 2), {"a", ""}),
            "service web was created in part: 1 of its instances wait");
  Fleet fleet;
  EXPECT_EQ(fleet.Create(ServiceOf("web", "acme", 1), {"a"}), "");
  Committed gone;
  gone.updates.push_back(
      {.key = KeyOf(RecordKind::kService, "web"), .record = std::nullopt, .revision = {}});
  EXPECT_EQ(fleet.Apply(gone),
            "service web is neither whole nor absent: 1 surplus instances of type small");
}

TEST(FaultsReference, SeesAnArrivalWhereNoneMayArrive) {
  Fleet fleet;
  EXPECT_EQ(fleet.Create(ServiceOf("web", "acme", 1), {"a"}), "");
  Machine down = MachineIn("a", "c0", "r0");
  down.health = Health::kDown;
  EXPECT_EQ(fleet.Commit({down}), "");
  EXPECT_EQ(fleet.Create(ServiceOf("db", "acme", 1), {"a"}),
            "an instance was put on machine a, which is down");
}

TEST(FaultsReference, SeesADecisionThatSaysWhatWasNotDone) {
  Fleet fleet;
  Decision decision;
  decision.id = {"a0", 1};
  decision.subject = "web";
  decision.placed = {{.instance = 0, .machine = MachineId("b")}};
  EXPECT_EQ(fleet.Commit({ServiceOf("web", "acme", 1), InstanceOn("web", 0, "a"), decision}),
            "decision a0-1 placed web/0 on b, but its commit did not");
}

}  // namespace
}  // namespace berth::faults
