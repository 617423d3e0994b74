#include "sim/tenants/open_population.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "support/temp_folder.h"

namespace berth {
namespace {

using enum DemandResource;

Result<std::vector<UsageSeries>> Read(std::string_view format, const std::string& text) {
  const testing::TempFolder folder;
  for (const PopulationFormat& known : PopulationFormats()) {
    if (known.name == format) return known.read(folder.Write("population.csv", text));
  }
  return Status(Code::kNotFound, "no such format");
}

TEST(OpenPopulation, ReadsBitbrains) {
  const auto series = Read("bitbrains_gwa_t12",
                           "vm,ts,cores,cpu_cap_mhz,cpu_used_mhz,mem_cap_mb,mem_used_mb\n"
                           "12,1200,2,4000,1000,4096,100\n"
                           "12,1500,2,4000,3000,4096,50\n"
                           "12,1800,2,4000,400,4096,60\n"
                           "13,1200,1,2000,1000,1024,7\n");
  ASSERT_TRUE(series.ok()) << series.status().message();
  ASSERT_EQ(series.value().size(), 2U);
  EXPECT_EQ(series.value()[0].kind, "cores-2");
  EXPECT_EQ(series.value()[0].limit, Demand(2'000, 4'096, 0));
  // Two samples make a step, of which the greater counts.
  EXPECT_EQ(series.value()[0].samples, (std::vector{Demand(1'500, 100, 0), Demand(200, 60, 0)}));
  EXPECT_EQ(series.value()[1].samples, std::vector{Demand(500, 7, 0)});
}

constexpr std::string_view kBitbrains =
    "vm,ts,cores,cpu_cap_mhz,cpu_used_mhz,mem_cap_mb,mem_used_mb\n";

TEST(OpenPopulation, TakesAnyNumberForAVm) {
  const auto series = Read("bitbrains_gwa_t12", std::string(kBitbrains) +
                                                    "-1,0,1,2000,1000,1024,7\n"
                                                    "-1,300,1,2000,2000,1024,5\n");
  ASSERT_TRUE(series.ok()) << series.status().message();
  ASSERT_EQ(series.value().size(), 1U);
  EXPECT_EQ(series.value()[0].samples, std::vector{Demand(1'000, 7, 0)});
}

TEST(OpenPopulation, RefusesTimesAndAmountsBelowZero) {
  for (const char* const row :
       {"1,-600,1,2000,1000,1024,7", "1,-1,1,2000,1000,1024,7", "1,0,1,2000,-1,1024,7",
        "1,0,1,2000,1,-1024,7", "1,0,1,2000,1,1024,-7"}) {
    EXPECT_FALSE(Read("bitbrains_gwa_t12", fmt::format("{}{}\n", kBitbrains, row)).ok()) << row;
  }
  EXPECT_FALSE(Read("google2011_day", "vm,slot,cpu_pct,mem_pct\na,-1,1,1\n").ok());
}

TEST(OpenPopulation, ReadsAzureCpu) {
  const auto series = Read("azure_v1_cpu", "11,12\n10,20\n30,5\n50,50\n");
  ASSERT_TRUE(series.ok()) << series.status().message();
  ASSERT_EQ(series.value().size(), 2U);
  EXPECT_EQ(series.value()[0].samples, (std::vector{Demand(1'200, 0, 0), Demand(2'000, 0, 0)}));
  EXPECT_FALSE(Read("azure_v1_cpu", "11\n101\n").ok());
}

TEST(OpenPopulation, ReadsGoogleDays) {
  const auto series =
      Read("google2011_day", "vm,slot,cpu_pct,mem_pct\na,0,10,50\na,1,20,25\na,2,1,1\nb,0,100,0\n");
  ASSERT_TRUE(series.ok()) << series.status().message();
  ASSERT_EQ(series.value().size(), 2U);
  EXPECT_EQ(series.value()[0].samples, (std::vector{Demand(800, 10'240, 0), Demand(40, 204, 0)}));
  // A name may be empty.
  const auto nameless = Read("google2011_day", "vm,slot,cpu_pct,mem_pct\n,0,10,50\n");
  ASSERT_TRUE(nameless.ok()) << nameless.status().message();
  EXPECT_EQ(nameless.value().size(), 1U);
}

TEST(OpenPopulation, ReadsTianchi) {
  const auto series = Read("alibaba_tianchi2018",
                           "app,cpu_curve98,mem_curve98,disk,P,M,PM\n"
                           "app_1,0.5|2.5,1|4,60,0,0,0\n");
  ASSERT_TRUE(series.ok()) << series.status().message();
  ASSERT_EQ(series.value().size(), 1U);
  EXPECT_EQ(series.value()[0].kind, "cores-4");
  EXPECT_EQ(series.value()[0].limit, Demand(4'000, 4'096, 61'440));
  EXPECT_EQ(series.value()[0].samples[0], Demand(500, 1'024, 61'440));
  EXPECT_FALSE(Read("alibaba_tianchi2018", "app,cpu_curve98,mem_curve98,disk\na,1|2,1,60\n").ok());
}

TEST(OpenPopulation, KeepsPastAndPresentApart) {
  // Each series has a cpu of its own, by which a tenant is known.
  std::vector<UsageSeries> series;
  for (std::uint32_t i = 1; i <= 20; ++i) {
    series.push_back({.kind = "k", .limit = Demand(1'000, 0, 0), .samples = {Demand(i, 0, 0)}});
  }
  const auto population =
      PopulationOf("test", series, {.tenants = 200, .library = 200, .oldest = 100}, 1, 2);
  ASSERT_TRUE(population.ok());
  std::vector<bool> past(21);
  for (const DemandModel& model :
       population.value().library.Group(TenantClass{0}, TenantRole::kPrimary)) {
    past[model.cpu_peak] = true;
  }
  EXPECT_EQ(std::count(past.begin(), past.end(), true), 10);
  const TenantPool& pool = population.value().pool;
  for (std::size_t i = 0; i < pool.size(); ++i) {
    EXPECT_FALSE(past[pool.At(pool.tenant(i), 0)[kCpu]]);
  }
}

TEST(OpenPopulation, RefusesWhatThereIsNot) {
  const PopulationSize size{.tenants = 1, .library = 1, .oldest = 1};
  for (const std::string_view name : {"region-9", "", "bitbrains_gwa_t12:/nowhere", "x:y"}) {
    EXPECT_FALSE(OpenPopulation(name, size, 1, 1).ok()) << name;
  }
}

}  // namespace
}  // namespace berth
