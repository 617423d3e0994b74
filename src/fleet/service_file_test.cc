#include "fleet/service_file.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

std::vector<Service> ParsedServices(std::string_view text) {
  Result<std::vector<Service>> services = ParseServiceFile(text, "s.yaml");
  EXPECT_TRUE(services.ok()) << services.status().message();
  return services.ok() ? std::move(services).value() : std::vector<Service>();
}

std::string ErrorInServices(std::string_view text) {
  const Result<std::vector<Service>> services = ParseServiceFile(text, "s.yaml");
  return services.ok() ? "accepted" : services.status().message();
}

TEST(ServiceFile, OneServiceNeedsNoList) {
  const std::vector<Service> services =
      ParsedServices("name: web\ntenant: acme\ninstances:\n  - {type: D4}\n");
  ASSERT_EQ(services.size(), 1U);
  const Service expected{.name = "web",
                         .tenant = TenantId("acme"),
                         .klass = ClassId("gold"),
                         .groups = {{TypeId("D4"), RoleId(), 1}},
                         .constraints = {}};
  EXPECT_EQ(services[0], expected);
}

TEST(ServiceFile, ReadsEveryField) {
  const std::vector<Service> services = ParsedServices(R"(services:
  - name: db
    tenant: acme
    class: silver
    instances:
      - {type: D4, role: primary, count: 1}
      - {type: D2, role: secondary, count: 1999}
    constraints:
      spread_racks: 3
      max_per_machine: 1
      max_per_rack: 700
      max_per_update_domain: 900
      within: row
      isolate: true
      labels: {ssd: "yes", arch: x86}
    yield_whole: true
  - {name: web, tenant: b, instances: [{type: D4, count: 2}]}
)");
  ASSERT_EQ(services.size(), 2U);
  const Service& db = services[0];
  EXPECT_EQ(db.klass.str(), "silver");
  EXPECT_EQ(db.InstanceCount(), 2000U);
  EXPECT_EQ(db.groups[1], (InstanceGroup{TypeId("D2"), RoleId("secondary"), 1999}));
  const Constraints expected{
      .labels = {{LabelName("arch"), LabelName("x86")}, {LabelName("ssd"), LabelName("yes")}},
      .spread_racks = 3,
      .max_per_machine = 1,
      .max_per_rack = 700,
      .max_per_update_domain = 900,
      .within = Scope::kRow,
      .isolate = true};
  EXPECT_EQ(db.constraints, expected);
  EXPECT_TRUE(db.yield_whole);
  EXPECT_FALSE(services[1].yield_whole);
}

TEST(ServiceFile, ErrorsSayWhereWhatAndWhatToDo) {
  struct Case {
    const char* text;
    const char* error;
  };
  const Case cases[] = {
      {"", "s.yaml:1:1: top level: is empty; write a map of fields"},
      {"services: []\nname: x\n",
       "s.yaml:2:1: top level: unknown field 'name'; known are services"},
      {"{tenant: a, instances: [{type: t}]}",
       "s.yaml:1:1: top level: field 'name' is missing; add it"},
      {"{name: w, tenant: a, instances: []}",
       "s.yaml:1:33: instances: is empty; name at least one type of instance"},
      {"{name: w, tenant: a, instances: [{type: t, count: 0}]}",
       "s.yaml:1:51: instances[0].count: '0' is out of range; write a whole number from 1 to 2000"},
      {"{name: w, tenant: a, instances: [{type: t, count: 2001}]}",
       "s.yaml:1:51: instances[0].count: '2001' is out of range; write a whole number from 1 to "
       "2000"},
      {"{name: w, tenant: a, instances: [{type: t, count: 1500}, {type: u, count: 501}]}",
       "s.yaml:1:33: instances: are 2001 in all, and 2000 are the most in one service; split it "
       "into several"},
      {"{name: w, tenant: a, instances: [{type: t, size: 2}]}",
       "s.yaml:1:44: instances[0]: unknown field 'size'; known are type, role, count"},
      {"{name: w, tenant: a, instances: [{type: t}], constraints: {within: rack}}",
       "s.yaml:1:68: constraints.within: 'rack' is no scope; write zone, datacenter, cluster or "
       "row"},
      {"{name: w, tenant: a, instances: [{type: t}], constraints: {isolate: yes}}",
       "s.yaml:1:69: constraints.isolate: 'yes' is neither true nor false; write one of them"},
      {"{name: w, tenant: a, instances: [{type: t}], constraints: {max_per_rack: -1}}",
       "s.yaml:1:74: constraints.max_per_rack: '-1' is out of range; write a whole number from 0 "
       "to 2000"},
      {"services:\n  - {name: w, tenant: a, instances: [{type: t}]}\n"
       "  - {name: w, tenant: b, instances: [{type: t}]}\n",
       "s.yaml:3:5: services[1]: there is a service w already, on line 2; give each a name of its "
       "own"},
  };
  for (const Case& c : cases) EXPECT_EQ(ErrorInServices(c.text), c.error) << c.text;
}

}  // namespace
}  // namespace berth
