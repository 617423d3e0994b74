// The durable store against the memory store: same changes, same answers, same state, also when it
// is closed and opened again in between.
#include <gtest/gtest.h>

#include <array>

#include "audit.h"
#include "random_changes.h"
#include "store/memory_store.h"
#include "store/rocksdb_store.h"
#include "support.h"

namespace berth {
namespace {

std::unique_ptr<RocksDbStore> OpenIn(const std::string& directory) {
  RocksDbOptions options;
  options.directory = directory;
  options.write_buffer_bytes = std::size_t{1} << 18;  // So that tables are written too.
  options.sync = false;  // Nothing fails here; waiting for the disk would only take longer.
  Result<std::unique_ptr<RocksDbStore>> opened = RocksDbStore::Open(options);
  EXPECT_TRUE(opened.ok()) << opened.status().message();
  return std::move(opened).value();
}

void ExpectSameReplies(const CommitReply& a, const CommitReply& b) {
  ASSERT_EQ(a.outcome, b.outcome);
  ASSERT_EQ(a.revision, b.revision);
  ASSERT_EQ(a.merged, b.merged);
  ASSERT_EQ(a.violation.has_value(), b.violation.has_value());
  if (a.violation) {
    ASSERT_EQ(a.violation->rule, b.violation->rule);
  }
  ASSERT_EQ(a.duplicate_of, b.duplicate_of);
  ASSERT_TRUE(SameUpdates(a.latest, b.latest));
}

void ExpectSameStates(const Inventory& a, const Inventory& b) {
  ASSERT_EQ(a.revision(), b.revision());
  ASSERT_TRUE(SameUpdates(SortedRecords(a), SortedRecords(b)));
  ASSERT_EQ(a.decisions(), b.decisions());
  ASSERT_EQ(a.policy_revision(), b.policy_revision());
}

class StoresAgree : public testing::TestWithParam<std::uint64_t> {};

TEST_P(StoresAgree, OnRandomChangesAndOverRestarts) {
  const TempDir dir;
  MemoryStore memory;
  std::unique_ptr<RocksDbStore> rocksdb = OpenIn(dir.path());
  Mailbox mailbox;
  Inventory view;
  const auto watch = memory.WatchFrom(
      Revision{}, mailbox, [&](const WatchEvent& event) { view.Apply(*event.committed); });
  Rng rng(GetParam());
  std::array<int, 5> outcomes{};
  RandomChanges changes(GetParam(), "a0");
  for (int i = 0; i < 5000; ++i) {
    mailbox.Advance(Duration(static_cast<std::int64_t>(rng.Below(2000))));
    const ChangeSet change = changes.Next(view, mailbox.now());
    const CommitReply expected = CommitAndWait(memory, mailbox, change);
    const CommitReply reply = CommitAndWait(*rocksdb, mailbox, change);
    ExpectSameReplies(expected, reply);
    if (HasFatalFailure()) FAIL() << "seed " << GetParam() << ", change " << i;
    ++outcomes.at(static_cast<std::size_t>(reply.outcome));
    if (rng.Below(250) == 0) {
      rocksdb.reset();
      rocksdb = OpenIn(dir.path());
    }
    if (rng.Below(500) == 0) {
      ExpectSameStates(*ReadAndWait(memory, mailbox), *ReadAndWait(*rocksdb, mailbox));
    }
  }
  ExpectSameStates(*ReadAndWait(memory, mailbox), *ReadAndWait(*rocksdb, mailbox));
  std::vector<std::string> problems;
  CheckSums(*ReadAndWait(*rocksdb, mailbox), problems);
  EXPECT_EQ(problems, std::vector<std::string>());
  // The changes must reach every answer but failure, or this tests little.
  EXPECT_GT(outcomes[0], 1000);
  for (int outcome = 1; outcome < 4; ++outcome)
    EXPECT_GT(outcomes.at(static_cast<std::size_t>(outcome)), 10);
  EXPECT_EQ(outcomes[4], 0);
  rocksdb.reset();
  EXPECT_EQ(FindProblems(dir.path(), {}), std::vector<std::string>());
}

INSTANTIATE_TEST_SUITE_P(Seeds, StoresAgree, testing::Values(1, 2, 3));

}  // namespace
}  // namespace berth
