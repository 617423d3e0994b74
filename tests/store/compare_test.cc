// The durable stores against the memory store: same changes, same answers, same state, also when
// they are closed and opened again in between.
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "audit.h"
#include "random_changes.h"
#include "store/memory_store.h"
#include "store/rocksdb_store.h"
#include "store/verify.h"
#include "support.h"

namespace berth {
namespace {

std::unique_ptr<Store> OpenIn(const StorePlace& place) {
  constexpr std::string_view kRocksDb = "rocksdb:";
  if (!place.where().starts_with(kRocksDb)) {
    Result<std::unique_ptr<Store>> opened = OpenStore(place.where());
    EXPECT_TRUE(opened.ok()) << opened.status().message();
    return std::move(opened).value();
  }
  RocksDbOptions options;
  options.directory = place.where().substr(kRocksDb.size());
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

class StoresAgree : public ::testing::TestWithParam<std::tuple<StoreKind, std::uint64_t>> {};

TEST_P(StoresAgree, OnRandomChangesAndOverRestarts) {
  const std::uint64_t seed = std::get<1>(GetParam());
  const StorePlace place(std::get<0>(GetParam()));
  MemoryStore memory;
  std::unique_ptr<Store> durable = OpenIn(place);
  Mailbox mailbox;
  Inventory view;
  const auto watch = memory.WatchFrom(
      Revision{}, mailbox, [&](const WatchEvent& event) { view.Apply(*event.committed); });
  Rng rng(seed);
  std::array<int, 5> outcomes{};
  RandomChanges changes(seed, "a0");
  // Each waits for the one before: a way to a server and back.
  const int count = std::get<0>(GetParam()).name == "etcd" ? 2000 : 5000;
  for (int i = 0; i < count; ++i) {
    mailbox.Advance(Duration(static_cast<std::int64_t>(rng.Below(2000))));
    const ChangeSet change = changes.Next(view, mailbox.now());
    const CommitReply expected = CommitAndWait(memory, mailbox, change);
    const CommitReply reply = CommitAndWait(*durable, mailbox, change);
    ExpectSameReplies(expected, reply);
    if (HasFatalFailure()) FAIL() << "seed " << seed << ", change " << i;
    ++outcomes.at(static_cast<std::size_t>(reply.outcome));
    if (rng.Below(250) == 0) {
      durable.reset();
      durable = OpenIn(place);
    }
    if (rng.Below(500) == 0) {
      ExpectSameStates(*ReadAndWait(memory, mailbox), *ReadAndWait(*durable, mailbox));
    }
  }
  ExpectSameStates(*ReadAndWait(memory, mailbox), *ReadAndWait(*durable, mailbox));
  std::vector<std::string> problems;
  CheckSums(*ReadAndWait(*durable, mailbox), problems);
  EXPECT_EQ(problems, std::vector<std::string>());
  // The changes must reach every answer but failure, or this tests little.
  EXPECT_GT(outcomes[0], count / 5);
  for (int outcome = 1; outcome < 4; ++outcome)
    EXPECT_GT(outcomes.at(static_cast<std::size_t>(outcome)), count / 500);
  EXPECT_EQ(outcomes[4], 0);
  durable.reset();
  EXPECT_EQ(FindProblems(*OpenIn(place), {}), std::vector<std::string>());
  const Result<Verification> verified = VerifyStore(*ContentsOf(place.where()).value());
  ASSERT_TRUE(verified.ok()) << verified.status().message();
  EXPECT_TRUE(verified.value().holds());
}

std::vector<StoreKind> DurableKinds() {
  std::vector<StoreKind> kinds;
  for (const StoreKind& kind : StoreKinds()) {
    if (kind.TakesPlace()) kinds.push_back(kind);
  }
  return kinds;
}
std::string CaseName(const ::testing::TestParamInfo<std::tuple<StoreKind, std::uint64_t>>& info) {
  return std::string(std::get<0>(info.param).name) + std::to_string(std::get<1>(info.param));
}
INSTANTIATE_TEST_SUITE_P(Seeds, StoresAgree,
                         ::testing::Combine(::testing::ValuesIn(DurableKinds()),
                                            ::testing::Values(1, 2, 3)),
                         CaseName);

}  // namespace
}  // namespace berth
