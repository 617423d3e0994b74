#include <gtest/gtest.h>

#include "support/traces.h"

namespace berth {
namespace {

using std::chrono::seconds;

std::unique_ptr<Trace> OpenHuaweiSample() {
  auto trace = OpenTrace("huawei_topology:" + TestFile("huawei_topology/vms.csv"), {});
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  return std::move(trace).value();
}

std::string ErrorInVms(std::string_view rows) {
  return FirstError(NewHuaweiTopology(
      TraceSource::Memory(
          "flavor_vcpus,flavor_ram,numa,strategy,group,domain\n" + std::string(rows), "h.csv"),
      {}));
}

TEST(HuaweiTopology, TakesAVmWithoutAGroupAsAServiceOfItsOwn) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenHuaweiSample());
  ASSERT_EQ(arrivals.size(), 12U);
  EXPECT_EQ(arrivals[0].service.name, "vm-0");
  EXPECT_EQ(arrivals[0].service.tenant, TenantId("huawei"));
  EXPECT_EQ(arrivals[0].service.klass, ClassId("gold"));
  EXPECT_EQ(arrivals[0].service.constraints, Constraints());
  EXPECT_EQ(arrivals[0].lifetime, std::nullopt);
  EXPECT_EQ(arrivals[4].service.name, "vm-7");
  EXPECT_EQ(arrivals[4].at, Time(seconds(70)));
  EXPECT_EQ(arrivals[4].service.groups,
            (std::vector<InstanceGroup>{{.type = TypeId("c32-m64Gi"), .role = {}, .count = 1}}));
}

TEST(HuaweiTopology, SpreadsTheDomainsOfAGroupOverRacks) {
  const Arrival arrival = ReadAll(*OpenHuaweiSample())[1];
  EXPECT_EQ(arrival.service.name, "fault_domain-0");
  EXPECT_EQ(arrival.at, Time(seconds(10)));  // Where the first of its five VMs stands.
  EXPECT_EQ(arrival.service.constraints.spread_racks, 3U);
  EXPECT_EQ(arrival.service.groups,
            (std::vector<InstanceGroup>{
                {.type = TypeId("c8-m16Gi"), .role = RoleId("domain-0"), .count = 1},
                {.type = TypeId("c8-m16Gi"), .role = RoleId("domain-1"), .count = 2},
                {.type = TypeId("c8-m16Gi"), .role = RoleId("domain-2"), .count = 1},
                {.type = TypeId("c32-m128Gi"), .role = RoleId("domain-2"), .count = 1}}));
}

TEST(HuaweiTopology, KeepsAntiAffinityApartAndAffinityTogether) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenHuaweiSample());
  EXPECT_EQ(arrivals[2].service.name, "anti-affinity-0");
  EXPECT_EQ(arrivals[2].service.constraints.max_per_machine, 1U);
  EXPECT_EQ(arrivals[2].service.InstanceCount(), 3U);
  EXPECT_EQ(arrivals[3].service.name, "affinity-0");
  EXPECT_EQ(arrivals[3].service.constraints.within, Scope::kRow);
  EXPECT_EQ(arrivals[3].service.InstanceCount(), 3U);
}

TEST(HuaweiTopology, SaysWhatItAssumed) {
  std::string notes;
  for (const std::string& line : OpenHuaweiSample()->Notes().lines) notes += line + '\n';
  EXPECT_EQ(notes,
            "20 VMs of 11 sizes, 6 groups\n"
            "ignored columns: 'numa'\n"
            "flavor_ram is taken as GiB; nodes of NUMA within a machine are ignored\n"
            "a group is one service, placed whole where its first VM stands in the file; a VM "
            "without a group is a service of its own\n"
            "affinity: all in one row; anti-affinity: at most one on a machine; fault_domain: "
            "spread over as many racks as the group has domains, the domain is the role\n"
            "there are no times: a row stands for 10 s, and every VM stays\n"
            "there are no owners and classes: the tenant is huawei, the class gold\n");
}

TEST(HuaweiTopology, ImportsTheSameTwice) {
  EXPECT_EQ(Written(*OpenHuaweiSample()), Written(*OpenHuaweiSample()));
}

TEST(HuaweiTopology, RefusesWrongRows) {
  EXPECT_EQ(ErrorInVms("0,8,1\n"),
            "h.csv:2: column 'flavor_vcpus': '0' is not a whole number from 1 to 100000; write "
            "one");
  EXPECT_EQ(ErrorInVms("4,8,1,together,0\n"),
            "h.csv:2: column 'strategy': 'together' is not known; write affinity, anti-affinity, "
            "fault_domain or nothing");
  EXPECT_EQ(ErrorInVms("4,8,1,affinity\n"),
            "h.csv:2: column 'group': '' is not a whole number from 0 to 1000000; write one");
  EXPECT_EQ(ErrorInVms("4,8,1,fault_domain,0\n"),
            "h.csv:2: column 'domain': '' is not a whole number from 0 to 1000000; write one");
  EXPECT_EQ(ErrorInVms("4,8,1,affinity,0,0,0\n"),
            "h.csv:2: the row has 7 fields, the header 6; make them as many");
}

TEST(HuaweiTopology, RefusesAGroupTooLargeToPlaceWhole) {
  std::string rows;
  for (int i = 0; i < 2001; ++i) rows += "1,1,1,affinity,3\n";
  EXPECT_EQ(ErrorInVms(rows),
            "h.csv:2002: column 'group': affinity-3 has over 2000 VMs, too many to place whole; "
            "leave some out");
}

}  // namespace
}  // namespace berth
