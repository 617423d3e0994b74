#include "allocate/experiment.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "allocate/agent.h"
#include "base/virtual_executor.h"
#include "store/memory_store.h"

namespace berth {
namespace {

constexpr std::string_view kWithExperiment = R"(
allocate: {rules: [best_fit]}
experiment: {name: spread-out, percent: 30, allocate: {rules: [worst_fit]}}
)";

Result<std::optional<Experiment>> Parse(std::string_view text) {
  const Document document = ParseDocument(text, "policy").value();
  return ParseExperiment(document.root());
}

std::set<std::string> Included(std::string_view name, int percent) {
  const auto experiment = Parse(fmt::format(
      "experiment: {{name: {}, percent: {}, allocate: {{rules: [fits]}}}}", name, percent));
  std::set<std::string> services;
  for (int i = 0; i < 10'000; ++i) {
    const std::string service = fmt::format("s{}", i);
    if (experiment.value()->Includes(service)) services.insert(service);
  }
  return services;
}

TEST(Experiment, IncludesItsShareOfTheServices) {
  EXPECT_EQ(Included("x", 0).size(), 0U);
  EXPECT_EQ(Included("x", 100).size(), 10'000U);
  // Six standard deviations of a fair draw.
  EXPECT_NEAR(static_cast<double>(Included("x", 30).size()), 3000, 6 * 46);
}

TEST(Experiment, GrowsWithoutLettingAnybodyGo) {
  const std::set<std::string> few = Included("x", 10);
  const std::set<std::string> many = Included("x", 40);
  EXPECT_TRUE(std::ranges::includes(many, few));
}

TEST(Experiment, ChoosesOthersUnderAnotherName) { EXPECT_NE(Included("x", 30), Included("y", 30)); }

TEST(Experiment, IsNoneWithoutItsSection) {
  EXPECT_FALSE(Parse("allocate: {rules: [fits]}").value().has_value());
}

TEST(Experiment, SaysWhatIsWrong) {
  const auto error = [](std::string_view text) { return Parse(text).status().message(); };
  EXPECT_NE(error("experiment: {name: x, percent: 101, allocate: {rules: [fits]}}").find("percent"),
            std::string::npos);
  EXPECT_NE(error("experiment: {name: x, percent: 10}").find("allocate"), std::string::npos);
  EXPECT_NE(error("experiment: {percent: 10, allocate: {rules: [fits]}}").find("name"),
            std::string::npos);
  EXPECT_NE(error("experiment: {name: control, percent: 10, allocate: {rules: [fits]}}")
                .find("outside of an experiment"),
            std::string::npos);
  EXPECT_NE(error("experiment: {name: x, percent: 10, allocate: {rules: [no_such_rule]}}")
                .find("no_such_rule"),
            std::string::npos);
}

// Two machines, one fuller than the other: the arms choose differently.
class ArmsOfAnAgent : public ::testing::Test {
 protected:
  void SetUp() override {
    agent_.Start([](const Status& status) { ASSERT_TRUE(status.ok()) << status.message(); });
    ChangeFleet fleet;
    fleet.put.emplace_back(Tenant{TenantId("acme"), {}});
    fleet.put.emplace_back(InstanceType{TypeId("small"), Cpu(1), {}, {}});
    for (const char* name : {"full", "idle"}) {
      Machine machine;
      machine.name = MachineId(name);
      machine.cluster = ClusterId("c");
      machine.rack = RackId("r");
      machine.capacity = Cpu(100);
      fleet.put.emplace_back(machine);
    }
    Accept(std::move(fleet));
    Accept(ApplyPolicy{"allocate: {rules: [best_fit]}"});
    Accept(CreateService{ServiceOf("first", 10)});
    const Decision first = last_;
    ASSERT_EQ(std::set<std::string>({Placed(first)}).size(), 1U);
    full_ = Placed(first);
    EXPECT_TRUE(first.arm.empty());
  }

  static Resources Cpu(std::int64_t cores) {
    Resources resources;
    resources[Resource::kCpu] = cores * 1000;
    return resources;
  }
  static Service ServiceOf(std::string name, std::uint32_t count) {
    Service service;
    service.name = std::move(name);
    service.tenant = TenantId("acme");
    service.klass = ClassId("gold");
    service.groups.push_back({.type = TypeId("small"), .role = {}, .count = count});
    return service;
  }
  static std::string Placed(const Decision& decision) { return decision.placed[0].machine.str(); }

  void Accept(Action what) {
    bool answered = false;
    agent_.Submit({.what = std::move(what)}, [&](const Reply& reply) {
      answered = true;
      ASSERT_TRUE(reply.accepted()) << reply.status.message();
      last_ = reply.decision.value();
    });
    executor_.RunUntilIdle();
    ASSERT_TRUE(answered);
  }

  VirtualExecutor executor_;
  MemoryStore store_;
  Agent agent_{store_, executor_, {.default_policy = std::string(ShippedPolicy())}};
  Decision last_;
  std::string full_;
};

TEST_F(ArmsOfAnAgent, PlaceByTheirOwnRules) {
  EXPECT_TRUE(agent_.arm_stats().empty());
  Accept(ApplyPolicy{std::string(kWithExperiment)});
  EXPECT_TRUE(last_.arm.empty());  // About no service.
  const Experiment experiment = Parse(kWithExperiment).value().value();
  std::uint64_t tried = 0;
  for (int i = 0; i < 40; ++i) {
    const std::string name = fmt::format("s{}", i);
    Accept(CreateService{ServiceOf(name, 1)});
    const bool in = experiment.Includes(name);
    tried += in ? 1 : 0;
    EXPECT_EQ(last_.arm.str(), in ? "spread-out" : "control");
    EXPECT_EQ(Placed(last_) == full_, !in);
    Accept(DeleteService{name});
    EXPECT_EQ(last_.arm.str(), in ? "spread-out" : "control");
  }
  ASSERT_GT(tried, 0U);
  const auto stats = agent_.arm_stats();
  ASSERT_EQ(stats.size(), 2U);
  EXPECT_EQ(stats.at("spread-out").accepted, 2 * tried);
  EXPECT_EQ(stats.at("control").accepted, 2 * (40 - tried));
  EXPECT_EQ(stats.at("spread-out").hits + stats.at("spread-out").misses, tried);
}

TEST_F(ArmsOfAnAgent, CountOnWhileTheExperimentKeepsItsName) {
  Accept(ApplyPolicy{std::string(kWithExperiment)});
  Accept(CreateService{ServiceOf("web", 1)});
  Accept(
      ApplyPolicy{"experiment: {name: spread-out, percent: 90, allocate: {rules: [worst_fit]}}"});
  std::uint64_t accepted = 0;
  for (const auto& [name, stats] : agent_.arm_stats()) accepted += stats.accepted;
  EXPECT_EQ(accepted, 1U);
  Accept(ApplyPolicy{"experiment: {name: another, percent: 90, allocate: {rules: [worst_fit]}}"});
  for (const auto& [name, stats] : agent_.arm_stats()) EXPECT_EQ(stats.accepted, 0U) << name;
}

}  // namespace
}  // namespace berth
