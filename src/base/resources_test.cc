#include "berth/resources.h"

#include <gtest/gtest.h>

#include <limits>

#include "berth/rng.h"

namespace berth {
namespace {

using enum Resource;

constexpr std::int64_t kKi = 1 << 10;
constexpr std::int64_t kMi = 1 << 20;
constexpr std::int64_t kGi = 1 << 30;
constexpr std::int64_t kTi = std::int64_t{1} << 40;
constexpr std::int64_t kPi = std::int64_t{1} << 50;

TEST(ResourceName, IsOneWord) {
  EXPECT_EQ(ResourceName(kCpu), "cpu");
  EXPECT_EQ(ResourceName(kMemory), "memory");
  EXPECT_EQ(ResourceName(kDisk), "disk");
  EXPECT_EQ(ResourceName(kNetwork), "network");
  EXPECT_EQ(ResourceName(kGpu), "gpu");
}

TEST(FormatAmount, WritesAsAPersonWould) {
  struct Case {
    Resource resource;
    std::int64_t amount;
    const char* text;
  };
  for (const Case& c : {
           Case{kCpu, 0, "0"},
           Case{kCpu, 4000, "4"},
           Case{kCpu, 2500, "2.5"},
           Case{kCpu, 1001, "1.001"},
           Case{kCpu, 250, "250m"},
           Case{kCpu, 1, "1m"},
           Case{kGpu, 1500, "1.5"},
           Case{kMemory, 0, "0"},
           Case{kMemory, 1, "1"},
           Case{kMemory, 16 * kGi, "16Gi"},
           Case{kMemory, 512 * kMi, "512Mi"},
           Case{kMemory, 3 * kGi / 2, "1.5Gi"},
           Case{kMemory, 5 * kGi / 4, "1.25Gi"},
           Case{kMemory, 9 * kGi / 8, "1152Mi"},
           Case{kMemory, 2 * kPi, "2Pi"},
           Case{kMemory, kGi + 1, "1073741825"},
           Case{kDisk, 2'000'000'000'000, "2T"},
           Case{kDisk, 1'500'000'000, "1.5G"},
           Case{kDisk, 1023, "1023"},
           Case{kNetwork, 10'000, "10Gbit"},
           Case{kNetwork, 2'500, "2.5Gbit"},
           Case{kNetwork, 2'550, "2550Mbit"},
           Case{kNetwork, 500, "500Mbit"},
           Case{kCpu, -2500, "-2.5"},
           Case{kMemory, -kGi, "-1Gi"},
           Case{kMemory, std::numeric_limits<std::int64_t>::min(), "-8192Pi"},
       }) {
    EXPECT_EQ(FormatAmount(c.resource, c.amount), c.text);
  }
}

TEST(ParseAmount, ReadsWhatPeopleWrite) {
  struct Case {
    Resource resource;
    const char* text;
    std::int64_t amount;
  };
  for (const Case& c : {
           Case{kCpu, "4", 4000},
           Case{kCpu, "2.5", 2500},
           Case{kCpu, "2.50000", 2500},
           Case{kCpu, "250m", 250},
           Case{kCpu, "0.001", 1},
           Case{kCpu, "0", 0},
           Case{kCpu, "007", 7000},
           Case{kGpu, "0.5", 500},
           Case{kGpu, "8", 8000},
           Case{kMemory, "0", 0},
           Case{kMemory, "4096", 4096},
           Case{kMemory, "4096B", 4096},
           Case{kMemory, "1Ki", kKi},
           Case{kMemory, "512Mi", 512 * kMi},
           Case{kMemory, "512MiB", 512 * kMi},
           Case{kMemory, "16Gi", 16 * kGi},
           Case{kMemory, "1.5Gi", 3 * kGi / 2},
           Case{kMemory, "2Ti", 2 * kTi},
           Case{kMemory, "4Pi", 4 * kPi},
           Case{kDisk, "1k", 1'000},
           Case{kDisk, "1kB", 1'000},
           Case{kDisk, "3M", 3'000'000},
           Case{kDisk, "1.5GB", 1'500'000'000},
           Case{kDisk, "2TB", 2'000'000'000'000},
           Case{kDisk, "1P", 1'000'000'000'000'000},
           Case{kNetwork, "500", 500},
           Case{kNetwork, "500Mbit", 500},
           Case{kNetwork, "10Gbit", 10'000},
           Case{kNetwork, "2.5Gbit", 2'500},
       }) {
    const Result<std::int64_t> amount = ParseAmount(c.resource, c.text);
    ASSERT_TRUE(amount.ok()) << amount.status().message();
    EXPECT_EQ(amount.value(), c.amount) << c.text;
  }
}

TEST(ParseAmount, SaysWhatIsWrongAndShowsAGoodExample) {
  struct Case {
    Resource resource;
    const char* text;
    const char* message;
  };
  for (const Case& c : {
           Case{kCpu, "", "'' is not an amount of cpu; write it like \"4\", \"2.5\" or \"250m\""},
           Case{kCpu, "four",
                "'four' is not an amount of cpu; write it like \"4\", \"2.5\" or \"250m\""},
           Case{kCpu, "-4", "'-4' is negative; write it like \"4\", \"2.5\" or \"250m\""},
           Case{
               kCpu, "1e3",
               "'1e3' has a unit that cpu does not have; write it like \"4\", \"2.5\" or \"250m\""},
           Case{kCpu, "1.0005",
                "'1.0005' is not a whole number of thousandths of a core; write it like \"4\", "
                "\"2.5\" or \"250m\""},
           Case{kCpu, "4503599627370.497",
                "'4503599627370.497' is over the most that cpu can be, 4503599627370.496; write it "
                "like \"4\", \"2.5\" or \"250m\""},
           Case{kMemory, "1.2.3Gi",
                "'1.2.3Gi' is not an amount of memory; write it like \"16Gi\", \"512MiB\" or "
                "\"2TB\""},
           Case{kMemory, "5Pi",
                "'5Pi' is over the most that memory can be, 4Pi; write it like \"16Gi\", "
                "\"512MiB\" or \"2TB\""},
           Case{kDisk, "0.5",
                "'0.5' is not a whole number of bytes; write it like \"16Gi\", \"512MiB\" or "
                "\"2TB\""},
           Case{kNetwork, "10Gi",
                "'10Gi' has a unit that network does not have; write it like \"10Gbit\" or "
                "\"500Mbit\""},
           Case{kGpu, "0.0001",
                "'0.0001' is not a whole number of thousandths of a gpu; write it like \"1\", "
                "\"0.5\" or \"250m\""},
       }) {
    const Result<std::int64_t> amount = ParseAmount(c.resource, c.text);
    ASSERT_FALSE(amount.ok()) << c.text;
    EXPECT_EQ(amount.status().code(), Code::kInvalidArgument);
    EXPECT_EQ(amount.status().message(), c.message);
  }
}

TEST(ParseAmount, RefusesWhatLooksAlmostRight) {
  for (const char* text : {" 4", "4 ", "4 Gi", "4gi", "4Gib", "4KB", "4BB", "4iB", "0x10", "+4",
                           "4,5", "4..", ".5Gi", "99999999999999999999999999", "1m"}) {
    EXPECT_FALSE(ParseAmount(kMemory, text).ok()) << text;
  }
  for (const char* text : {"10gbit", "10Gbits", "10Gbit/s", "0.5", "1kbit"}) {
    EXPECT_FALSE(ParseAmount(kNetwork, text).ok()) << text;
  }
}

TEST(ParseAmount, ShowsOnlyTheStartOfLongText) {
  const Status status = ParseAmount(kCpu, std::string(10'000, 'x')).status();
  EXPECT_LT(status.message().size(), 200U);
}

TEST(ParseAmount, ReadsBackEveryFormattedAmount) {
  Rng rng(11);
  for (const Resource resource : kAllResources) {
    for (int i = 0; i < 50'000; ++i) {
      // Every magnitude, often a round number of some unit.
      std::int64_t amount = static_cast<std::int64_t>(rng.Next() >> (12 + rng.Below(52)));
      const std::int64_t round = rng.Below(2) == 0 ? std::int64_t{1} << rng.Below(51) : 500;
      if (rng.Below(2) == 0) amount = amount / round * round;
      if (amount > kAmountMax) amount = kAmountMax;
      const std::string text = FormatAmount(resource, amount);
      const Result<std::int64_t> parsed = ParseAmount(resource, text);
      ASSERT_TRUE(parsed.ok()) << amount << ": " << parsed.status().message();
      ASSERT_EQ(parsed.value(), amount) << text;
    }
    EXPECT_EQ(ParseAmount(resource, FormatAmount(resource, kAmountMax)).value(), kAmountMax);
  }
}

TEST(FormatResources, NamesWhatIsNotZero) {
  Resources resources;
  EXPECT_EQ(FormatResources(resources), "nothing");
  resources[kMemory] = 16 * kGi;
  EXPECT_EQ(FormatResources(resources), "16Gi memory");
  resources[kCpu] = 4000;
  resources[kNetwork] = 10'000;
  EXPECT_EQ(FormatResources(resources), "4 cpu, 16Gi memory, 10Gbit network");
}

TEST(Resources, AddSubtractAndFit) {
  Resources small;
  small[kCpu] = 1000;
  Resources large = small + small;
  large[kGpu] = 1;
  EXPECT_EQ(large[kCpu], 2000);
  EXPECT_TRUE(small.FitsIn(large));
  EXPECT_FALSE(large.FitsIn(small));
  EXPECT_TRUE((small - small).IsZero());
}

}  // namespace
}  // namespace berth
