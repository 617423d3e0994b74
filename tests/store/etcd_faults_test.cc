// An etcd that is gone, that loses answers, that is too small: what those who commit are told, and
// that it is true.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "etcd_support.h"
#include "support/paths.h"
#include "support/tcp_proxy.h"

namespace berth {
namespace {

using Outcome = CommitReply::Outcome;
using testing::EtcdServers;
using testing::TcpProxy;

int PortOf(const EtcdServers& servers) {
  const std::string endpoint = servers.endpoints();
  return std::stoi(endpoint.substr(endpoint.rfind(':') + 1));
}

class EtcdFaults : public ::testing::Test {
 protected:
  EtcdFaults() {
    options_ = EtcdAt(fmt::format("127.0.0.1:{}", proxy_.port()));
    options_.attempt_max = std::chrono::milliseconds(250);
    options_.give_up_after = std::chrono::milliseconds(800);
    store_ = OpenEtcd(options_);
    EXPECT_EQ(CommitAndWait(*store_, mailbox_, SmallFleet(1)).outcome, Outcome::kCommitted);
    // From now on a commit is one call.
    EXPECT_EQ(Create("first", "first").outcome, Outcome::kCommitted);
  }

  // Makes a commit that is done, but whose answer the proxy swallows.
  void CommitUnheard(const std::string& service, const std::string& agent) {
    const auto observer = OpenEtcd(servers_);
    Follows observed(*observer, Revision{2});
    proxy_.Set(TcpProxy::Mode::kDeaf);
    reply_.reset();
    store_->Commit(KeyedCreate(service, agent, mailbox_.now()), mailbox_,
                   [this](CommitReply reply) { reply_ = std::move(reply); });
    observed.ExpectUpTo(Revision{3});
  }
  const CommitReply& AwaitReply() {
    EXPECT_TRUE(mailbox_.RunUntil([&] { return reply_.has_value(); }));
    return *reply_;
  }
  CommitReply Create(const std::string& service, const std::string& agent) {
    return CommitAndWait(*store_, mailbox_, KeyedCreate(service, agent, mailbox_.now()));
  }
  // Once etcd is back, by itself and soon.
  CommitReply CreateWhenBack(const std::string& service, const std::string& agent) {
    CommitReply reply = Create(service, agent);
    while (reply.outcome == Outcome::kFailed) reply = Create(service, agent);
    return reply;
  }

  EtcdServers servers_{testing::BinaryDir(), {}};
  TcpProxy proxy_{PortOf(servers_)};
  EtcdOptions options_;
  Mailbox mailbox_;
  std::unique_ptr<EtcdStore> store_;
  std::optional<CommitReply> reply_;
};

TEST_F(EtcdFaults, AnAnswerLostOnTheWayIsFoundInTheLog) {
  CommitUnheard("web", "a0");
  proxy_.Set(TcpProxy::Mode::kShut);
  proxy_.Set(TcpProxy::Mode::kOpen);
  const CommitReply& reply = AwaitReply();
  ASSERT_EQ(reply.outcome, Outcome::kCommitted) << reply.status.message();
  EXPECT_EQ(reply.revision, Revision{3});
  EXPECT_EQ(ReadAndWait(*store_, mailbox_)->revision(), Revision{3});
  ExpectSound(*store_, {{{"a0", 1}, Revision{3}}});
}

TEST_F(EtcdFaults, WhoeverWasNotAnsweredFindsOut) {
  CommitUnheard("web", "a0");
  proxy_.Set(TcpProxy::Mode::kShut);
  const CommitReply& reply = AwaitReply();
  ASSERT_EQ(reply.outcome, Outcome::kFailed);
  EXPECT_EQ(reply.status.code(), Code::kUnavailable);
  EXPECT_NE(reply.status.message().find("whether the change was committed is not known"),
            std::string::npos)
      << reply.status.message();
  // Nothing is said about the state while it is not known.
  bool refused = false;
  store_->Read(mailbox_, [&](const auto& snapshot) { refused = !snapshot.ok(); });
  ASSERT_TRUE(mailbox_.RunUntil([&] { return refused; }));
  proxy_.Set(TcpProxy::Mode::kOpen);
  const CommitReply again = CreateWhenBack("web", "a1");
  EXPECT_EQ(again.outcome, Outcome::kDuplicate);
  EXPECT_EQ(again.duplicate_of, (DecisionId{"a0", 1}));
  ExpectSound(*store_, {{{"a0", 1}, Revision{3}}});
}

// A frozen server still holds the request; it may take it up when it is thawed, but not after
// someone was told that it was not done.
TEST_F(EtcdFaults, WhatWasReadAfterAFailureIsFinal) {
  for (int round = 0; round < 3; ++round) {
    const std::string service = fmt::format("s{}", round);
    servers_.Freeze(0);
    const CommitReply reply = Create(service, fmt::format("a{}", round));
    EXPECT_EQ(reply.outcome, Outcome::kFailed);
    servers_.Thaw(0);
    const CommitReply again = CreateWhenBack(service, fmt::format("b{}", round));
    EXPECT_TRUE(again.outcome == Outcome::kCommitted || again.outcome == Outcome::kDuplicate);
    const Revision now = ReadAndWait(*store_, mailbox_)->revision();
    EXPECT_EQ(now, Revision{static_cast<std::uint64_t>(round) + 3});
  }
  const auto other = OpenEtcd(servers_);
  ExpectSame(*ReadAndWait(*other, mailbox_), *ReadAndWait(*store_, mailbox_));
  ExpectSound(*other, {});
}

TEST_F(EtcdFaults, KilledBetweenRequestAndAnswer) {
  servers_.Freeze(0);
  reply_.reset();
  store_->Commit(KeyedCreate("web", "a0", mailbox_.now()), mailbox_,
                 [this](CommitReply reply) { reply_ = std::move(reply); });
  servers_.Kill(0);
  servers_.Start(0);
  CommitReply reply = AwaitReply();
  if (reply.outcome == Outcome::kFailed) reply = CreateWhenBack("web", "a1");
  EXPECT_NE(reply.outcome, Outcome::kFailed);
  EXPECT_EQ(ReadAndWait(*store_, mailbox_)->revision(), Revision{3});
  ExpectSound(*store_, {});
}

TEST_F(EtcdFaults, AnEtcdThatIsGoneIsAnAnswerForAll) {
  servers_.Kill(0);
  std::vector<CommitReply> replies;
  for (int i = 0; i < 300; ++i) {
    store_->Commit(KeyedCreate(fmt::format("s{}", i), fmt::format("a{}", i), mailbox_.now()),
                   mailbox_, [&](CommitReply reply) { replies.push_back(std::move(reply)); });
  }
  ASSERT_TRUE(mailbox_.RunUntil([&] { return replies.size() == 300; }));
  for (const CommitReply& reply : replies) {
    ASSERT_EQ(reply.outcome, Outcome::kFailed);
    ASSERT_NE(reply.status.message().find("did not answer"), std::string::npos)
        << reply.status.message();
  }
  EXPECT_FALSE(DecisionAndWait(*store_, mailbox_, {"a0", 1}).ok());
  servers_.Start(0);
  EXPECT_EQ(CreateWhenBack("back", "b").outcome, Outcome::kCommitted);
  ExpectSound(*store_, {});
}

TEST(EtcdOpen, NamesTheServersThatDoNotAnswer) {
  EtcdOptions options = EtcdAt("127.0.0.1:1");
  options.give_up_after = std::chrono::milliseconds(100);
  const Result<std::unique_ptr<EtcdStore>> opened = EtcdStore::Open(options);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.status().code(), Code::kUnavailable);
  EXPECT_NE(opened.status().message().find("etcd at 127.0.0.1:1 did not answer within 100 ms"),
            std::string::npos)
      << opened.status().message();
}

TEST(EtcdLimits, AGangThatDoesNotFitIsRefusedByName) {
  const EtcdServers servers(testing::BinaryDir(),
                            {.members = 1, .sync = false, .flags = {"--max-request-bytes=60000"}});
  const auto store = OpenEtcd(servers);
  Mailbox mailbox;
  ASSERT_EQ(CommitAndWait(*store, mailbox, SmallFleet(100)).outcome, Outcome::kCommitted);
  std::vector<std::string> machines;
  for (int i = 0; i < 700; ++i) machines.push_back(fmt::format("m{}", i % 100));
  const CommitReply gang =
      CommitAndWait(*store, mailbox, ChangeOf(CreateOn("gang", machines), Revision{1}));
  EXPECT_EQ(gang.outcome, Outcome::kRefused);
  ASSERT_TRUE(gang.violation);
  EXPECT_NE(gang.violation->because.find("--max-request-bytes"), std::string::npos);
  EXPECT_FALSE(gang.latest.empty());
  // 200 machines are 200 keys.
  ChangeSet fleet = SmallFleet(200);
  fleet.seen = Revision{1};
  const CommitReply many = CommitAndWait(*store, mailbox, fleet);
  EXPECT_EQ(many.outcome, Outcome::kRefused);
  ASSERT_TRUE(many.violation);
  EXPECT_NE(many.violation->because.find("--max-txn-ops"), std::string::npos);
  machines.resize(60);
  EXPECT_EQ(
      CommitAndWait(*store, mailbox, ChangeOf(CreateOn("gang", machines), Revision{1})).outcome,
      Outcome::kCommitted);
  ExpectSound(*store, {});
}

// Touching many machines at once takes no more keys than touching few.
TEST(EtcdLimits, AGangOfManyMachinesGoesAtOnce) {
  const EtcdServers servers(testing::BinaryDir(),
                            {.members = 1, .sync = false, .flags = {"--max-txn-ops=512"}});
  auto store = OpenEtcd(servers);
  Mailbox mailbox;
  ASSERT_EQ(CommitAndWait(*store, mailbox, SmallFleet(400)).outcome, Outcome::kCommitted);
  std::vector<std::string> machines;
  for (int i = 0; i < 400; ++i) machines.push_back(fmt::format("m{}", i));
  ASSERT_EQ(
      CommitAndWait(*store, mailbox, ChangeOf(CreateOn("gang", machines), Revision{1})).outcome,
      Outcome::kCommitted);
  ASSERT_EQ(CommitAndWait(*store, mailbox,
                          ChangeOf({Remove{KeyOf(RecordKind::kService, "gang")}}, Revision{2}))
                .outcome,
            Outcome::kCommitted);
  // Their touches are still to be written, and are known all the same, now and later.
  for (std::uint64_t decision = 1; decision < 8; ++decision) {
    store = OpenEtcd(servers);
    ExpectSound(*store, {});
    ASSERT_EQ(CommitAndWait(*store, mailbox,
                            ChangeOf({Put{DecisionNumbered("a0", decision)}}, Revision{3}))
                  .outcome,
              Outcome::kCommitted);
  }
}

TEST(EtcdLimits, ServersThatTakeLessGetLess) {
  const EtcdServers servers(testing::BinaryDir(),
                            {.members = 1, .sync = false, .flags = {"--max-txn-ops=20"}});
  const auto store = OpenEtcd(servers);
  Mailbox mailbox;
  std::vector<CommitReply> replies;
  for (std::uint64_t i = 1; i <= 300; ++i) {
    store->Commit(ChangeOf({Put{DecisionNumbered("a0", i)}}, Revision{}), mailbox,
                  [&](CommitReply reply) { replies.push_back(std::move(reply)); });
  }
  ASSERT_TRUE(mailbox.RunUntil([&] { return replies.size() == 300; }));
  EXPECT_EQ(std::ranges::count(replies, Outcome::kCommitted, &CommitReply::outcome), 300);
}

TEST(EtcdRetention, OldEntriesAndTheirDecisionsAreErased) {
  const EtcdServers servers(testing::BinaryDir(), {});
  EtcdOptions options = EtcdAt(servers.endpoints());
  options.retention.revisions = 40;
  auto store = OpenEtcd(options);
  Mailbox mailbox;
  std::size_t replies = 0;
  for (std::uint64_t i = 1; i <= 400; ++i) {
    store->Commit(ChangeOf({Put{DecisionNumbered(fmt::format("a{}", i % 3), i)}}, Revision{}),
                  mailbox, [&](const CommitReply& reply) {
                    EXPECT_EQ(reply.outcome, Outcome::kCommitted);
                    ++replies;
                  });
  }
  ASSERT_TRUE(mailbox.RunUntil([&] { return replies == 400; }));
  store.reset();
  // Another one is not told to forget, and finds only what is left.
  const auto other = OpenEtcd(servers);
  EXPECT_EQ(LogAndWait(*other, mailbox, Revision{360}).size(), 40U);
  EXPECT_TRUE(DecisionAndWait(*other, mailbox, {"a1", 400}).ok());
  EXPECT_FALSE(DecisionAndWait(*other, mailbox, {"a0", 360}).ok());
  EXPECT_FALSE(DecisionAndWait(*other, mailbox, {"a1", 1}).ok());
}

// etcd may do the transaction that exceeds its quota and answer as if it had not. Reading tells,
// and needs no room.
TEST(EtcdQuota, WhatExceedsItIsInDoubtUntilItIsReadAgain) {
  EtcdServers servers(testing::BinaryDir(), {.flags = {"--quota-backend-bytes=300000"}});
  const auto store = OpenEtcd(servers);
  Mailbox mailbox;
  ASSERT_EQ(CommitAndWait(*store, mailbox, SmallFleet(1)).outcome, Outcome::kCommitted);
  Revision acknowledged{};
  CommitReply reply;
  for (int i = 0; i < 10'000; ++i) {
    ChangeSet change;
    change.operations.emplace_back(Put{Tenant{TenantId(fmt::format("t{:050}", i)), {}}});
    reply = CommitAndWait(*store, mailbox, std::move(change));
    if (reply.outcome != Outcome::kCommitted) break;
    acknowledged = reply.revision;
  }
  ASSERT_EQ(reply.outcome, Outcome::kFailed);
  EXPECT_NE(reply.status.message().find("whether the change was committed is not known"),
            std::string::npos)
      << reply.status.message();
  const Revision seen = ReadAndWait(*store, mailbox)->revision();
  EXPECT_TRUE(seen == acknowledged || seen == Next(acknowledged)) << ToNumber(seen);
  ExpectSound(*store, {});
}

}  // namespace
}  // namespace berth
