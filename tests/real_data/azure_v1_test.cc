#include <gtest/gtest.h>

#include <map>
#include <string>

#include "real_data/data_dir.h"
#include "support/traces.h"

namespace berth {
namespace {

using std::chrono::hours;

std::string AzureFile(const std::string& name) {
  return testing::DataFile("azure_v1_vm_arrivals/" + name);
}

TEST(RealDataAzureV1, HasTheLifetimesItsSourceStates) {
  const std::string file = AzureFile("azure_v1_days20.8_26.4_with_lifetimes.csv.gz");
  BERTH_SKIP_WITHOUT(file);
  auto trace = OpenTrace("azure_v1:" + file, {.seed = 42});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(trace.value()->Types().size(), 16U);

  double vms = 0;
  double within_hour = 0;
  double over_day = 0;
  double censored = 0;
  std::map<TypeId, int> by_type;
  Time last;
  for (;;) {
    auto next = trace.value()->Next();
    ASSERT_TRUE(next.ok()) << next.status().message();
    if (!next.value()) break;
    const Arrival& arrival = *next.value();
    ASSERT_GE(arrival.at, last);
    last = arrival.at;
    ++vms;
    ++by_type[arrival.service.groups.at(0).type];
    if (!arrival.lifetime) {
      ++censored;
    } else {
      within_hour += *arrival.lifetime <= hours(1) ? 1 : 0;
      over_day += *arrival.lifetime > hours(24) ? 1 : 0;
    }
  }
  EXPECT_EQ(vms, 427'992);
  EXPECT_EQ(censored, 20'404);
  EXPECT_NEAR(within_hour / vms, 0.66, 0.01);
  // Of the 4.6% over a day that the source states, most are censored.
  EXPECT_GT((over_day + censored) / vms, 0.046);
  EXPECT_LT(over_day / vms, 0.046);
  EXPECT_EQ(by_type[TypeId("v1-m1.75")], 244'919);
  EXPECT_LT(last, Time(hours(24) * 6));
}

TEST(RealDataAzureV1, PlacesItsBatchesWhole) {
  const std::string file = AzureFile("azure_v1_days20.8_26.4_with_lifetimes.csv.gz");
  BERTH_SKIP_WITHOUT(file);
  auto trace = OpenTrace("azure_v1:" + file, {.seed = 42, .batch_as_gang = true});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  std::uint64_t vms = 0;
  std::uint32_t largest = 0;
  for (;;) {
    auto next = trace.value()->Next();
    ASSERT_TRUE(next.ok()) << next.status().message();
    if (!next.value()) break;
    vms += next.value()->service.InstanceCount();
    largest = std::max(largest, next.value()->service.InstanceCount());
  }
  EXPECT_EQ(vms, 427'992U);
  EXPECT_EQ(largest, 1404U);
}

TEST(RealDataAzureV1, StaysWhereLifetimesAreMissing) {
  const std::string file = AzureFile("azure_v1_days0_20.8_arrivals_only.csv.gz");
  BERTH_SKIP_WITHOUT(file);
  auto trace = OpenTrace("azure_v1:" + file, {.seed = 42});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_TRUE(trace.value()->Notes().lines.at(0).starts_with("1,200,998 VMs of 16 sizes"));
  auto next = trace.value()->Next();
  ASSERT_TRUE(next.ok() && next.value());
  EXPECT_EQ(next.value()->lifetime, std::nullopt);
}

}  // namespace
}  // namespace berth
