#include <gtest/gtest.h>

#include "support/traces.h"

namespace berth {
namespace {

constexpr std::string_view kHeader = "at,service,type,count,lifetime\n";

Result<std::unique_ptr<Trace>> Open(std::string text) {
  return NewBerthTrace(TraceSource::Memory(std::move(text), "t.csv"), {});
}
std::string ErrorInTrace(std::string_view rows) {
  return FirstError(Open(std::string(kHeader).append(rows)));
}

TEST(BerthTrace, ReadsTheDocumentedExample) {
  auto trace = OpenTrace(TestFile("formats/trace.csv"), {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();

  const std::vector<InstanceType> types = trace.value()->Types();
  ASSERT_EQ(types.size(), 2U);
  EXPECT_EQ(types[1].name, TypeId("L16"));
  EXPECT_EQ(FormatResources(types[1].size), "16 cpu, 128Gi memory, 1Ti disk");
  EXPECT_EQ(types[1].skus, (std::vector{SkuId("gen5"), SkuId("gen6")}));
  EXPECT_EQ(types[1].requires_labels, (Labels{{LabelName("ssd"), LabelName("yes")}}));

  const std::vector<Arrival> arrivals = ReadAll(*trace.value());
  ASSERT_EQ(arrivals.size(), 8U);
  EXPECT_EQ(arrivals[0].service.constraints.spread_racks, 3U);
  EXPECT_EQ(arrivals[0].lifetime, std::nullopt);

  const Service& db = arrivals[1].service;
  EXPECT_EQ(db.name, "shop-db");
  EXPECT_EQ(db.groups, (std::vector<InstanceGroup>{
                           {.type = TypeId("L16"), .role = RoleId("primary"), .count = 1},
                           {.type = TypeId("L16"), .role = RoleId("secondary"), .count = 2}}));
  EXPECT_EQ(db.constraints.within, Scope::kDatacenter);
  EXPECT_EQ(db.constraints.labels, (Labels{{LabelName("ssd"), LabelName("yes")}}));

  EXPECT_EQ(arrivals[3].lifetime, std::chrono::milliseconds(95'250));
  EXPECT_EQ(ToMicros(arrivals[5].at), 61'000'001);
  EXPECT_TRUE(arrivals[5].service.constraints.isolate);
  EXPECT_EQ(arrivals[6].lifetime, Duration(0));
  EXPECT_EQ(arrivals[7].service.klass, ClassId("gold"));
  EXPECT_EQ(arrivals[7].service.InstanceCount(), 1U);
  EXPECT_EQ(arrivals[7].service.constraints.labels.size(), 2U);
}

TEST(BerthTrace, TakesDefaultsForMissingColumnsAndSaysSo) {
  auto trace = Open("type,service,at\nD2,web,1.5\n");
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(trace.value()->Notes().lines.size(), 13U);
  EXPECT_EQ(trace.value()->Notes().lines[1], "column 'class' is not there: taken as gold");
  const std::vector<Arrival> arrivals = ReadAll(*trace.value());
  ASSERT_EQ(arrivals.size(), 1U);
  EXPECT_EQ(arrivals[0].service.tenant, TenantId("default"));
  EXPECT_EQ(arrivals[0].service.constraints, Constraints());
}

TEST(BerthTrace, JoinsRowsOfOneServiceAndTimeOnly) {
  auto trace = Open(std::string(kHeader) + "1,a,D2,2,\n1,a,D4,3,\n1,b,D2,1,\n");
  ASSERT_TRUE(trace.ok());
  const std::vector<Arrival> arrivals = ReadAll(*trace.value());
  ASSERT_EQ(arrivals.size(), 2U);
  EXPECT_EQ(arrivals[0].service.InstanceCount(), 5U);
  EXPECT_EQ(ErrorInTrace("1,a,D2,2,\n2,a,D4,3,\n"),
            "t.csv:3: column 'at': differs from line 2, where service 'a' began; rows of one "
            "service must agree in it");
  EXPECT_EQ(ErrorInTrace("1,a,D2,2,5\n1,a,D4,3,\n"),
            "t.csv:3: column 'lifetime': differs from line 2, where service 'a' began; rows of one "
            "service must agree in it");
}

TEST(BerthTrace, EndsMoreThanOnce) {
  auto trace = Open(std::string(kHeader) + "1,a,D2,2,\n");
  ASSERT_TRUE(trace.ok());
  EXPECT_EQ(ReadAll(*trace.value()).size(), 1U);
  EXPECT_EQ(ReadAll(*trace.value()).size(), 0U);
}

TEST(BerthTrace, RefusesRowsOutOfOrderNamingBothTimes) {
  EXPECT_EQ(ErrorInTrace("7.5,a,D2,1,\n\n7.25,b,D2,1,\n"),
            "t.csv:4: column 'at': 7.25 comes after 7.5 in line 2; sort the rows by time");
}

TEST(BerthTrace, RefusesWrongValuesNamingLineAndColumn) {
  EXPECT_EQ(ErrorInTrace("1,a,D2,0,\n"),
            "t.csv:2: column 'count': '0' is not a whole number from 1 to 2000; write one");
  EXPECT_EQ(ErrorInTrace("1,a,D2,2001,\n"),
            "t.csv:2: column 'count': '2001' is not a whole number from 1 to 2000; write one");
  EXPECT_EQ(ErrorInTrace("1,a,D2,1999,\n1,a,D4,2,\n"),
            "t.csv:3: column 'count': service 'a' has 2001 instances with this row; write at most "
            "2000");
  EXPECT_EQ(ErrorInTrace("1,a,D2,1,-3\n"),
            "t.csv:2: column 'lifetime': '-3' is negative; write seconds from 0 on");
  EXPECT_EQ(ErrorInTrace("1.0000001,a,D2,1,\n"),
            "t.csv:2: column 'at': '1.0000001' is finer than a microsecond; write at most six "
            "decimals");
  EXPECT_EQ(ErrorInTrace("1,a/b,D2,1,\n"),
            "t.csv:2: column 'service': 'a/b' is not a name; write 1 to 128 letters, digits, '.', "
            "'_' and '-'");
  EXPECT_EQ(ErrorInTrace("1,a,,1,\n"),
            "t.csv:2: column 'type': '' is not a name; write 1 to 128 letters, digits, '.', '_' "
            "and '-'");
  EXPECT_EQ(ErrorInTrace("1,a,D2\n"),
            "t.csv:2: the row has 3 fields, the header 5; make them as many");
}

TEST(BerthTrace, RefusesWrongConstraints) {
  const auto error = [](std::string_view column, std::string_view value) {
    return FirstError(
        Open("at,service,type," + std::string(column) + "\n1,a,D2," + std::string(value)));
  };
  EXPECT_EQ(error("within", "city"),
            "t.csv:2: column 'within': 'city' is no scope; write zone, datacenter, cluster or row");
  EXPECT_EQ(error("isolate", "maybe"),
            "t.csv:2: column 'isolate': 'maybe' is no truth; write yes or no");
  EXPECT_EQ(error("spread_racks", "-1"),
            "t.csv:2: column 'spread_racks': '-1' is not a whole number from 0 to 1000000; write "
            "one");
  EXPECT_EQ(error("labels", "ssd"), "t.csv:2: column 'labels': 'ssd' has no '='; write name=value");
  EXPECT_EQ(error("labels", "a=1;a=2"),
            "t.csv:2: column 'labels': label 'a' is given twice; leave one out");
}

TEST(BerthTrace, RefusesWrongHeaders) {
  EXPECT_EQ(FirstError(Open("")), "t.csv:1: there is no header; begin with a row of column names");
  EXPECT_EQ(FirstError(Open("at,service\n")),
            "t.csv:1: column 'type': is missing; add it to the header");
  EXPECT_EQ(FirstError(Open("at,service,type,at\n")),
            "t.csv:1: column 'at': is there twice; remove one");
  EXPECT_EQ(FirstError(Open("at,service,type,colour\n")),
            "t.csv:1: column 'colour': is not known; the columns are at, service, tenant, class, "
            "type, role, count, lifetime, spread_racks, max_per_machine, max_per_rack, "
            "max_per_update_domain, within, isolate, yield_whole, labels");
}

TEST(BerthTrace, RefusesWrongTypes) {
  EXPECT_EQ(FirstError(Open("#type D2 cpu=2\n#type D2 cpu=3\n")),
            "t.csv:2: type 'D2' is defined twice; remove one");
  EXPECT_EQ(FirstError(Open("#type\n")),
            "t.csv:1: a type without a name; write '#type D4 cpu=4 memory=16Gi'");
  EXPECT_EQ(FirstError(Open("#type D2\n")),
            "t.csv:1: type 'D2' has no size; write '#type D2 cpu=4 memory=16Gi'");
  EXPECT_EQ(FirstError(Open("#type D2 cores=2\n")),
            "t.csv:1: 'cores' is not part of a type; the parts are cpu, memory, disk, network, "
            "gpu, skus and labels");
  EXPECT_EQ(ErrorInTrace("1,a,D2,1,\n#type D2 cpu=2\n"),
            "t.csv:3: a type is defined after the header; move it to the top");
}

TEST(BerthTrace, RefusesALineOver64KB) {
  EXPECT_EQ(ErrorInTrace("1,a,D2,1,\n" + std::string(70'000, 'x') + "\n"),
            "t.csv:3: the line is over 64 kB; is this the right file?");
}

}  // namespace
}  // namespace berth
