// Where a replay begins when the log's beginning is forgotten, against what really was.
#include "sim/replay_start.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "recorder.h"

namespace berth {
namespace {

struct Totals {
  std::uint64_t services = 0;
  std::uint64_t instances = 0;
};

Totals TotalsOf(const Inventory& fleet) {
  Totals totals;
  for (const ServiceState& service : fleet.services()) {
    if (service.vacant()) continue;
    ++totals.services;
    totals.instances += service.instances.size();
  }
  return totals;
}

TEST(RecordedLog, HoldsEveryRevisionThatTheStoreKeeps) {
  for (const std::size_t kept : {std::size_t{1}, std::size_t{13}, std::size_t{1'000'000}}) {
    Recorder recorder({.age = std::chrono::hours(24), .revisions = kept});
    recorder.LiveRandomly(1, 30);
    const std::uint64_t last = ToNumber(recorder.view().revision());
    const RecordedLog log = recorder.ReadLog();
    EXPECT_EQ(log.commits.size(), std::min<std::size_t>(kept, last));
    EXPECT_EQ(log.whole(), kept > last);
    for (std::size_t i = 0; i < log.commits.size(); ++i) {
      EXPECT_EQ(ToNumber(log.commits[i]->revision), last - log.commits.size() + 1 + i);
    }
  }
}

TEST(ReplayStart, IsNothingWhenTheLogIsWhole) {
  Recorder recorder;
  recorder.LiveRandomly(2, 10);
  const ReplayStart start = StartOf(recorder.ReadLog());
  EXPECT_TRUE(start.fleet.machines().empty());
  EXPECT_EQ(start.forgotten_instances, 0U);
}

// What nothing has touched since is as it was.
void CheckUntouched(const RecordedLog& log, const Inventory& start, const Inventory& was) {
  std::set<RecordKey> touched;
  for (const auto& committed : log.commits) {
    for (const Update& update : committed->updates) touched.insert(update.key);
  }
  for (const Update& update : was.AllRecords()) {
    const bool service = update.key.kind == RecordKind::kService;  // May have lost instances.
    if (service || touched.contains(update.key)) continue;
    const std::optional<Record> begun = start.Get(update.key);
    if (begun) {
      EXPECT_EQ(*begun, *update.record) << ToString(update.key);
    }
    if (update.key.kind == RecordKind::kMachine) {
      EXPECT_TRUE(begun.has_value()) << ToString(update.key);
    }
  }
}

TEST(ReplayStart, IsSoundAndCountsWhatIsForgotten) {
  std::uint64_t known = 0;
  std::uint64_t forgotten = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Recorder recorder({.age = std::chrono::hours(24), .revisions = 25 + seed});
    recorder.LiveRandomly(seed, 60);
    const auto history = recorder.history();
    const RecordedLog log = recorder.ReadLog();
    const ReplayStart start = StartOf(log);
    const Totals begun = TotalsOf(start.fleet);
    for (const MachineState& machine : start.fleet.machines()) {
      EXPECT_TRUE(machine.vacant() || machine.allocated.FitsIn(machine.usable));
    }
    for (const ServiceState& service : start.fleet.services()) {
      EXPECT_EQ(service.record.InstanceCount(), service.instances.size());
    }
    const auto was = history.find(start.fleet.revision());
    if (was == history.end()) continue;  // The log begins amid what followed from a request.
    CheckUntouched(log, start.fleet, was->second);
    const Totals truth = TotalsOf(was->second);
    EXPECT_EQ(begun.services + start.forgotten_services, truth.services);
    EXPECT_EQ(begun.instances + start.forgotten_instances, truth.instances);
    known += begun.instances;
    forgotten += start.forgotten_instances;
  }
  EXPECT_GT(known, forgotten);
  EXPECT_GT(forgotten, 0U);
}

}  // namespace
}  // namespace berth
