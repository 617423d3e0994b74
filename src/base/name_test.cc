#include "berth/name.h"

#include <gtest/gtest.h>

#include <thread>
#include <unordered_set>
#include <vector>

namespace berth {
namespace {

TEST(Name, EqualTextIsOneString) {
  const std::string text = "m-17";
  EXPECT_EQ(Intern("m-17"), Intern(text));
  EXPECT_NE(Intern("m-17"), Intern("m-18"));
  EXPECT_EQ(MachineId("m-17"), MachineId(text));
  EXPECT_EQ(MachineId("m-17").str(), "m-17");
}

TEST(Name, EmptyIsTheDefault) {
  EXPECT_TRUE(MachineId().empty());
  EXPECT_EQ(MachineId(), MachineId(""));
  EXPECT_FALSE(MachineId("a").empty());
}

TEST(Name, OrdersByText) {
  // Interned in another order than they sort.
  const RackId b("order-b");
  const RackId c("order-c");
  const RackId a("order-a");
  EXPECT_LT(a, b);
  EXPECT_LT(b, c);
  EXPECT_GT(c, a);
  EXPECT_LE(a, a);
}

TEST(Name, IsAHashKey) {
  const std::unordered_set<TenantId> tenants = {TenantId("a"), TenantId("b"), TenantId("a")};
  EXPECT_EQ(tenants.size(), 2U);
}

TEST(NameThreads, GetTheSameStrings) {
  constexpr int kThreads = 4;
  constexpr int kNames = 2000;
  std::vector<std::vector<const std::string*>> seen(kThreads);
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (auto& mine : seen) {
    threads.emplace_back([&mine] {
      for (int i = 0; i < kNames; ++i) mine.push_back(Intern("shared-" + std::to_string(i)));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const auto& mine : seen) EXPECT_EQ(mine, seen[0]);
  EXPECT_EQ(*seen[0][1999], "shared-1999");
}

TEST(Name, ValidNamesAreLettersDigitsDotsDashesUnderscores) {
  for (const char* good : {"a", "Z9", "web.front_end-2", "-", "7"}) {
    EXPECT_TRUE(IsValidName(good)) << good;
  }
  for (const char* bad : {"", "a b", "a/b", "a:b", "caf\xc3\xa9", "a\n", "@", "[", "`", "{"}) {
    EXPECT_FALSE(IsValidName(bad)) << bad;
  }
  EXPECT_FALSE(IsValidName(std::string_view("a\0b", 3)));
}

TEST(Name, ValidNamesHaveAtMost128Characters) {
  EXPECT_TRUE(IsValidName(std::string(128, 'x')));
  EXPECT_FALSE(IsValidName(std::string(129, 'x')));
}

TEST(Name, OneThatNobodyUsedIsNotKnownNorBecomesSo) {
  EXPECT_FALSE(TenantId::Known("never-used-before").has_value());
  EXPECT_FALSE(TenantId::Known("never-used-before").has_value());
  const TenantId used("used-now");
  EXPECT_EQ(TenantId::Known("used-now"), used);
  EXPECT_EQ(TenantId::Known(""), TenantId());
}

}  // namespace
}  // namespace berth
