// What a scheduler is told from elsewhere, as after a restart or when a decision came to nothing.
#include <gtest/gtest.h>

#include <algorithm>

#include "qos/kind_scheduler.h"
#include "qos/plain_scheduler.h"
#include "qos/worlds_testing.h"

namespace berth {
namespace {

using std::chrono::seconds;
using testing::ForbidsHosts;
using testing::RandomClasses;
using testing::Room;

const Time kStart = TimeFromMicros(1'700'000'000'000'000);

class CorrectTest : public ::testing::Test {
 protected:
  static SchedulerOptions Options() {
    return {.classes = {{.target_ppm = 500'000,
                         .rank = 0,
                         .margin = seconds(10),
                         .overhead_cap_ppm = 500'000}},
            .allocation_time = {}};
  }
  ForbidsHosts filter_;
};

TEST_F(CorrectTest, GivesADecisionBack) {
  const std::unique_ptr<Scheduler> scheduler = NewQosScheduler(Options(), filter_);
  scheduler->AddHost(Room(1, 1));
  const RequestIndex request = scheduler->Admit({.demand = Room(1, 1)}, kStart);
  const RequestAccount before = scheduler->requests()[request];
  ASSERT_EQ(scheduler->Pass(kStart).grants.size(), 1U);
  scheduler->Correct(request, before);
  EXPECT_EQ(scheduler->waiting(), 1U);
  EXPECT_EQ(scheduler->host(HostIndex{0}).free, Room(1, 1));
  ASSERT_EQ(scheduler->Pass(kStart).grants.size(), 1U);
  EXPECT_EQ(scheduler->waiting(), 0U);
}

TEST_F(CorrectTest, AHostMayHoldMoreThanItHas) {
  const std::unique_ptr<Scheduler> scheduler = NewQosScheduler(Options(), filter_);
  const HostIndex host = scheduler->AddHost(Room(2, 2));
  RequestAccount runs;
  runs.want.demand = Room(2, 2);
  runs.placed = true;
  runs.host = host;
  runs.since = kStart;
  std::vector<RequestIndex> running;
  for (int i = 0; i < 2; ++i) {
    running.push_back(scheduler->Admit(runs.want, kStart));
    scheduler->Correct(running.back(), runs);
  }
  EXPECT_EQ(scheduler->host(host).free, Room(-2, -2));
  scheduler->Admit({.demand = Room(1, 1)}, kStart);
  EXPECT_TRUE(scheduler->Pass(kStart).grants.empty());
  // Both go for it once they have leeway: one alone would not make room.
  const PassOutcome& later = scheduler->Pass(kStart + seconds(60));
  ASSERT_EQ(later.grants.size(), 1U);
  EXPECT_EQ(later.victims.size(), 2U);
}

// Random accounts are put into the fast scheduler and the straightforward one.
class Corrected {
 public:
  Corrected(Rng rng, std::vector<Scheduler*> schedulers) : rng_(rng), schedulers_(schedulers) {
    hosts_ = 1 + static_cast<std::uint32_t>(rng_.Below(5));
    for (std::uint32_t i = 0; i < hosts_; ++i) {
      const Resources capacity = Room(Units(4) + 2, Units(4) + 2);
      for (Scheduler* scheduler : schedulers_) scheduler->AddHost(capacity);
    }
  }

  void Step() {
    now_ += seconds(rng_.Below(15));
    const Want want{.demand = Room(Units(3), Units(3)),
                    .klass = static_cast<std::uint32_t>(rng_.Below(3))};
    RequestIndex request{};
    for (Scheduler* scheduler : schedulers_) request = scheduler->Admit(want, now_);
    alive_.push_back(request);
    const std::uint64_t corrections = rng_.Below(3);
    for (std::uint64_t i = 0; i < corrections; ++i) CorrectOne();
    if (alive_.size() > 12 || rng_.Below(4) == 0) {
      const std::size_t which = rng_.Below(alive_.size());
      for (Scheduler* scheduler : schedulers_) scheduler->Complete(alive_[which]);
      alive_.erase(alive_.begin() + static_cast<std::ptrdiff_t>(which));
    }
  }

  std::string Pass(Scheduler& scheduler) {
    const PassOutcome& decisions = scheduler.Pass(now_);
    std::string text;
    for (const Grant& grant : decisions.grants) {
      text += fmt::format("{}@{}:", ToNumber(grant.request), ToNumber(grant.host));
      for (const Victim& victim : decisions.VictimsOf(grant))
        text += fmt::format(" {}", ToNumber(victim.request));
      text += "\n";
    }
    return text;
  }

 private:
  std::int64_t Units(std::uint64_t most) { return 1 + static_cast<std::int64_t>(rng_.Below(most)); }

  void CorrectOne() {
    if (alive_.empty()) return;
    const RequestIndex request = alive_[rng_.Below(alive_.size())];
    RequestAccount known;
    known.want = {.demand = Room(Units(3), Units(3)),
                  .klass = static_cast<std::uint32_t>(rng_.Below(3))};
    known.placed = rng_.Below(2) == 0;
    known.host = HostIndex{static_cast<std::uint32_t>(rng_.Below(hosts_))};
    known.since = now_ - seconds(rng_.Below(20));
    known.before = {seconds(rng_.Below(60)), seconds(rng_.Below(60))};
    known.allocation = seconds(rng_.Below(4));
    known.overhead = seconds(rng_.Below(10));
    known.starts = 1 + static_cast<std::uint32_t>(rng_.Below(3));
    for (Scheduler* scheduler : schedulers_) scheduler->Correct(request, known);
  }

  Rng rng_;
  std::vector<Scheduler*> schedulers_;
  std::vector<RequestIndex> alive_;
  std::uint32_t hosts_ = 0;
  Time now_ = kStart;
};

TEST_F(CorrectTest, TheFastSchedulerDecidesAsTheStraightforwardOne) {
  std::size_t grants = 0;
  std::size_t preemptions = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Rng rng(seed);
    const SchedulerOptions options{.classes = RandomClasses(rng), .allocation_time = seconds(2)};
    const std::unique_ptr<Scheduler> fast = NewQosScheduler(options, filter_);
    const std::unique_ptr<Scheduler> plain = NewPlainQosScheduler(options, filter_);
    Corrected world(rng.Fork("world"), {fast.get(), plain.get()});
    for (int step = 0; step < 40; ++step) {
      world.Step();
      const std::string decided = world.Pass(*fast);
      ASSERT_EQ(decided, world.Pass(*plain)) << "seed " << seed << " step " << step;
      grants += static_cast<std::size_t>(std::ranges::count(decided, '@'));
      preemptions += static_cast<std::size_t>(std::ranges::count(decided, ' '));
    }
  }
  EXPECT_GT(grants, 1000U);
  EXPECT_GT(preemptions, 100U);
}

}  // namespace
}  // namespace berth
