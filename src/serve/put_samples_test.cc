// What becomes of samples that a zone is sent.
#include "serve/put_samples.h"

#include <gtest/gtest.h>

#include <future>
#include <limits>

#include "base/run_on.h"
#include "fleet/fleet_testing.h"
#include "store/memory_store.h"

namespace berth {
namespace {

using std::chrono::minutes;

constexpr std::string_view kResolves = "oversub: {resolve: true}";

// Service s0 of one instance on m0, and an empty m1.
class PutSamplesTest : public ::testing::Test {
 protected:
  PutSamplesTest() : zone_(std::make_unique<MemoryStore>(), NewMemoryObservations(), "memory", {}) {
    EXPECT_TRUE(zone_.Start().ok());
    Submit(ApplyPolicy{std::string(kResolves)});
    InstanceType small{
        .name = TypeId("small"), .size = Amounts(2), .skus = {}, .requires_labels = {}};
    Submit(
        ChangeFleet{.put = {Tenant{TenantId("acme"), {}}, small, MachineIn("m0")}, .remove = {}});
    Submit(CreateService{ServiceOf("s0", 1)});
    Submit(ChangeFleet{.put = {MachineIn("m1")}, .remove = {}});
  }

  void Submit(Action action) {
    std::promise<Reply> answer;
    zone_.decides().Post([&] {
      zone_.engine().Submit({.what = std::move(action)},
                            [&](Reply reply) { answer.set_value(std::move(reply)); });
    });
    const Reply reply = answer.get_future().get();
    EXPECT_TRUE(reply.accepted()) << reply.status.message();
  }

  // Points at so much after now.
  v1::PutSamplesReply Put(std::initializer_list<std::pair<Duration, double>> points) {
    v1::PutSamplesRequest request;
    v1::SampleSeries& series = *request.add_series();
    series.set_subject("s0/0");
    series.set_metric("cpu_milli");
    for (const auto& [after, value] : points) {
      v1::SamplePoint& point = *series.add_points();
      const Time at = zone_.decides().now() + after;
      point.set_at_ms(ToMicros(at) / 1000);
      point.set_value(value);
    }
    std::promise<v1::PutSamplesReply> answer;
    zone_.decides().Post([&] {
      PutSamples(zone_, request, [&](const Result<v1::PutSamplesReply>& reply) {
        answer.set_value(reply.value());
      });
    });
    return answer.get_future().get();
  }

  // In millicores, of both machines.
  std::int64_t Used() {
    std::int64_t used = 0;
    RunOn(zone_.decides(), [&] {
      for (const MachineIndex machine : {MachineIndex{0}, MachineIndex{1}}) {
        used += zone_.used().On(zone_.view(), machine)[Resource::kCpu];
      }
    });
    return used;
  }
  std::uint64_t Moves() {
    std::uint64_t moves = 0;
    RunOn(zone_.decides(), [&] { moves = zone_.engine().stats().resolving_moves; });
    return moves;
  }

  Zone zone_;
};

TEST_F(PutSamplesTest, TheLatestOfABatchIsWhatIsTakenNow) {
  const v1::PutSamplesReply reply =
      Put({{minutes(1), 9000}, {minutes(2), 1000}, {minutes(3), 500}});
  EXPECT_EQ(reply.errors(0), "");
  EXPECT_EQ(reply.taken(), 3U);
  EXPECT_EQ(Used(), 500);
  EXPECT_EQ(Moves(), 0U);
}

TEST_F(PutSamplesTest, WhatWasTakenBeforeIsNotTakenNow) {
  Put({{minutes(3), 500}});
  Put({{minutes(1), 9000}});  // Told late.
  EXPECT_EQ(Used(), 500);
  const v1::PutSamplesReply of_another = Put({{-std::chrono::hours(24), 9000}});
  EXPECT_EQ(of_another.taken(), 1U);
  EXPECT_EQ(Used(), 500);
  EXPECT_EQ(Moves(), 0U);
}

TEST_F(PutSamplesTest, WhatIsRefusedCountsForNothing) {
  Put({{minutes(1), 500}});
  const auto not_a_number = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(Put({{minutes(2), not_a_number}}).errors(0).find("not a number"), std::string::npos);
  EXPECT_NE(Put({{minutes(2), 700}, {minutes(6), 9000}}).errors(0).find("5 minutes ahead"),
            std::string::npos);
  EXPECT_NE(
      Put({{-std::chrono::hours(24 * 36), 9000}, {minutes(2), 700}}).errors(0).find("35 days"),
      std::string::npos);
  EXPECT_EQ(Used(), 500);
  EXPECT_EQ(Moves(), 0U);
}

}  // namespace
}  // namespace berth
