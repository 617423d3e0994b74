#include "sim/distant_store.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/virtual_executor.h"
#include "store/memory_store.h"

namespace berth {
namespace {

using std::chrono::milliseconds;

ChangeSet PutTenant(std::string_view name) {
  ChangeSet change;
  change.operations.emplace_back(Put{Tenant{.name = TenantId(name), .quota = std::nullopt}});
  return change;
}

struct Seen {
  std::string what;
  std::int64_t at_ms;
  friend bool operator==(const Seen&, const Seen&) = default;
};

class DistantStoreTest : public ::testing::Test {
 protected:
  void See(std::string what) {
    seen_.push_back({std::move(what), ToMicros(executor_.now()) / 1000});
  }
  std::unique_ptr<Watch> Follow() {
    return distant_.WatchFrom(Revision{}, executor_, [this](const WatchEvent&) { See("news"); });
  }

  VirtualExecutor executor_;
  MemoryStore store_;
  std::vector<Seen> seen_;
  DistantStore distant_{store_, executor_, [this](const CommitReply&) { See("committed"); }};
};

TEST_F(DistantStoreTest, NewsComeOneWayAndAnswersThereAndBackNewsFirst) {
  distant_.SetDistance(milliseconds(5));
  const std::unique_ptr<Watch> watch = Follow();
  distant_.Commit(PutTenant("t"), executor_, [this](const CommitReply&) { See("answer"); });
  executor_.RunUntilIdle();
  EXPECT_EQ(seen_, (std::vector<Seen>{{"committed", 5}, {"news", 10}, {"answer", 10}}));
}

TEST_F(DistantStoreTest, AtNoDistanceNothingTakesTime) {
  const std::unique_ptr<Watch> watch = Follow();
  distant_.Commit(PutTenant("t"), executor_, [this](const CommitReply&) { See("answer"); });
  executor_.RunUntilIdle();
  EXPECT_EQ(seen_, (std::vector<Seen>{{"news", 0}, {"committed", 0}, {"answer", 0}}));
}

TEST_F(DistantStoreTest, NewsOnTheirWayDoNotReachAWatchThatEnded) {
  distant_.SetDistance(milliseconds(5));
  std::unique_ptr<Watch> watch = Follow();
  distant_.Commit(PutTenant("t"), executor_, [](const CommitReply&) {});
  executor_.RunUntil(Time(milliseconds(7)));
  watch.reset();
  executor_.RunUntilIdle();
  EXPECT_EQ(seen_, (std::vector<Seen>{{"committed", 5}}));
}

}  // namespace
}  // namespace berth
