#include <gtest/gtest.h>

#include <fmt/format.h>

#include <array>
#include <string>

#include "real_data/data_dir.h"
#include "real_data/tally.h"

namespace berth {
namespace {

TEST(RealDataHuaweiTopology, HasTheVmsItsSourceStates) {
  constexpr std::array<std::uint64_t, 5> kGroups = {340, 401, 380, 404, 321};
  for (std::size_t i = 0; i < kGroups.size(); ++i) {
    const std::string file =
        testing::DataFile(fmt::format("huawei_topology_vm/VM_data_C{}.csv", i + 1));
    BERTH_SKIP_WITHOUT(file);
    auto trace = OpenTrace("huawei_topology:" + file, {});
    ASSERT_TRUE(trace.ok()) << trace.status().message();
    EXPECT_TRUE(trace.value()->Notes().lines.at(0).ends_with(fmt::format("{} groups", kGroups[i])))
        << trace.value()->Notes().lines.at(0);
    const testing::Tally tally = testing::TallyOf(*trace.value());
    EXPECT_EQ(tally.instances, 4'998U);
    EXPECT_EQ(tally.with_lifetime, 0U);
  }
}

}  // namespace
}  // namespace berth
