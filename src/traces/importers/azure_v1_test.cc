#include <gtest/gtest.h>

#include "support/traces.h"

namespace berth {
namespace {

using std::chrono::seconds;

std::unique_ptr<Trace> OpenAzureSample(const TraceOptions& options) {
  auto trace = OpenTrace("azure_v1:" + TestFile("azure_v1/arrivals.csv"), options);
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  return std::move(trace).value();
}

std::string ErrorInArrivals(std::string_view rows) {
  return FirstError(NewAzureV1Trace(
      TraceSource::Memory(
          "arrival_s,batch,vcpu,mem_gb,life_lo_s,life_hi_s,censored\n" + std::string(rows),
          "a.csv"),
      {}));
}

TEST(AzureV1, PlacesTheVmsOfABatchSingly) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenAzureSample({.seed = 42}));
  ASSERT_EQ(arrivals.size(), 19U);
  EXPECT_EQ(arrivals[2].service.name, "batch-1-2");
  EXPECT_EQ(arrivals[2].service.tenant, TenantId("batch-1"));
  EXPECT_EQ(arrivals[2].service.groups,
            (std::vector<InstanceGroup>{{.type = TypeId("v4-m7"), .role = {}, .count = 1}}));
  EXPECT_EQ(arrivals[3].service.name, "batch-3-0");
  for (const Arrival& arrival : arrivals) EXPECT_EQ(arrival.service.InstanceCount(), 1U);
}

TEST(AzureV1, PlacesABatchWholeIfAsked) {
  const std::vector<Arrival> arrivals =
      ReadAll(*OpenAzureSample({.seed = 42, .batch_as_gang = true}));
  ASSERT_EQ(arrivals.size(), 11U);
  EXPECT_EQ(arrivals[0].service.name, "batch-1");
  EXPECT_EQ(arrivals[0].service.groups,
            (std::vector<InstanceGroup>{{.type = TypeId("v2-m3.5"), .role = {}, .count = 2},
                                        {.type = TypeId("v4-m7"), .role = {}, .count = 1}}));
  EXPECT_GE(*arrivals[0].lifetime, seconds(7500));  // The longest of its VMs.
  EXPECT_EQ(arrivals[3].lifetime, std::nullopt);    // One of its VMs is censored.
}

TEST(AzureV1, DrawsLifetimesInTheirBin) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenAzureSample({.seed = 42}));
  EXPECT_EQ(arrivals[0].lifetime, seconds(300));
  EXPECT_GE(*arrivals[2].lifetime, seconds(7500));
  EXPECT_LE(*arrivals[2].lifetime, seconds(10800));
  EXPECT_GT(*arrivals[3].lifetime, seconds(0));
  EXPECT_LT(*arrivals[3].lifetime, seconds(300));
  EXPECT_EQ(arrivals[5].lifetime, std::nullopt);
}

TEST(AzureV1, SpreadsArrivalsOverTheirBinInOrder) {
  const std::vector<Arrival> arrivals = ReadAll(*OpenAzureSample({.seed = 42}));
  const std::vector<std::int64_t> bins_s = {0,   0,    0,    0,    300,  300,  300,  300,  900, 900,
                                            900, 1200, 1200, 1500, 1500, 1500, 1500, 2400, 2400};
  for (std::size_t i = 0; i < arrivals.size(); ++i) {
    EXPECT_GE(arrivals[i].at, Time(seconds(bins_s[i]))) << i;
    EXPECT_LT(arrivals[i].at, Time(seconds(bins_s[i] + 300))) << i;
    EXPECT_GE(arrivals[i].at, arrivals[i == 0 ? 0 : i - 1].at) << i;
  }
  EXPECT_GT(arrivals[0].at, Time());
}

TEST(AzureV1, KnowsItsTypesBeforeTheFirstArrival) {
  const std::vector<InstanceType> types = OpenAzureSample({})->Types();
  ASSERT_EQ(types.size(), 8U);
  EXPECT_EQ(types[0].name, TypeId("v1-m0.75"));
  EXPECT_EQ(FormatResources(types[0].size), "1 cpu, 768Mi memory");
  EXPECT_EQ(types[7].name, TypeId("v16-m112"));
}

TEST(AzureV1, RoundsNeedsUp) {
  auto trace = NewAzureV1Trace(
      TraceSource::Memory("arrival_s,batch,vcpu,mem_gb\n0,1,0.0001,0.1\n", "a.csv"), {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  const InstanceType type = trace.value()->Types().at(0);
  EXPECT_EQ(type.name, TypeId("v0.0001-m0.1"));
  EXPECT_EQ(type.size[Resource::kCpu], 1);
  EXPECT_EQ(type.size[Resource::kMemory], 107'374'183);  // 107374182.4
}

TEST(AzureV1, SaysWhatItAssumed) {
  std::string notes;
  for (const std::string& line : OpenAzureSample({.seed = 1})->Notes().lines) notes += line + '\n';
  EXPECT_EQ(notes,
            "19 VMs of 8 sizes in 11 batches\n"
            "vcpu is cores; mem_gb is taken as GiB; needs are rounded up\n"
            "a batch is a tenant; its VMs are services of one instance each\n"
            "the class is gold; there are no constraints\n"
            "time starts at arrival_s 600; arrivals are spread evenly at random over their bin of "
            "300 s, in their order\n"
            "what ran before the trace is absent: the fleet starts empty\n"
            "lifetimes are drawn evenly from life_lo_s to life_hi_s; 0 means less than a bin\n"
            "2 censored VMs, known to last at least life_lo_s, stay to the trace's end\n");
}

TEST(AzureV1, LetsEveryVmStayWhereTheFileHasNoLifetimes) {
  auto trace = OpenTrace("azure_v1:" + TestFile("azure_v1/arrivals_only.csv"), {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(trace.value()->Notes().lines.back(),
            "the file has no lifetimes: every VM stays to the trace's end");
  for (const Arrival& arrival : ReadAll(*trace.value())) {
    EXPECT_EQ(arrival.lifetime, std::nullopt);
  }
}

TEST(AzureV1, ImportsTheSameTwiceAndOtherwiseWithAnotherSeed) {
  for (const bool as_gang : {false, true}) {
    const std::string once = Written(*OpenAzureSample({.seed = 42, .batch_as_gang = as_gang}));
    EXPECT_EQ(Written(*OpenAzureSample({.seed = 42, .batch_as_gang = as_gang})), once);
    EXPECT_NE(Written(*OpenAzureSample({.seed = 43, .batch_as_gang = as_gang})), once);
  }
}

TEST(AzureV1, SaysWhichColumnsItIgnored) {
  auto trace = NewAzureV1Trace(
      TraceSource::Memory("id,arrival_s,batch,vcpu,mem_gb,region\nx,0,1,1,1,y\n", "a.csv"), {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(trace.value()->Notes().lines.at(1), "ignored columns: 'id,region'");
}

TEST(AzureV1, RefusesWrongRows) {
  EXPECT_EQ(ErrorInArrivals("600,1,2,4,300,300,0\n300,2,2,4,300,300,0\n"),
            "a.csv:3: column 'arrival_s': 300 comes after 600; sort the rows by time");
  EXPECT_EQ(ErrorInArrivals("300,1,2,4,300,300,0\n600,1,2,4,300,300,0\n"),
            "a.csv:3: column 'batch': 1 comes after 1 of an earlier row; number the batches in the "
            "order of their arrival");
  EXPECT_EQ(ErrorInArrivals("300,2,2,4,300,300,0\n300,1,2,4,300,300,0\n"),
            "a.csv:3: column 'batch': 1 comes after 2 of an earlier row; number the batches in the "
            "order of their arrival");
  EXPECT_EQ(ErrorInArrivals("300,1,0,4,300,300,0\n"),
            "a.csv:2: column 'vcpu': '0' is not a number over 0 and up to 100000 with at most nine "
            "decimals; write one");
  EXPECT_EQ(ErrorInArrivals("300,1,2,4,600,300,0\n"),
            "a.csv:2: column 'life_hi_s': 300 is less than life_lo_s, 600; exchange them");
  EXPECT_EQ(ErrorInArrivals("300,1,2,4,-1,300,0\n"),
            "a.csv:2: column 'life_lo_s': '-1' is negative; write seconds from 0 on");
  EXPECT_EQ(ErrorInArrivals("300,1,2,4,300,300,2\n"),
            "a.csv:2: column 'censored': 2 is neither 0 nor 1; write one");
}

TEST(AzureV1, RefusesAFileWithHalfOfTheLifetimeColumns) {
  const std::string error = FirstError(
      NewAzureV1Trace(TraceSource::Memory("arrival_s,batch,vcpu,mem_gb,life_lo_s\n", "a.csv"), {}));
  EXPECT_TRUE(error.starts_with("a.csv:1: column 'life_hi_s': is missing")) << error;
}

TEST(AzureV1, RefusesABatchTooLargeToPlaceWhole) {
  std::string text = "arrival_s,batch,vcpu,mem_gb\n";
  for (int i = 0; i < 2001; ++i) text += "0,7,1,1\n";
  const TraceSource source = TraceSource::Memory(text, "a.csv");
  EXPECT_EQ(FirstError(NewAzureV1Trace(source, {})), "no error");
  EXPECT_EQ(FirstError(NewAzureV1Trace(source, {.seed = 1, .batch_as_gang = true})),
            "a.csv:2002: column 'batch': batch-7 has over 2000 VMs, too many to place whole; place "
            "them singly");
}

}  // namespace
}  // namespace berth
