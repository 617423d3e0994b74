#include "engine/disruption_ledger.h"

#include <gtest/gtest.h>

#include <vector>

#include "berth/rng.h"

namespace berth {
namespace {

Time At(int minutes) { return Time() + std::chrono::minutes(minutes); }

Decision MoveOf(const std::string& service, int minutes, std::size_t instances = 1,
                MoveReason reason = MoveReason::kDrained) {
  Decision decision;
  decision.kind = DecisionKind::kMove;
  decision.subject = service;
  decision.at = At(minutes);
  decision.reason = reason;
  decision.placed.resize(instances);
  return decision;
}

class LedgerTest : public ::testing::Test {
 protected:
  void Note(const Decision& decision) { ledger_.Note(decision, Revision{++revision_}); }

  DisruptionLedger ledger_;
  std::uint64_t revision_ = 0;
};

TEST_F(LedgerTest, HoldsNothingBackWithoutLimits) {
  for (int i = 0; i < 100; ++i) Note(MoveOf("web", i));
  EXPECT_FALSE(ledger_.MayDisrupt("web", At(100)));
}

TEST_F(LedgerTest, HoldsAServiceBackUntilAnHourAfterTheOldestThatCounts) {
  ledger_.SetPolicy({.per_service = 2, .per_zone = {}});
  Note(MoveOf("web", 0));
  EXPECT_FALSE(ledger_.MayDisrupt("web", At(1)));
  Note(MoveOf("web", 10));
  const auto hold = ledger_.MayDisrupt("web", At(11));
  ASSERT_TRUE(hold);
  EXPECT_EQ(hold->until, At(60));
  EXPECT_EQ(hold->because,
            "service web was disrupted 2 times in the last hour, and 2 are the most");
  EXPECT_FALSE(ledger_.MayDisrupt("db", At(11)));
  EXPECT_TRUE(ledger_.MayDisrupt("web", At(59)));
  EXPECT_FALSE(ledger_.MayDisrupt("web", At(60)));
  EXPECT_EQ(ledger_.Disruptions(At(60)), 1U);
}

TEST_F(LedgerTest, HoldsSeveralBackUntilThereIsRoomForAllOfThem) {
  ledger_.SetPolicy({.per_service = 2, .per_zone = 4});
  Note(MoveOf("web", 0));
  Note(MoveOf("db", 10));
  Note(MoveOf("mail", 20));
  const auto until = [&](const std::vector<std::string>& services) {
    const auto hold = ledger_.MayDisruptAll(services, At(30));
    return hold ? hold->until : Time();
  };
  EXPECT_EQ(until({"web"}), Time());
  EXPECT_EQ(until({"web", "web"}), At(60)) << "one more is left to web";
  EXPECT_EQ(until({"other", "another"}), At(60)) << "one more is left to the zone";
  EXPECT_EQ(until({"other", "another", "third"}), At(70));
  EXPECT_EQ(until({"other", "other", "other"}), At(30) + kDisruptionWindow)
      << "more than ever may be: asked again in an hour";
}

TEST_F(LedgerTest, CountsThatReplicasGoUnlessTheirOwnerAskedForIt) {
  Decision scaling;
  scaling.kind = DecisionKind::kScale;
  scaling.subject = "web";
  scaling.at = At(1);
  Note(scaling);
  EXPECT_EQ(ledger_.Disruptions(At(2)), 0U) << "its owner did";
  scaling.why = "2: the most of the last 3d";
  Note(scaling);
  EXPECT_EQ(ledger_.Disruptions(At(2)), 1U);
  scaling.placed.resize(3);
  Note(scaling);
  EXPECT_EQ(ledger_.Disruptions(At(2)), 1U) << "they came";
  scaling.placed.clear();
  scaling.refusal.emplace();
  Note(scaling);
  EXPECT_EQ(ledger_.Disruptions(At(2)), 1U) << "it was refused";
}

TEST_F(LedgerTest, HoldsTheWholeZoneBack) {
  ledger_.SetPolicy({.per_service = {}, .per_zone = 3});
  Note(MoveOf("web", 0, 2));
  Note(MoveOf("db", 5));
  const auto hold = ledger_.MayDisrupt("other", At(6));
  ASSERT_TRUE(hold);
  EXPECT_EQ(hold->until, At(60));
}

TEST_F(LedgerTest, LimitOfNoneIsNeverLifted) {
  ledger_.SetPolicy({.per_service = 0, .per_zone = {}});
  EXPECT_TRUE(ledger_.MayDisrupt("web", At(0)));
}

TEST_F(LedgerTest, CountsMovesEvictionsAndResizesOfWhatRuns) {
  const auto counted = [&](const Decision& decision) {
    const std::uint64_t before = ledger_.Disruptions(At(1));
    Note(decision);
    return ledger_.Disruptions(At(1)) - before;
  };
  EXPECT_EQ(counted(MoveOf("web", 1, 1, MoveReason::kViolation)), 1U);
  EXPECT_EQ(counted(MoveOf("web", 1, 1, MoveReason::kAsked)), 1U);
  EXPECT_EQ(counted(MoveOf("web", 1, 1, MoveReason::kMachineFailed)), 0U);
  EXPECT_EQ(counted(MoveOf("web", 1, 3, MoveReason::kWaited)), 0U);
  Decision create = MoveOf("web", 1, 3);
  create.kind = DecisionKind::kCreate;
  EXPECT_EQ(counted(create), 0U);
  create.evicted = {{"db", 0}, {"db", 1}};
  EXPECT_EQ(counted(create), 2U);
  Decision resize = MoveOf("web", 1, 0);
  resize.kind = DecisionKind::kResize;
  EXPECT_EQ(counted(resize), 1U);
  resize.refusal.emplace();
  EXPECT_EQ(counted(resize), 0U);
}

TEST_F(LedgerTest, CountsACommitOnce) {
  ledger_.Note(MoveOf("web", 0), Revision{5});
  ledger_.Note(MoveOf("web", 0), Revision{5});
  ledger_.Note(MoveOf("web", 0), Revision{4});
  EXPECT_EQ(ledger_.Disruptions(At(0)), 1U);
}

// Against a list of all of them.
TEST_F(LedgerTest, AgreesWithCountingThemAll) {
  Rng rng(3);
  ledger_.SetPolicy({.per_service = 3, .per_zone = 7});
  std::vector<std::pair<std::string, int>> all;
  int held = 0;
  for (int minute = 0; minute < 2'000; minute += static_cast<int>(rng.Below(12))) {
    const std::string service = rng.Below(2) == 0 ? "web" : "db";
    int of_service = 0;
    int of_zone = 0;
    for (const auto& [name, at] : all) {
      if (at + 60 <= minute) continue;
      ++of_zone;
      of_service += name == service ? 1 : 0;
    }
    const bool may = of_service < 3 && of_zone < 7;
    ASSERT_EQ(!ledger_.MayDisrupt(service, At(minute)), may);
    held += may ? 0 : 1;
    // Now and then somebody asks for a move, whatever the limits.
    if (!may && rng.Below(4) > 0) continue;
    Note(MoveOf(service, minute));
    all.emplace_back(service, minute);
  }
  EXPECT_GT(held, 20);
}

TEST(DisruptionPolicy, IsReadFromItsSection) {
  const auto parse = [](const char* text) {
    return ParseDisruptionPolicy(ParseDocument(text, "policy").value().root());
  };
  EXPECT_EQ(parse("{}").value(), DisruptionPolicy());
  EXPECT_EQ(parse("disruption: {per_service: 2, per_zone: 30}").value(),
            (DisruptionPolicy{.per_service = 2, .per_zone = 30}));
  EXPECT_FALSE(parse("disruption: {per_rack: 2}").ok());
  EXPECT_FALSE(parse("disruption: {per_zone: -1}").ok());
}

}  // namespace
}  // namespace berth
