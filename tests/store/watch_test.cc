// Watching, as every store of the table promises it: ordered, without gaps, ahead of replies.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "berth/rng.h"
#include "store/open.h"
#include "support.h"

namespace berth {
namespace {

class StoreWatch : public ::testing::TestWithParam<StoreKind> {
 protected:
  void Open(const LogRetention& retention = {}) {
    store_.reset();
    Result<std::unique_ptr<Store>> opened = OpenStore(place_.where(), {.retention = retention});
    ASSERT_TRUE(opened.ok()) << opened.status().message();
    store_ = std::move(opened).value();
  }

  // Commits so many revisions, a decision each, without waiting for the replies.
  void CommitMany(int count) {
    for (int i = 0; i < count; ++i) {
      store_->Commit(ChangeOf({Put{DecisionNumbered("a0", ++sequence_)}}, Revision{}), mailbox_,
                     [this](const CommitReply& reply) {
                       EXPECT_EQ(reply.outcome, CommitReply::Outcome::kCommitted);
                       ++replies_;
                     });
    }
  }
  void AwaitReplies() {
    ASSERT_TRUE(mailbox_.RunUntil([&] { return replies_ == sequence_; }));
  }

  // A watch that checks that each event is the next one.
  struct Follower {
    Revision last{};
    Revision compacted{};
    int events = 0;
    std::unique_ptr<Watch> watch;
  };
  std::unique_ptr<Follower> Follow(Revision from) {
    auto follower = std::make_unique<Follower>();
    follower->last = from;
    follower->watch =
        store_->WatchFrom(from, mailbox_, [f = follower.get()](const WatchEvent& event) {
          ++f->events;
          if (event.committed == nullptr) {
            f->compacted = event.compacted;
            return;
          }
          EXPECT_EQ(event.committed->revision, Next(f->last));
          f->last = event.committed->revision;
        });
    return follower;
  }

  const StorePlace place_{GetParam()};
  Mailbox mailbox_;
  std::unique_ptr<Store> store_;
  std::uint64_t sequence_ = 0;
  std::uint64_t replies_ = 0;
};

TEST_P(StoreWatch, SeesEveryRevisionInOrder) {
  Open();
  CommitMany(50);
  AwaitReplies();
  const auto from_start = Follow(Revision{});
  const auto from_middle = Follow(Revision{20});
  const auto from_now = Follow(Revision{50});
  CommitMany(50);
  AwaitReplies();
  EXPECT_EQ(from_start->events, 100);
  EXPECT_EQ(from_middle->events, 80);
  EXPECT_EQ(from_now->events, 50);
}

TEST_P(StoreWatch, CatchesUpWithoutGapsWhileCommitsRun) {
  Open();
  CommitMany(3000);
  AwaitReplies();
  Rng rng(1);
  std::vector<std::unique_ptr<Follower>> followers;
  for (int round = 0; round < 30; ++round) {
    CommitMany(20);
    followers.push_back(Follow(Revision{rng.Below(replies_)}));
    if (rng.Below(2) == 0) mailbox_.RunWaiting();
  }
  AwaitReplies();
  const Revision last{sequence_};
  ASSERT_TRUE(mailbox_.RunUntil([&] {
    return std::ranges::all_of(followers, [&](const auto& f) { return f->last == last; });
  }));
}

// An agent that learns of its commit, or that it lost, has its view at exactly that revision.
TEST_P(StoreWatch, HasEveryEventBeforeTheReply) {
  Open();
  CommitMany(1000);
  AwaitReplies();
  const auto late = Follow(Revision{});  // Has a long way to go,
  const auto live = Follow(Revision{1000});
  int checked = 0;
  for (int i = 0; i < 200; ++i) {
    const bool refused = i % 3 == 0;
    store_->Commit(ChangeOf({Put{DecisionNumbered("a0", refused ? 1 : ++sequence_)}}, Revision{}),
                   mailbox_, [&](const CommitReply& reply) {
                     EXPECT_EQ(live->last, reply.revision);
                     EXPECT_EQ(late->last, reply.revision);  // and yet no reply overtakes it.
                     ++checked;
                   });
  }
  ASSERT_TRUE(mailbox_.RunUntil([&] { return checked == 200; }));
}

TEST_P(StoreWatch, EndsWhenDestroyed) {
  Open();
  CommitMany(10);
  AwaitReplies();
  const auto follower = Follow(Revision{});
  CommitMany(1);
  const auto other = Follow(Revision{});
  follower->watch.reset();  // Its events may be posted already; none may arrive.
  CommitMany(10);
  AwaitReplies();
  ASSERT_TRUE(mailbox_.RunUntil([&] { return other->last == Revision{21}; }));
  EXPECT_EQ(follower->events, 0);
}

TEST_P(StoreWatch, SaysCompactedBeforeTheLogsStart) {
  Open({.revisions = 10});
  CommitMany(25);
  AwaitReplies();
  const auto gone = Follow(Revision{14});
  const auto held = Follow(Revision{15});
  CommitMany(1);
  AwaitReplies();
  EXPECT_EQ(gone->compacted, Revision{25});
  EXPECT_EQ(gone->events, 1);
  EXPECT_EQ(held->last, Revision{26});
  EXPECT_EQ(DecisionAndWait(*store_, mailbox_, {"a0", 10}).status().code(), Code::kNotFound);
  EXPECT_TRUE(DecisionAndWait(*store_, mailbox_, {"a0", 20}).ok());
}

TEST_P(StoreWatch, CompactsByAge) {
  Open({.age = std::chrono::seconds(10)});
  CommitMany(5);
  AwaitReplies();
  mailbox_.Advance(std::chrono::seconds(11));
  CommitMany(5);
  AwaitReplies();
  const auto gone = Follow(Revision{4});
  const auto held = Follow(Revision{5});
  ASSERT_TRUE(mailbox_.RunUntil([&] { return held->last == Revision{10} && gone->events == 1; }));
  EXPECT_EQ(gone->compacted, Revision{10});
}

TEST_P(StoreWatch, SendsWhoeverIsAheadToASnapshot) {
  Open();
  CommitMany(3);
  AwaitReplies();
  const auto ahead = Follow(Revision{7});
  ASSERT_TRUE(mailbox_.RunUntil([&] { return ahead->events == 1; }));
  EXPECT_EQ(ahead->compacted, Revision{3});
}

TEST_P(StoreWatch, KeepsTheLogOverARestart) {
  if (!GetParam().TakesPlace()) GTEST_SKIP() << "forgets on purpose";
  Open({.revisions = 40});
  CommitMany(50);
  AwaitReplies();
  Open({.revisions = 20});  // A shorter log takes effect with the next commit.
  const auto held = Follow(Revision{10});
  const auto gone = Follow(Revision{9});
  ASSERT_TRUE(mailbox_.RunUntil([&] { return held->last == Revision{50} && gone->events == 1; }));
  EXPECT_EQ(gone->compacted, Revision{50});
  CommitMany(1);
  AwaitReplies();
  const auto now_gone = Follow(Revision{30});
  const auto still_held = Follow(Revision{31});
  ASSERT_TRUE(
      mailbox_.RunUntil([&] { return still_held->last == Revision{51} && now_gone->events == 1; }));
  EXPECT_EQ(now_gone->compacted, Revision{51});
}

INSTANTIATE_TEST_SUITE_P(EveryStore, StoreWatch,
                         ::testing::ValuesIn(StoreKinds().begin(), StoreKinds().end()), KindName);

}  // namespace
}  // namespace berth
