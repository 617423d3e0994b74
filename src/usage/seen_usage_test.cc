#include "usage/seen_usage.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "berth/rng.h"
#include "support/temp_folder.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

const Time kCreated = Time(hours(24 * 365 * 50));
const InstanceId kWeb = {"web", 3};

Resources Seen(std::int64_t cpu, std::int64_t memory = -1) {
  Resources seen;
  for (const Resource r : kAllResources) seen[r] = -1;
  seen[Resource::kCpu] = cpu;
  seen[Resource::kMemory] = memory;
  return seen;
}

class UsageRecordsIn : public ::testing::TestWithParam<bool> {
 protected:
  // Without giving the old one a chance to say more.
  void Restart() {
    records_.reset();
    if (GetParam()) {
      observations_.reset();
      observations_ = OpenRocksDbObservations(folder_.File("observations")).value();
    } else if (observations_ == nullptr) {
      observations_ = NewMemoryObservations();
    }
    records_.emplace(*observations_);
  }
  void SetUp() override { Restart(); }

  void Note(const InstanceId& id, Time created, const Resources& usage, Time at) {
    const Status noted = records_->Note(id, created, usage, usage, at);
    ASSERT_TRUE(noted.ok()) << noted.message();
  }
  void Save() { ASSERT_TRUE(records_->Save().ok()); }
  std::map<InstanceId, SeenUsage> All() const {
    std::map<InstanceId, SeenUsage> all;
    const Status read = records_->ForEach([&](const InstanceId& id, const SeenUsage& seen) {
      EXPECT_TRUE(all.emplace(id, seen).second) << "told twice";
    });
    EXPECT_TRUE(read.ok()) << read.message();
    return all;
  }

  testing::TempFolder folder_;
  std::unique_ptr<Observations> observations_;
  std::optional<UsageRecords> records_;
};

TEST_P(UsageRecordsIn, HaveTheLastAndTheMost) {
  Note(kWeb, kCreated, Seen(500, 7), kCreated + seconds(1));
  Note(kWeb, kCreated, Seen(100), kCreated + seconds(2));
  Note(kWeb, kCreated, Seen(300), kCreated + seconds(1));  // Late.
  for (int i = 0; i < 2; ++i) {
    const auto all = All();
    ASSERT_EQ(all.size(), 1U);
    const SeenUsage& seen = all.at(kWeb);
    EXPECT_EQ(seen.of[0],
              (SeenUsage::Amount{.last = 100, .peak = 500, .at = kCreated + seconds(2)}));
    EXPECT_EQ(seen.of[1], (SeenUsage::Amount{.last = 7, .peak = 7, .at = kCreated + seconds(1)}));
    EXPECT_FALSE(seen.of[2].has_value());
    Save();
    Restart();
  }
}

TEST_P(UsageRecordsIn, BeginAnewWithTheInstance) {
  Note(kWeb, kCreated, Seen(500), kCreated);
  Save();
  Note(kWeb, kCreated + seconds(1), Seen(100), kCreated + seconds(1));
  EXPECT_EQ(All().at(kWeb).of[0]->peak, 100);
  Save();
  EXPECT_EQ(All().at(kWeb).of[0]->peak, 100);
}

TEST_P(UsageRecordsIn, AreDroppedWithTheInstanceOrItsService) {
  for (const bool saved : {true, false}) {
    for (const InstanceId& id : {InstanceId{"web", 3}, {"web", 12}, {"web2", 0}, {"we", 0}}) {
      Note(id, kCreated, Seen(1), kCreated);
    }
    if (saved) Save();
    EXPECT_TRUE(records_->Drop({"web2", 0}, kCreated).ok());  // Another had ended.
    EXPECT_EQ(All().size(), 4U);
    EXPECT_TRUE(records_->Drop({"web2", 0}, kCreated + seconds(1)).ok());
    EXPECT_EQ(All().size(), 3U);
    EXPECT_TRUE(records_->DropService("web", kCreated).ok());
    EXPECT_EQ(All().size(), 3U);
    EXPECT_TRUE(records_->DropService("web", kCreated + seconds(1)).ok());
    EXPECT_TRUE(records_->Drop({"nobody", 0}).ok());
    ASSERT_EQ(All().size(), 1U);
    EXPECT_EQ(All().begin()->first, (InstanceId{"we", 0}));
    Save();
    Restart();
    EXPECT_EQ(All().size(), 1U);
  }
}

// Whatever is noted, and whenever it is saved and begun again: what is on record is the last by
// time and the most, of all that was noted of the instance of that name that came last.
TEST_P(UsageRecordsIn, AreWhatWasNotedSoFar) {
  struct Noted {
    Time at;
    Resources usage;
  };
  struct Known {
    Time created = kCreated;
    std::vector<Noted> all;
  };
  std::map<InstanceId, Known> known;
  Rng rng(7);
  for (int i = 0; i < 1500; ++i) {
    const InstanceId id{fmt::format("s{}", rng.Below(3)), static_cast<std::uint32_t>(rng.Below(4))};
    Known& one = known[id];
    if (rng.Below(40) == 0) one = {.created = one.created + seconds(100), .all = {}};
    Resources usage;
    for (const Resource r : kAllResources) {
      usage[r] = static_cast<std::int64_t>(rng.Below(1000)) - 300;
    }
    one.all.push_back({one.created + seconds(rng.Below(50)), usage});
    Note(id, one.created, usage, one.all.back().at);
    if (rng.Below(20) == 0) Save();
    if (rng.Below(100) > 0) continue;
    Save();
    Restart();
  }
  const auto all = All();
  ASSERT_EQ(all.size(), known.size());
  for (const auto& [id, one] : known) {
    SeenUsage wanted{.created = one.created};
    for (const Resource r : kAllResources) {
      auto& amount = wanted.of[static_cast<std::size_t>(r)];
      for (const Noted& noted : one.all) {
        if (noted.usage[r] < 0) continue;
        const std::int64_t peak = std::max(amount ? amount->peak : 0, noted.usage[r]);
        const bool last = !amount || noted.at >= amount->at;
        amount = {.last = last ? noted.usage[r] : amount->last,
                  .peak = peak,
                  .at = last ? noted.at : amount->at};
      }
    }
    EXPECT_EQ(all.at(id), wanted) << ToString(id);
  }
}

TEST_P(UsageRecordsIn, SayWhichOfThemIsDamaged) {
  const Observation damaged{"usage/web/3", "\x80"};
  ASSERT_TRUE(observations_->Write(std::span(&damaged, 1)).ok());
  const Status read = records_->ForEach([](const InstanceId&, const SeenUsage&) { FAIL(); });
  EXPECT_NE(read.message().find("usage/web/3"), std::string::npos) << read.message();
}

INSTANTIATE_TEST_SUITE_P(Both, UsageRecordsIn, ::testing::Values(false, true),
                         [](const auto& tested) { return tested.param ? "RocksDb" : "Memory"; });

// Where there is not room for everything, what is told again and again stays.
TEST(UsageRecords, OutliveWhatWasWrittenBefore) {
  const auto observations = NewMemoryObservations(2);
  UsageRecords records(*observations);
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(records.Note(kWeb, kCreated, Seen(400 - i), Seen(400 - i), kCreated).ok());
    ASSERT_TRUE(records.Save().ok());
    const Observation other{fmt::format("window/{}", i), "x"};
    ASSERT_TRUE(observations->Write(std::span(&other, 1)).ok());
  }
  std::int64_t peak = 0;
  const Status read = records.ForEach(
      [&](const InstanceId& /*id*/, const SeenUsage& seen) { peak = seen.of[0]->peak; });
  EXPECT_TRUE(read.ok());
  EXPECT_EQ(peak, 400);
}

TEST(SeenUsage, IsToldTimeByTime) {
  SeenUsage seen{.created = kCreated};
  seen.Note(Seen(500, 7), Seen(500, 9), kCreated + seconds(1));
  seen.Note(Seen(100), Seen(100), kCreated + seconds(2));
  std::vector<std::tuple<Resources, Resources, Time>> told;
  seen.ForEachTime([&](const Resources& usage, const Resources& peak, Time at) {
    told.emplace_back(usage, peak, at);
  });
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0], std::tuple(Seen(-1, 7), Seen(-1, 9), kCreated + seconds(1)));
  EXPECT_EQ(told[1], std::tuple(Seen(100), Seen(500), kCreated + seconds(2)));
}

TEST(SeenUsage, IsNotReadFromSomethingElse) {
  SeenUsage seen{.created = kCreated};
  seen.Note(Seen(500), Seen(500), kCreated);
  EXPECT_EQ(DecodeSeenUsage(Encode(seen)).value(), seen);
  EXPECT_FALSE(DecodeSeenUsage("\x80").ok());
  seen.of[0]->peak = 499;
  EXPECT_FALSE(DecodeSeenUsage(Encode(seen)).ok());
  seen.of[0] = {.last = -1, .peak = 1, .at = kCreated};
  EXPECT_FALSE(DecodeSeenUsage(Encode(seen)).ok());
  seen.of[0] = {.last = 1, .peak = kAmountMax + 1, .at = kCreated};
  EXPECT_FALSE(DecodeSeenUsage(Encode(seen)).ok());
}

}  // namespace
}  // namespace berth
