// A machine that loses power: what was not synced is gone. Whatever was acknowledged must be there
// after that, and nothing half-applied; and the test must notice when commits are not synced.
#include <gtest/gtest.h>

#include <algorithm>

#include "audit.h"
#include "berth/rng.h"
#include "load.h"
#include "store/faulty_files.h"
#include "store/rocksdb_store.h"
#include "support.h"

namespace berth {
namespace {

struct Crash {
  std::uint64_t seed = 0;
  bool sync = true;
  std::uint64_t changes_max = 400;  // The power fails before one of the next so many file changes.
};

// Runs load on the directory until the power fails; notes what was acknowledged.
void RunUntilPowerFails(const std::string& directory, const Crash& crash, int round,
                        Acknowledged& acknowledged) {
  Rng rng = Rng(crash.seed).Fork(static_cast<std::uint64_t>(round));
  FaultyFiles files;
  files.PretendSyncs();
  constexpr std::uint32_t kKept[] = {0, 0, 500, 1000};
  files.KeepUnsyncedPermille(kKept[rng.Below(4)]);
  const bool while_opening = rng.Below(4) == 0;
  const std::uint64_t point = rng.Below(while_opening ? 30 : crash.changes_max);
  if (while_opening) files.LosePowerAfter(point);
  RocksDbOptions options;
  options.directory = directory;
  options.files = files.files();
  options.sync = crash.sync;
  options.write_buffer_bytes = std::size_t{1} << 16;  // Tables are written while commits run.
  Result<std::unique_ptr<RocksDbStore>> opened = RocksDbStore::Open(options);
  if (opened.ok()) {
    if (!while_opening) files.LosePowerAfter(point);
    Load load(*opened.value(), crash.seed, "r" + std::to_string(round),
              [&](const DecisionId& id, Revision revision) { acknowledged[id] = revision; });
    while (!files.power_lost() && load.Run(20, 8)) {
    }
  }
  files.LosePowerNow();  // If opening failed for it, or the load ended before it.
}

class PowerLoss : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PowerLoss, LosesNothingAcknowledged) {
  const testing::TempFolder dir(testing::BinaryDir());
  Acknowledged acknowledged;
  for (int round = 0; round < 8; ++round) {
    RunUntilPowerFails(dir.path(), {.seed = GetParam()}, round, acknowledged);
    ASSERT_EQ(FindProblems(dir.path(), acknowledged), std::vector<std::string>())
        << "seed " << GetParam() << ", round " << round;
  }
  EXPECT_FALSE(acknowledged.empty());
}

INSTANTIATE_TEST_SUITE_P(Seeds, PowerLoss, ::testing::Range(std::uint64_t{0}, std::uint64_t{15}));

TEST(PowerLossWithoutSync, IsNoticed) {
  int noticed = 0;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const testing::TempFolder dir(testing::BinaryDir());
    Acknowledged acknowledged;
    RunUntilPowerFails(dir.path(), {.seed = seed, .sync = false}, 0, acknowledged);
    const std::vector<std::string> problems = FindProblems(dir.path(), acknowledged);
    const bool lost = std::ranges::any_of(problems, [](const std::string& problem) {
      return problem.find("is lost") != std::string::npos;
    });
    if (lost) ++noticed;
  }
  EXPECT_GT(noticed, 2);
}

}  // namespace
}  // namespace berth
