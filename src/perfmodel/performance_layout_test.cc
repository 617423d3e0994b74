#include "perfmodel/performance_layout.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(PerformanceLayout, FindsTheFourColumnsOfEach) {
  const PerformanceLayout layout =
      LayoutOf({"b.throughput_rps", "a.load", "a.cpu_milli", "b.load", "a.response_ms",
                "b.cpu_milli", "a.throughput_rps", "b.response_ms"})
          .value();
  ASSERT_EQ(layout.applications.size(), 2U);
  EXPECT_EQ(layout.applications[0].name, "b");
  EXPECT_EQ(layout.Inputs(), (std::vector<std::size_t>{3, 5, 1, 2}));
  EXPECT_EQ(layout.Targets(), (std::vector<std::size_t>{7, 0, 4, 6}));
}

TEST(PerformanceLayout, SaysWhichColumnIsWrong) {
  EXPECT_EQ(LayoutOf({"a.load", "a.cpu_milli", "a.response_ms"}).status().message(),
            "application 'a' has no column 'a.throughput_rps'; add it");
  EXPECT_EQ(LayoutOf({"load"}).status().message(),
            "column 'load' is of no application; name it APPLICATION.load, APPLICATION.cpu_milli, "
            "APPLICATION.response_ms, APPLICATION.throughput_rps");
  EXPECT_FALSE(LayoutOf({".load"}).ok());
}

}  // namespace
}  // namespace berth
