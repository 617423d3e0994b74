#include "traces/vm_catalogue.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace berth {
namespace {

struct Shares {
  double zone1 = 0;
  double zone2 = 0;
};

TEST(VmCatalogue, HasTheShareOfEveryTypeOfTable2) {
  const std::map<char, Shares> table2 = {
      {'A', {4.6, 0.1}}, {'B', {3.5, 3.6}},   {'C', {6.5, 12.9}}, {'D', {0.7, 8.4}},
      {'E', {1.9, 3.7}}, {'F', {3.2, 4.4}},   {'G', {0.6, 3.1}},  {'H', {0.8, 2.2}},
      {'I', {2.4, 7.4}}, {'J', {23.7, 31.6}}, {'K', {21.3, 2.1}}, {'L', {3.5, 0.4}},
      {'M', {0.0, 2.2}}};
  std::size_t found = 0;
  for (const CatalogueEntry& entry : VmCatalogue()) {
    if (entry.name[0] == 'X') {
      EXPECT_LT(entry.percent_zone1, 2) << entry.name;
      EXPECT_LT(entry.percent_zone2, 2) << entry.name;
      continue;
    }
    ++found;
    EXPECT_EQ(entry.percent_zone1, table2.at(entry.name[0]).zone1) << entry.name;
    EXPECT_EQ(entry.percent_zone2, table2.at(entry.name[0]).zone2) << entry.name;
  }
  EXPECT_EQ(found, table2.size());
}

TEST(VmCatalogue, HasTheCoresOfTable3) {
  const std::map<std::uint32_t, Shares> table3 = {{1, {17.1, 27.0}}, {2, {37.4, 52.4}},
                                                  {4, {32.0, 10.5}}, {8, {8.9, 4.5}},
                                                  {10, {4.3, 2.6}},  {20, {0.3, 3.1}}};
  std::map<std::uint32_t, Shares> sums;
  for (const CatalogueEntry& entry : VmCatalogue()) {
    Shares& row = sums[entry.cores >= 20 ? 20 : entry.cores >= 10 ? 10 : entry.cores];
    row.zone1 += entry.percent_zone1;
    row.zone2 += entry.percent_zone2;
  }
  ASSERT_EQ(sums.size(), table3.size());
  for (const auto& [cores, row] : table3) {
    EXPECT_NEAR(sums[cores].zone1, row.zone1, 1e-9) << cores;
    EXPECT_NEAR(sums[cores].zone2, row.zone2, 1e-9) << cores;
  }
}

TEST(VmCatalogue, HasTypesThatFitWhereTheyMayRun) {
  for (const CatalogueEntry& entry : VmCatalogue()) {
    const InstanceType type = TypeOf(entry);
    bool fits_somewhere = false;
    for (const Generation& generation : Generations()) {
      if (generation.number < entry.first_generation) continue;
      fits_somewhere |= type.size.FitsIn(CapacityOf(generation));
    }
    EXPECT_TRUE(fits_somewhere) << entry.name;
  }
}

TEST(VmCatalogue, RestrictsSomeTypesToNewerMachines) {
  const std::vector<SkuId> newer = {SkuId("gen5"), SkuId("gen6")};
  bool found = false;
  for (const CatalogueEntry& entry : VmCatalogue()) found |= TypeOf(entry).skus == newer;
  EXPECT_TRUE(found);
}

}  // namespace
}  // namespace berth
