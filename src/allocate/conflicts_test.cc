// How agents avoid conflicts: as often as the last commits conflicted they choose among the top
// instead of the best. Counted by hand against a store that loses commits by script.
#include <gtest/gtest.h>

#include <map>

#include "allocate/agent.h"
#include "base/virtual_executor.h"
#include "support/scripted_store.h"

namespace berth {
namespace {

using Outcome = CommitReply::Outcome;
using testing::FleetForSmall;
using testing::ScriptedStore;
using testing::SmallService;

// What an agent chooses, commit after commit. None is kept, so the best machine is always m0.
std::vector<std::string> Choices(std::string_view conflicts, int requests,
                                 std::function<Outcome(int)> outcome_of) {
  VirtualExecutor executor;
  ScriptedStore store(FleetForSmall({2, 3, 4, 5, 6}), std::move(outcome_of));
  Agent agent(store, executor,
              {.name = "a0",
               .default_policy = fmt::format(
                   "allocate: {{retries: 1000, conflicts: {}, rules: [best_fit]}}", conflicts)});
  agent.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
  for (int i = 0; i < requests; ++i) {
    agent.Submit({.what = CreateService{SmallService(1)}}, [](const Reply&) {});
    executor.RunUntilIdle();
  }
  std::vector<std::string> names;
  for (const MachineId machine : store.chosen) names.push_back(machine.str());
  return names;
}

std::map<std::string, int> Counted(std::span<const std::string> choices) {
  std::map<std::string, int> counts;
  for (const std::string& choice : choices) ++counts[choice];
  return counts;
}

TEST(Conflicts, WithoutAnyTheBestIsChosen) {
  const auto choices = Choices("{top: 3, window: 50}", 100, [](int) { return Outcome::kRefused; });
  EXPECT_EQ(Counted(choices), (std::map<std::string, int>{{"m0", 100}}));
}

TEST(Conflicts, AfterOnlyConflictsOneOfTheTopIsChosenEveryTime) {
  const auto choices = Choices("{top: 3, window: 50}", 1, [](int commit) {
    return commit < 300 ? Outcome::kConflict : Outcome::kRefused;
  });
  ASSERT_EQ(choices.size(), 301U);
  EXPECT_EQ(choices.front(), "m0");  // Nothing had conflicted yet.
  std::map<std::string, int> counts = Counted(std::span(choices).subspan(1));
  EXPECT_EQ(counts.size(), 3U);  // Never m3 or m4.
  for (const char* name : {"m0", "m1", "m2"}) EXPECT_NEAR(counts[name], 100, 25) << name;
}

TEST(Conflicts, TheTopOneIsTheBest) {
  const auto choices = Choices("{top: 1, window: 50}", 1, [](int commit) {
    return commit < 50 ? Outcome::kConflict : Outcome::kRefused;
  });
  EXPECT_EQ(Counted(choices), (std::map<std::string, int>{{"m0", 51}}));
}

// Of every four commits one conflicts, so a quarter of the choices are among m0 and m1: an eighth
// of all is m1.
TEST(Conflicts, AsLargeAShareAsConflictedIsTheChance) {
  constexpr int kCommits = 4000;
  const auto choices = Choices("{top: 2, window: 4}", kCommits * 3 / 4, [](int commit) {
    return commit % 4 == 0 ? Outcome::kConflict : Outcome::kRefused;
  });
  ASSERT_EQ(std::ssize(choices), kCommits);
  std::map<std::string, int> counts = Counted(choices);
  EXPECT_EQ(counts["m0"] + counts["m1"], kCommits);
  EXPECT_NEAR(counts["m1"], kCommits / 8, 63);  // Three times the deviation of so many draws.
}

TEST(Conflicts, ThoseBeforeTheWindowAreForgotten) {
  const auto choices = Choices("{top: 5, window: 10}", 100, [](int commit) {
    return commit < 20 ? Outcome::kConflict : Outcome::kRefused;
  });
  ASSERT_EQ(choices.size(), 120U);
  EXPECT_GT(Counted(std::span(choices).first(21)).size(), 1U);
  // Ten commits that did not conflict fill the window: from here on the best.
  EXPECT_EQ(Counted(std::span(choices).subspan(30)), (std::map<std::string, int>{{"m0", 90}}));
}

}  // namespace
}  // namespace berth
