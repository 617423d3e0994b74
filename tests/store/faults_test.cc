// A disk that is slow, full or broken.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "audit.h"
#include "load.h"
#include "store/faulty_files.h"
#include "store/rocksdb_store.h"
#include "support.h"

namespace berth {
namespace {

using Outcome = CommitReply::Outcome;

class DiskFaults : public ::testing::Test {
 protected:
  std::unique_ptr<RocksDbStore> Open(RocksDbOptions options = {}) {
    options.directory = dir_.path();
    options.files = files_.files();
    Result<std::unique_ptr<RocksDbStore>> opened = RocksDbStore::Open(options);
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    return std::move(opened).value();
  }
  CommitReply Commit(Store& store, std::uint64_t sequence) {
    return CommitAndWait(store, mailbox_,
                         ChangeOf({Put{DecisionNumbered("a0", sequence)}}, Revision{}));
  }
  // Read-only: says so, and reads go on at the last durable revision.
  void ExpectReadOnly(Store& store, const std::string& advice, Revision revision) {
    const CommitReply reply = Commit(store, 1'000'000);
    EXPECT_EQ(reply.outcome, Outcome::kFailed);
    EXPECT_EQ(reply.status.code(), Code::kUnavailable);
    EXPECT_NE(reply.status.message().find(dir_.path()), std::string::npos)
        << reply.status.message();
    EXPECT_NE(reply.status.message().find("read-only"), std::string::npos)
        << reply.status.message();
    EXPECT_NE(reply.status.message().find(advice), std::string::npos) << reply.status.message();
    EXPECT_EQ(ReadAndWait(store, mailbox_)->revision(), revision);
    EXPECT_EQ(LogAndWait(store, mailbox_).size(), ToNumber(revision));
  }

  testing::TempFolder dir_{testing::BinaryDir()};
  FaultyFiles files_;
  Mailbox mailbox_;
};

TEST_F(DiskFaults, AFullDiskTurnsTheStoreReadOnly) {
  Acknowledged acknowledged;
  {
    auto store = Open();
    files_.FillDiskAfter(20'000);
    std::uint64_t sequence = 0;
    CommitReply reply;
    do {
      reply = Commit(*store, ++sequence);
      if (reply.outcome == Outcome::kCommitted) acknowledged[{"a0", sequence}] = reply.revision;
    } while (reply.outcome == Outcome::kCommitted);
    EXPECT_EQ(reply.outcome, Outcome::kFailed);
    EXPECT_GT(acknowledged.size(), 10U);
    ExpectReadOnly(*store, "free space and restart", Revision{acknowledged.size()});
    EXPECT_TRUE(DecisionAndWait(*store, mailbox_, {"a0", 3}).ok());
  }
  EXPECT_EQ(FindProblems(dir_.path(), acknowledged), std::vector<std::string>());
}

TEST_F(DiskFaults, AFailingSyncTurnsTheStoreReadOnly) {
  Acknowledged acknowledged;
  {
    auto store = Open();
    for (std::uint64_t sequence = 1; sequence <= 5; ++sequence) {
      acknowledged[{"a0", sequence}] = Commit(*store, sequence).revision;
    }
    files_.FailSyncs();
    EXPECT_EQ(Commit(*store, 6).outcome, Outcome::kFailed);
    ExpectReadOnly(*store, "check the disk and restart", Revision{5});
  }
  EXPECT_EQ(FindProblems(dir_.path(), acknowledged), std::vector<std::string>());
}

// Many in flight when it happens: what was judged on top of what failed is taken back with it.
TEST_F(DiskFaults, AFailureTakesBackTheWholeBatch) {
  for (const std::uint64_t bytes : {2'000U, 30'000U, 100'000U, 250'000U}) {
    const testing::TempFolder dir(testing::BinaryDir());
    FaultyFiles files;
    Acknowledged acknowledged;
    RocksDbOptions options;
    options.directory = dir.path();
    options.files = files.files();
    {
      auto store = RocksDbStore::Open(options).value();
      files.FillDiskAfter(bytes);
      Load load(*store, bytes, "a0",
                [&](const DecisionId& id, Revision revision) { acknowledged[id] = revision; });
      EXPECT_FALSE(load.Run(10'000, 32));
      EXPECT_NE(load.failure().message().find("free space and restart"), std::string::npos)
          << load.failure().message();
      const auto inventory = ReadAndWait(*store, mailbox_);
      std::vector<std::string> problems;
      CheckSums(*inventory, problems);
      EXPECT_EQ(problems, std::vector<std::string>());
      Inventory replayed;
      for (const auto& committed : LogAndWait(*store, mailbox_)) replayed.Apply(*committed);
      EXPECT_TRUE(SameUpdates(SortedRecords(*inventory), SortedRecords(replayed)));
    }
    EXPECT_EQ(FindProblems(dir.path(), acknowledged), std::vector<std::string>());
  }
}

TEST_F(DiskFaults, ASlowDiskMakesLargerBatchesNotErrors) {
  auto store = Open();
  files_.DelaySyncs(std::chrono::milliseconds(20));
  std::uint64_t replies = 0;
  for (std::uint64_t i = 1; i <= 200; ++i) {
    store->Commit(ChangeOf({Put{DecisionNumbered("a0", i)}}, Revision{}), mailbox_,
                  [&](const CommitReply& reply) {
                    EXPECT_EQ(reply.outcome, Outcome::kCommitted);
                    ++replies;
                  });
  }
  ASSERT_TRUE(mailbox_.RunUntil([&] { return replies == 200; }));
  EXPECT_EQ(store->stats().commits, 200U);
  EXPECT_LT(store->stats().syncs, 50U);
}

TEST_F(DiskFaults, MoreThanMayWaitIsTurnedAway) {
  auto store = Open({.directory = {}, .retention = {}, .waiting_max = 10, .files = nullptr});
  files_.DelaySyncs(std::chrono::milliseconds(20));
  std::uint64_t committed = 0;
  std::uint64_t turned_away = 0;
  for (std::uint64_t i = 1; i <= 500; ++i) {
    store->Commit(ChangeOf({Put{DecisionNumbered(fmt::format("a{}", i), 1)}}, Revision{}), mailbox_,
                  [&](const CommitReply& reply) {
                    if (reply.outcome == Outcome::kCommitted) {
                      ++committed;
                    } else {
                      EXPECT_EQ(reply.outcome, Outcome::kFailed);
                      EXPECT_EQ(reply.status.code(), Code::kResourceExhausted);
                      ++turned_away;
                    }
                  });
  }
  ASSERT_TRUE(mailbox_.RunUntil([&] { return committed + turned_away == 500; }));
  EXPECT_GE(committed, 10U);
  EXPECT_GT(turned_away, 100U);
  EXPECT_EQ(ReadAndWait(*store, mailbox_)->revision(), Revision{committed});
}

TEST_F(DiskFaults, ClosingAnswersWhatWaits) {
  std::uint64_t replies = 0;
  {
    auto store = Open();
    files_.DelaySyncs(std::chrono::milliseconds(5));
    for (std::uint64_t i = 1; i <= 100; ++i) {
      store->Commit(ChangeOf({Put{DecisionNumbered("a0", i)}}, Revision{}), mailbox_,
                    [&](const CommitReply& reply) {
                      EXPECT_EQ(reply.outcome, Outcome::kCommitted);
                      ++replies;
                    });
    }
  }
  mailbox_.RunWaiting();
  EXPECT_EQ(replies, 100U);
}

TEST(RocksDbStore, HasItsDirectoryForItself) {
  const testing::TempFolder dir(testing::BinaryDir());
  const auto open = [&] {
    RocksDbOptions options;
    options.directory = dir.path();
    return RocksDbStore::Open(options);
  };
  auto first = open();
  ASSERT_TRUE(first.ok());
  const auto second = open();
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().message(),
            fmt::format("another berth uses {}; stop it or choose another directory",
                        dir.path().string()));
}

}  // namespace
}  // namespace berth
