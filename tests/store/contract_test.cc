// What every store of the table promises (berth/store.h).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "store/open.h"
#include "support.h"

namespace berth {
namespace {

using Outcome = CommitReply::Outcome;

class StoreContract : public ::testing::TestWithParam<StoreKind> {
 protected:
  StoreContract() { Open(); }

  void Open() {
    store_.reset();
    Result<std::unique_ptr<Store>> opened = OpenStore(place_.where(), options_);
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    store_ = std::move(opened).value();
  }

  CommitReply Commit(std::vector<Operation> operations, std::optional<Revision> seen = {}) {
    ChangeSet change = ChangeOf(std::move(operations), seen ? *seen : revision_, mailbox_.now());
    return CommitChange(std::move(change));
  }
  CommitReply CommitChange(ChangeSet change) {
    CommitReply reply = CommitAndWait(*store_, mailbox_, std::move(change));
    if (reply.outcome == Outcome::kCommitted) revision_ = reply.revision;
    return reply;
  }
  void SetUpFleet(std::uint32_t machines) {
    ASSERT_EQ(CommitChange(SmallFleet(machines)).outcome, Outcome::kCommitted);
  }
  std::shared_ptr<const Inventory> Read() { return ReadAndWait(*store_, mailbox_); }

  const StorePlace place_{GetParam()};
  StoreOptions options_;
  Mailbox mailbox_;
  std::unique_ptr<Store> store_;
  Revision revision_{};  // Of the last commit.
};

TEST_P(StoreContract, StartsEmpty) {
  EXPECT_EQ(Read()->revision(), Revision{});
  EXPECT_TRUE(Read()->AllRecords().empty());
}

TEST_P(StoreContract, CommitsAWholeGangAndCountsIt) {
  SetUpFleet(3);
  const CommitReply reply = Commit(CreateOn("web", {"m0", "m1", "m2"}));
  EXPECT_EQ(reply.outcome, Outcome::kCommitted);
  EXPECT_EQ(reply.revision, Revision{2});
  EXPECT_FALSE(reply.merged);
  const auto inventory = Read();
  EXPECT_EQ(inventory->revision(), Revision{2});
  EXPECT_EQ(inventory->FindService("web")->instances.size(), 3U);
  EXPECT_EQ(inventory->Find(MachineId("m1"))->allocated, Cpu(1000));
}

TEST_P(StoreContract, DoesAllOfAChangeOrNothing) {
  SetUpFleet(2);
  const auto before = SortedRecords(*Read());
  // The second machine does not exist, so the first instance must not be placed either.
  const CommitReply reply = Commit(CreateOn("web", {"m0", "m9"}));
  EXPECT_EQ(reply.outcome, Outcome::kRefused);
  ASSERT_TRUE(reply.violation);
  EXPECT_EQ(reply.violation->rule, RuleId("exists"));
  EXPECT_EQ(reply.revision, Revision{1});
  EXPECT_TRUE(SameUpdates(SortedRecords(*Read()), before));
  EXPECT_EQ(Read()->revision(), Revision{1});
}

TEST_P(StoreContract, MergesAStaleViewThatStillHolds) {
  SetUpFleet(1);
  const Revision seen = revision_;
  ASSERT_EQ(Commit(CreateOn("a", {"m0"})).outcome, Outcome::kCommitted);
  const CommitReply reply = Commit(CreateOn("b", {"m0"}), seen);
  EXPECT_EQ(reply.outcome, Outcome::kCommitted);
  EXPECT_TRUE(reply.merged);
  EXPECT_EQ(Read()->Find(MachineId("m0"))->allocated, Cpu(2000));
}

TEST_P(StoreContract, AnswersAConflictWithTheLatestRecords) {
  SetUpFleet(2);
  const auto view_at = Read();
  ASSERT_EQ(Commit({Put{ServiceNamed("full", 1)}, Put{InstanceOn("full", 0, "m0", 8000)}}).outcome,
            Outcome::kCommitted);
  // Another agent still believes that m0 is empty and places there, tentatively in its own view.
  Inventory view = *view_at;
  const std::vector<Operation> create = CreateOn("late", {"m0", "m1"});
  for (const Operation& operation : create) {
    const Record& record = std::get<Put>(operation).record;
    view.Install({.key = KeyOf(record), .record = record, .revision = view.revision()});
  }
  const CommitReply reply = Commit(create, view_at->revision());
  EXPECT_EQ(reply.outcome, Outcome::kConflict);
  ASSERT_TRUE(reply.violation);
  EXPECT_EQ(reply.violation->rule, RuleId("fits"));
  EXPECT_EQ(reply.revision, Revision{2});

  // It learns what happened, then installs the answer: its own placement never was.
  for (const auto& committed : LogAndWait(*store_, mailbox_, view_at->revision())) {
    view.Apply(*committed);
  }
  for (const Update& update : reply.latest) view.Install(update);
  EXPECT_TRUE(SameUpdates(SortedRecords(view), SortedRecords(*Read())));
  EXPECT_EQ(view.Find(MachineId("m0"))->allocated, Cpu(8000));
  EXPECT_EQ(view.Find(MachineId("m1"))->allocated, Cpu(0));
}

TEST_P(StoreContract, ConflictsWhenARecordWasReplacedMeanwhile) {
  SetUpFleet(1);
  const Revision seen = revision_;
  ASSERT_EQ(Commit({Put{MachineNamed("m0", 9000)}}).outcome, Outcome::kCommitted);
  const CommitReply reply = Commit({Put{MachineNamed("m0", 7000)}}, seen);
  EXPECT_EQ(reply.outcome, Outcome::kConflict);
  ASSERT_EQ(reply.latest.size(), 1U);
  EXPECT_EQ(std::get<Machine>(*reply.latest[0].record).capacity, Cpu(9000));
  EXPECT_EQ(reply.latest[0].revision, Revision{2});
}

TEST_P(StoreContract, OneWinsARaceForTheLastRoom) {
  SetUpFleet(1);
  std::vector<CommitReply> replies;
  for (int i = 0; i < 20; ++i) {
    store_->Commit(ChangeOf(CreateOn(fmt::format("s{}", i), {"m0"}), revision_, mailbox_.now()),
                   mailbox_, [&](CommitReply reply) { replies.push_back(std::move(reply)); });
  }
  ASSERT_TRUE(mailbox_.RunUntil([&] { return replies.size() == 20; }));
  EXPECT_EQ(std::ranges::count(replies, Outcome::kCommitted, &CommitReply::outcome), 8);
  EXPECT_EQ(std::ranges::count(replies, Outcome::kConflict, &CommitReply::outcome), 12);
  EXPECT_EQ(Read()->Find(MachineId("m0"))->allocated, Cpu(8000));
}

TEST_P(StoreContract, GivesALeaseToOneHolderAtATime) {
  const auto take = [&](const std::string& holder) {
    return Commit({Put{Lease{.name = "controller",
                             .holder = holder,
                             .epoch = 0,
                             .expires = mailbox_.now() + Duration(1000)}}});
  };
  ASSERT_EQ(take("a").outcome, Outcome::kCommitted);
  EXPECT_EQ(take("b").outcome, Outcome::kRefused);
  ASSERT_EQ(take("a").outcome, Outcome::kCommitted);  // Renewed: same epoch.
  EXPECT_EQ(Read()->leases().at("controller").epoch, 1U);
  mailbox_.Advance(Duration(1001));
  ASSERT_EQ(take("b").outcome, Outcome::kCommitted);
  EXPECT_EQ(Read()->leases().at("controller").epoch, 2U);
  EXPECT_EQ(Read()->leases().at("controller").holder, "b");
}

TEST_P(StoreContract, RefusesWhoLostTheLease) {
  SetUpFleet(1);
  const auto guarded = [&](std::uint64_t epoch) {
    ChangeSet change = ChangeOf({Put{TenantNamed(fmt::format("t{}", epoch))}}, revision_);
    change.guard = LeaseGuard{.lease = "controller", .epoch = epoch};
    return CommitChange(std::move(change));
  };
  ASSERT_EQ(Commit({Put{Lease{.name = "controller",
                              .holder = "a",
                              .epoch = 0,
                              .expires = mailbox_.now() + Duration(1000)}}})
                .outcome,
            Outcome::kCommitted);
  EXPECT_EQ(guarded(1).outcome, Outcome::kCommitted);
  const CommitReply wrong = guarded(2);
  EXPECT_NE(wrong.outcome, Outcome::kCommitted);
  ASSERT_TRUE(wrong.violation);
  EXPECT_EQ(wrong.violation->rule, RuleId("lease"));
  mailbox_.Advance(Duration(1001));
  EXPECT_NE(guarded(1).outcome, Outcome::kCommitted);
}

TEST_P(StoreContract, AnswersARetryWithTheFirstDecision) {
  SetUpFleet(1);
  const auto create = [&](const std::string& service, std::uint64_t sequence, std::uint64_t hash) {
    std::vector<Operation> operations = CreateOn(service, {"m0"});
    operations.emplace_back(Put{DecisionNumbered("a0", sequence)});
    operations.emplace_back(Put{Idempotency{.key = "key",
                                            .request_hash = hash,
                                            .decision = {"a0", sequence},
                                            .expires = mailbox_.now() + Duration(1000)}});
    return Commit(std::move(operations));
  };
  ASSERT_EQ(create("web", 1, 77).outcome, Outcome::kCommitted);
  const CommitReply retry = create("web", 2, 77);
  EXPECT_EQ(retry.outcome, Outcome::kDuplicate);
  EXPECT_EQ(retry.duplicate_of, (DecisionId{"a0", 1}));
  EXPECT_EQ(create("other", 2, 78).outcome, Outcome::kRefused);  // Same key, another request.
  if (GetParam().TakesPlace()) {
    Open();
    EXPECT_EQ(create("web", 2, 77).outcome, Outcome::kDuplicate);
  }
  mailbox_.Advance(Duration(1001));
  ASSERT_EQ(create("later", 2, 79).outcome, Outcome::kCommitted);
  EXPECT_EQ(Read()->idempotency().at("key").request_hash, 79U);
}

TEST_P(StoreContract, ForgetsExpiredIdempotencyKeys) {
  ASSERT_EQ(Commit({Put{Idempotency{.key = "old",
                                    .request_hash = 1,
                                    .decision = {"a0", 1},
                                    .expires = mailbox_.now() + Duration(10)}}})
                .outcome,
            Outcome::kCommitted);
  if (GetParam().TakesPlace()) Open();
  mailbox_.Advance(Duration(11));
  ASSERT_EQ(Commit({Put{TenantNamed("t")}}).outcome, Outcome::kCommitted);
  EXPECT_TRUE(Read()->idempotency().empty());
  if (GetParam().TakesPlace()) {
    Open();
    EXPECT_TRUE(Read()->idempotency().empty());
  }
}

TEST_P(StoreContract, KeepsDecisionsReadable) {
  Decision decision = DecisionNumbered("a0", 5);
  decision.refusal = Refusal{
      .rule = RuleId("fits"), .because = "no room", .cure = Cure::kMoreMachines, .nearest = {}};
  ASSERT_EQ(Commit({Put{decision}}).outcome, Outcome::kCommitted);
  const Result<Decision> found = DecisionAndWait(*store_, mailbox_, {"a0", 5});
  ASSERT_TRUE(found.ok()) << found.status().message();
  EXPECT_EQ(found.value(), decision);
  EXPECT_EQ(DecisionAndWait(*store_, mailbox_, {"a0", 4}).status().code(), Code::kNotFound);
  EXPECT_EQ(DecisionAndWait(*store_, mailbox_, {"a1", 5}).status().code(), Code::kNotFound);
}

TEST_P(StoreContract, TakesADecisionOnce) {
  ASSERT_EQ(Commit({Put{DecisionNumbered("a0", 5)}}).outcome, Outcome::kCommitted);
  EXPECT_EQ(Commit({Put{DecisionNumbered("a0", 5)}}).outcome, Outcome::kRefused);
  EXPECT_EQ(Commit({Put{DecisionNumbered("a0", 6)}}).outcome, Outcome::kCommitted);
  EXPECT_EQ(Read()->decisions().at("a0"), 6U);
}

TEST_P(StoreContract, KnowsEverythingAfterARestart) {
  if (!GetParam().TakesPlace()) GTEST_SKIP() << "forgets on purpose";
  SetUpFleet(3);
  ASSERT_EQ(Commit(CreateOn("web", {"m0", "m1"})).outcome, Outcome::kCommitted);
  ASSERT_EQ(Commit(CreateOn("gone", {"m2"})).outcome, Outcome::kCommitted);
  ASSERT_EQ(Commit({Move{{"web", 0}, MachineId("m0"), MachineId("m2")}}).outcome,
            Outcome::kCommitted);
  ASSERT_EQ(Commit({Remove{KeyOf(RecordKind::kService, "gone")}}).outcome, Outcome::kCommitted);
  ASSERT_EQ(Commit({Put{PolicyText{"# nothing\n"}}, Put{DecisionNumbered("a0", 3)}}).outcome,
            Outcome::kCommitted);
  const auto before = Read();
  Open();
  const auto after = Read();
  EXPECT_EQ(after->revision(), before->revision());
  EXPECT_TRUE(SameUpdates(SortedRecords(*after), SortedRecords(*before)));
  EXPECT_EQ(after->decisions(), before->decisions());
  EXPECT_EQ(after->policy_revision(), before->policy_revision());
  for (const char* name : {"m0", "m1", "m2"}) {
    const MachineState& was = *before->Find(MachineId(name));
    const MachineState& is = *after->Find(MachineId(name));
    EXPECT_EQ(is.revision, was.revision) << name;
    EXPECT_EQ(is.own_revision, was.own_revision) << name;
    EXPECT_EQ(is.allocated, was.allocated) << name;
  }
  EXPECT_TRUE(DecisionAndWait(*store_, mailbox_, {"a0", 3}).ok());
  // The next one carries on where the last one stopped.
  EXPECT_EQ(Commit({Put{TenantNamed("next")}}).revision, Next(before->revision()));
}

TEST_P(StoreContract, DoesNotBringBackWhatWasRemovedMeanwhile) {
  SetUpFleet(2);
  const Revision seen = revision_;
  ASSERT_EQ(Commit({Remove{KeyOf(RecordKind::kMachine, "m1")}}).outcome, Outcome::kCommitted);
  if (GetParam().TakesPlace()) Open();
  const CommitReply reply =
      Commit({Put{.record = MachineNamed("m1", 9000), .replaces = true}}, seen);
  EXPECT_EQ(reply.outcome, Outcome::kConflict);
  EXPECT_EQ(Commit({Put{MachineNamed("m1", 9000)}}).outcome, Outcome::kCommitted);
}

INSTANTIATE_TEST_SUITE_P(EveryStore, StoreContract,
                         ::testing::ValuesIn(StoreKinds().begin(), StoreKinds().end()), KindName);

}  // namespace
}  // namespace berth
