#include "sim/tenants/true_models.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(TrueModels, EachTenantHasNoFutureButItsOwn) {
  TenantPool pool(100);
  pool.Add({.role = TenantRole::kPrimary, .samples = std::vector<Demand>(50, Demand(10, 20, 30))},
           1'000);
  // Looked at for 100 steps and a day, and still there after that.
  pool.Add({.role = TenantRole::kPrimary, .samples = std::vector<Demand>(500, Demand(40, 50, 60))},
           1'000);
  const TraceLibrary library = TrueModels(pool);
  for (std::uint16_t i = 0; i < 2; ++i) {
    for (std::uint32_t repetition = 0; repetition < 20; ++repetition) {
      const TraceIndex drawn = library.Draw(
          {.key = 7, .tenant_class = TenantClass{i}, .role = TenantRole::kPrimary, .creation = 3},
          5, repetition);
      ASSERT_NE(drawn, kNoTrace);
      EXPECT_EQ(library.model(drawn).lifetime, i == 0 ? 50 : 500);
      EXPECT_EQ(library.model(drawn).Peak(), pool.At(pool.tenant(i), 0));
    }
  }
}

}  // namespace
}  // namespace berth
