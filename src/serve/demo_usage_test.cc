#include "serve/demo_usage.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

Resources FourCores() {
  Resources limit;
  limit[Resource::kCpu] = 4000;
  limit[Resource::kMemory] = INT64_C(16) << 30;
  return limit;
}

TEST(DemoUsage, StaysBelowTheLimitAndIsTheSameForOneInstance) {
  for (int i = 0; i < 100; ++i) {
    const std::string name = "web/" + std::to_string(i);
    for (int hour = 0; hour < 24; ++hour) {
      const double of_day = hour / 24.0;
      const DemoUsage usage = UsageOf(name, FourCores(), of_day);
      EXPECT_GT(usage.cpu_milli, 0);
      EXPECT_LT(usage.cpu_milli, 4000);
      EXPECT_GT(usage.memory_bytes, 0);
      EXPECT_LT(usage.memory_bytes, static_cast<double>(INT64_C(16) << 30));
      EXPECT_EQ(usage.cpu_milli, UsageOf(name, FourCores(), of_day).cpu_milli);
    }
  }
}

TEST(DemoUsage, DiffersByInstanceAndIsHigherInTheAfternoonThanAtNight) {
  EXPECT_NE(UsageOf("web/0", FourCores(), 0.5).cpu_milli,
            UsageOf("web/1", FourCores(), 0.5).cpu_milli);
  EXPECT_GT(UsageOf("web/0", FourCores(), 0.6).cpu_milli,
            UsageOf("web/0", FourCores(), 0.1).cpu_milli);
}

}  // namespace
}  // namespace berth
