// Several stores over one etcd, and etcd's members coming and going under them: nothing that was
// acknowledged is lost or doubled, and everyone ends up with the same state.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "etcd_support.h"
#include "load.h"
#include "support/paths.h"

namespace berth {
namespace {

using testing::EtcdServers;

constexpr std::size_t kInFlight = 8;

// A thread that commits through one store.
class Committing {
 public:
  Committing(Store& store, const std::string& agent, std::size_t commits)
      : thread_([this, &store, agent, commits] {
          Load load(store, /*seed=*/1, agent, [this](const DecisionId& id, Revision revision) {
            acknowledged_.emplace(id, revision);
            ++count_;
          });
          EXPECT_TRUE(load.Run(commits, kInFlight)) << load.failure().message();
          over_ = true;
        }) {}

  // Until so many are acknowledged, or it is over.
  void Await(std::size_t acknowledged) const {
    while (count_ < acknowledged && !over_) std::this_thread::yield();
  }
  void FinishInto(Acknowledged& all) {
    thread_.join();
    all.insert(acknowledged_.begin(), acknowledged_.end());
  }

 private:
  Acknowledged acknowledged_;  // The thread's until it has ended.
  std::atomic<std::size_t> count_{0};
  std::atomic<bool> over_{false};
  std::thread thread_;
};

Revision RevisionOf(Store& store) {
  Mailbox mailbox;
  return ReadAndWait(store, mailbox)->revision();
}

void ExpectSameState(Store& a, Store& b) {
  Mailbox mailbox;
  const auto of_a = ReadAndWait(a, mailbox);
  ExpectSame(*of_a, *ReadAndWait(b, mailbox));
}

TEST(EtcdShared, TwoProcessesCommitAtOnce) {
  const EtcdServers servers(testing::BinaryDir(), {});
  const auto a = OpenEtcd(servers);
  const auto b = OpenEtcd(servers);
  Follows at_a(*a, Revision{});
  Follows at_b(*b, Revision{});
  Acknowledged acknowledged;
  {
    Committing by_a(*a, "a", 400);
    Committing by_b(*b, "b", 400);
    by_a.FinishInto(acknowledged);
    by_b.FinishInto(acknowledged);
  }
  EXPECT_GT(acknowledged.size(), 200U);
  // Otherwise they never met, and nothing was merged.
  EXPECT_GT(a->counts().lost + b->counts().lost, 0U);
  EXPECT_EQ(a->counts().reloads + b->counts().reloads, 0U);
  const Revision last = RevisionOf(*a);
  EXPECT_EQ(ToNumber(last), a->counts().commits + b->counts().commits);
  at_a.ExpectUpTo(last);
  at_b.ExpectUpTo(last);
  ExpectSameState(*a, *b);
  ExpectSound(*a, acknowledged);
  ExpectSound(*OpenEtcd(servers), acknowledged);
}

TEST(EtcdShared, EtcdRestartsUnderLoad) {
  EtcdServers servers(testing::BinaryDir(), {});
  const auto a = OpenEtcd(servers);
  const auto b = OpenEtcd(servers);
  Follows at_b(*b, Revision{});
  Acknowledged acknowledged;
  {
    Committing by_a(*a, "a", 400);
    Committing by_b(*b, "b", 400);
    for (const std::size_t after : {40U, 90U, 140U}) {
      by_a.Await(after);
      servers.Kill(0);
      servers.Start(0);
    }
    by_a.FinishInto(acknowledged);
    by_b.FinishInto(acknowledged);
  }
  at_b.ExpectUpTo(RevisionOf(*a));
  ExpectSameState(*a, *b);
  ExpectSound(*b, acknowledged);
}

TEST(EtcdShared, TheLeaderIsKilledUnderLoad) {
  EtcdServers servers(testing::BinaryDir(), {.members = 3, .sync = false, .flags = {}});
  const auto a = OpenEtcd(servers);
  const auto b = OpenEtcd(servers);
  Follows at_b(*b, Revision{});
  Acknowledged acknowledged;
  {
    Committing by_a(*a, "a", 300);
    Committing by_b(*b, "b", 300);
    for (const std::size_t after : {30U, 90U}) {
      by_a.Await(after);
      const std::size_t leader = servers.leader();
      servers.Kill(leader);
      by_a.Await(after + 30);  // Without it.
      servers.Start(leader);
    }
    by_a.FinishInto(acknowledged);
    by_b.FinishInto(acknowledged);
  }
  at_b.ExpectUpTo(RevisionOf(*a));
  ExpectSameState(*a, *b);
  ExpectSound(*a, acknowledged);
}

// One store has only the third member; while that one is dead the others go on and forget.
class EtcdAway : public ::testing::Test {
 protected:
  static constexpr std::size_t kLonely = 2;

  void SetUp() override {
    const std::string all = servers_.endpoints();
    near_options_ = EtcdAt(all.substr(0, all.rfind(',')));
    away_options_ = EtcdAt(all.substr(all.rfind(',') + 1));
  }
  void CommitMany(EtcdStore& store, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const CommitReply reply = CommitAndWait(
          store, mailbox_, ChangeOf({Put{DecisionNumbered("a0", ++sequence_)}}, Revision{}));
      ASSERT_EQ(reply.outcome, CommitReply::Outcome::kCommitted) << reply.status.message();
    }
  }

  EtcdServers servers_{testing::BinaryDir(), {.members = 3, .sync = false, .flags = {}}};
  EtcdOptions near_options_;
  EtcdOptions away_options_;
  Mailbox mailbox_;
  std::uint64_t sequence_ = 0;
};

TEST_F(EtcdAway, CatchesUpFromTheLogWhenEtcdForgotItsHistory) {
  const auto near = OpenEtcd(near_options_);
  const auto away = OpenEtcd(away_options_);
  Follows at_away(*away, Revision{});
  CommitMany(*near, 5);
  at_away.ExpectUpTo(Revision{5});
  servers_.Kill(kLonely);
  CommitMany(*near, 50);
  servers_.Compact();
  CommitMany(*near, 5);
  servers_.Start(kLonely);
  at_away.ExpectUpTo(Revision{60});  // Without a gap, and by itself.
  EXPECT_EQ(away->counts().reloads, 0U);
  ExpectSameState(*near, *away);
}

TEST_F(EtcdAway, ReadsEverythingAnewWhenTheLogWasCutOff) {
  near_options_.retention.revisions = 10;
  const auto near = OpenEtcd(near_options_);
  const auto away = OpenEtcd(away_options_);
  Follows at_away(*away, Revision{});
  CommitMany(*near, 5);
  at_away.ExpectUpTo(Revision{5});
  servers_.Kill(kLonely);
  CommitMany(*near, 50);
  servers_.Compact();
  servers_.Start(kLonely);
  const Revision snapshot = at_away.AwaitCompacted();
  EXPECT_EQ(snapshot, Revision{55});
  Follows again(*away, snapshot);
  CommitMany(*away, 3);
  again.ExpectUpTo(Revision{58});
  EXPECT_EQ(away->counts().reloads, 1U);
  ExpectSameState(*near, *away);
}

}  // namespace
}  // namespace berth
