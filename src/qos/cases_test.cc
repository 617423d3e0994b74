// Who yields, worked out by hand. One host of four places unless said otherwise; margins of 10 s,
// no allocation time, so that leeway is ran / target - ran - waited.
#include <gtest/gtest.h>

#include "qos/kind_scheduler.h"
#include "qos/plain_scheduler.h"
#include "qos/worlds_testing.h"

namespace berth {
namespace {

using std::chrono::seconds;

enum Class : std::uint32_t { kGold, kSilver, kBronze };

class Cases : public ::testing::TestWithParam<bool> {
 protected:
  void Start(std::int64_t places, int hosts = 1) {
    const SchedulerOptions options{.classes = berth::TermsOf(DefaultFleetSettings().classes),
                                   .allocation_time = {}};
    scheduler_ =
        GetParam() ? NewQosScheduler(options, filter_) : NewPlainQosScheduler(options, filter_);
    for (int i = 0; i < hosts; ++i) scheduler_->AddHost(testing::Room(places, places));
  }
  RequestIndex Admit(Class klass, std::int64_t size, int at) {
    return scheduler_->Admit({.demand = testing::Room(size, size), .klass = klass},
                             Time(seconds(at)));
  }
  // The victims of the only grant; none placed: no value.
  std::optional<std::vector<RequestIndex>> Pass(int at) {
    const PassOutcome& decisions = scheduler_->Pass(Time(seconds(at)));
    if (decisions.grants.empty()) return std::nullopt;
    EXPECT_EQ(decisions.grants.size(), 1U);
    std::vector<RequestIndex> victims;
    for (const Victim& victim : decisions.victims) victims.push_back(victim.request);
    return victims;
  }
  testing::ForbidsHosts filter_;
  std::unique_ptr<Scheduler> scheduler_;
};
using Victims = std::vector<RequestIndex>;

TEST_P(Cases, TwoVictimsWhereOneIsNotEnough) {
  Start(4);
  const RequestIndex a = Admit(kBronze, 2, 0);
  EXPECT_EQ(Pass(0), Victims());
  const RequestIndex b = Admit(kBronze, 2, 10);
  EXPECT_EQ(Pass(10), Victims());
  Admit(kBronze, 3, 100);
  // Leeway a 100 s, b 90 s, the new one 0: most first.
  EXPECT_EQ(Pass(100), (Victims{a, b}));
}

TEST_P(Cases, ExactlyAtTheMarginMayBePreempted) {
  Start(1);
  const RequestIndex c = Admit(kSilver, 1, 0);
  EXPECT_EQ(Pass(0), Victims());
  const RequestIndex d = Admit(kBronze, 1, 89);
  EXPECT_EQ(Pass(89), std::nullopt);  // c: 89/9 s is below 10, and silver is more important.
  scheduler_->Complete(d);
  Admit(kBronze, 1, 90);
  EXPECT_EQ(Pass(90), Victims{c});  // c: 10 s.
}

TEST_P(Cases, OverItsCapNobodyYieldsToItsOwnClass) {
  Start(1);
  const RequestIndex a = Admit(kSilver, 1, 0);
  EXPECT_EQ(Pass(0), Victims());
  scheduler_->SetAllocation(a, seconds(200), Time());
  const RequestIndex gold = Admit(kGold, 1, 400);
  EXPECT_EQ(Pass(400), Victims{a});
  scheduler_->Complete(gold);
  EXPECT_EQ(Pass(400), Victims());  // a again: overhead 200 of 600 s is more than a tenth.
  const RequestIndex silver = Admit(kSilver, 1, 450);
  EXPECT_EQ(Pass(450), std::nullopt);  // Although a has 50 s and the new one 0.
  scheduler_->Complete(silver);
  Admit(kBronze, 1, 450);
  EXPECT_EQ(Pass(450), Victims{a});  // The cap is towards its own class only.
}

TEST_P(Cases, TheMoreImportantTakesFromOneAtRiskWhoeverIsWorseOff) {
  Start(1);
  const RequestIndex first = Admit(kGold, 1, 0);
  EXPECT_EQ(Pass(0), Victims());
  const RequestIndex bronze = Admit(kBronze, 1, 1);
  EXPECT_EQ(Pass(1), std::nullopt);
  scheduler_->Complete(first);
  EXPECT_EQ(Pass(100), Victims());
  Admit(kGold, 1, 110);
  EXPECT_EQ(Pass(110), Victims{bronze});  // Gold has 0 s, bronze ran 10 s and waited 99: -89 s.
}

TEST_P(Cases, WhoIsSafeTakesFromNobodyAtRisk) {
  Start(2);
  const RequestIndex a = Admit(kSilver, 2, 0);
  EXPECT_EQ(Pass(0), Victims());
  const RequestIndex gold = Admit(kGold, 2, 1000);
  EXPECT_EQ(Pass(1000), Victims{a});
  scheduler_->Complete(gold);
  Admit(kBronze, 2, 999);
  EXPECT_EQ(Pass(1000), Victims());     // The new one, at -1 s, before a with 111 s.
  EXPECT_EQ(Pass(1002), std::nullopt);  // And a waits, although it is silver.
}

TEST_P(Cases, PassesOverOneWhoMustNotYield) {
  Start(2);
  Admit(kGold, 1, 0);
  EXPECT_EQ(Pass(0), Victims());  // Never above 0 s.
  const RequestIndex silver = Admit(kSilver, 1, 0);
  EXPECT_EQ(Pass(0), Victims());
  Admit(kBronze, 1, 50);
  EXPECT_EQ(Pass(50), std::nullopt);
  EXPECT_EQ(Pass(100), Victims{silver});
}

// What its starts cost nobody knows, so that its cap would never end their taking turns.
TEST_P(Cases, OneNotHeardToHaveStartedYieldsToItsOwnClassOnlyAtNeed) {
  for (const bool heard : {false, true}) {
    Start(1);
    const RequestIndex a = Admit(kBronze, 1, 0);
    EXPECT_EQ(Pass(0), Victims());
    RequestAccount account = scheduler_->requests()[a];
    account.start_unknown = !heard;
    scheduler_->Correct(a, account);
    const RequestIndex b = Admit(kBronze, 1, 100);
    account = scheduler_->requests()[b];
    account.before.ran = seconds(50);
    scheduler_->Correct(b, account);
    // Leeway a 100 s, b 50 s: of two that are heard of, b is worse off.
    if (heard) {
      EXPECT_EQ(Pass(100), Victims{a});
      continue;
    }
    EXPECT_EQ(Pass(100), std::nullopt);
    EXPECT_EQ(Pass(140), std::nullopt);  // b: 10 s, its margin.
    EXPECT_EQ(Pass(141), Victims{a});
    // And to the more important as ever.
    account = scheduler_->requests()[b];
    account.start_unknown = true;
    scheduler_->Correct(b, account);
    scheduler_->Complete(a);
    Admit(kSilver, 1, 142);
    EXPECT_EQ(Pass(142), Victims{b});
  }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, Cases, ::testing::Values(false, true),
                         [](const auto& which) { return which.param ? "Fast" : "Plain"; });

}  // namespace
}  // namespace berth
