#include "fleet/name_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "berth/rng.h"
#include "fleet/index.h"

namespace berth {
namespace {

// Against a map, with names that come, go and come back; a poor hash makes them collide.
TEST(NameTable, AgreesWithAMap) {
  for (const std::size_t hashes : {std::size_t{3}, std::size_t{64}, SIZE_MAX}) {
    Rng rng(hashes);
    NameTable<ServiceIndex> table;
    std::map<std::string, std::uint32_t> reference;
    std::vector<std::string> names(500);  // By index, as records would be.
    const auto hash_of = [&](const std::string& name) {
      return std::hash<std::string>{}(name) % hashes;
    };
    const auto find = [&](const std::string& name) {
      return table.Find(hash_of(name), [&](ServiceIndex i) { return names[At(i)] == name; });
    };
    for (int step = 0; step < 20'000; ++step) {
      const auto index = static_cast<std::uint32_t>(rng.Below(names.size()));
      const std::string name = "s" + std::to_string(index);
      const auto known = reference.find(name);
      ASSERT_EQ(find(name).has_value(), known != reference.end()) << "step " << step;
      if (known == reference.end()) {
        names[index] = name;
        table.Insert(hash_of(name), ServiceIndex{index});
        reference[name] = index;
      } else {
        ASSERT_EQ(*find(name), ServiceIndex{known->second});
        table.Erase(hash_of(name), ServiceIndex{index});
        reference.erase(known);
      }
    }
  }
}

}  // namespace
}  // namespace berth
