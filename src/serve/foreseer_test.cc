#include "serve/foreseer.h"

#include <gtest/gtest.h>

#include <future>

namespace berth {
namespace {

// Holds the foreseer's thread until it is let go.
class Held {
 public:
  explicit Held(Foreseer& foreseer) {
    std::promise<void> begun;
    EXPECT_TRUE(foreseer
                    .Post(Time::max(),
                          [&begun, until = until_.get_future().share()](const Status&) {
                            begun.set_value();
                            until.wait();
                          })
                    .ok());
    begun.get_future().wait();
  }
  void LetGo() { until_.set_value(); }

 private:
  std::promise<void> until_;
};

TEST(ForeseerThreads, OneMoreThanMayWaitIsRefused) {
  Foreseer foreseer;
  Held held(foreseer);
  std::size_t done = 0;
  for (std::size_t i = 0; i < Foreseer::kForecastsWaitMax; ++i) {
    EXPECT_TRUE(foreseer.Post(Time::max(), [&](const Status& turn) { done += turn.ok(); }).ok());
  }
  const Status refused = foreseer.Post(Time::max(), [&](const Status&) { ADD_FAILURE(); });
  EXPECT_EQ(refused.code(), Code::kResourceExhausted);
  EXPECT_EQ(refused.message(),
            "8 forecasts wait already; ask for one after the other, or again in some seconds");
  held.LetGo();
  foreseer.Flush();
  EXPECT_EQ(done, Foreseer::kForecastsWaitMax);
  EXPECT_TRUE(foreseer.Post(Time::max(), [](const Status&) {}).ok());
}

TEST(ForeseerThreads, WhoeverHadToWaitTooLongIsTurnedAway) {
  Foreseer foreseer;
  Status late;
  Status in_time{Code::kInternal, "not told"};
  ASSERT_TRUE(foreseer.Post(Time(), [&](const Status& turn) { late = turn; }).ok());
  ASSERT_TRUE(foreseer.Post(Time::max(), [&](const Status& turn) { in_time = turn; }).ok());
  foreseer.Flush();
  EXPECT_EQ(late.code(), Code::kDeadlineExceeded);
  EXPECT_TRUE(in_time.ok());
}

TEST(ForeseerThreads, WhoeverWaitsWhenItClosesIsTurnedAway) {
  Foreseer foreseer;
  Held held(foreseer);
  Status waited;
  ASSERT_TRUE(foreseer.Post(Time::max(), [&](const Status& turn) { waited = turn; }).ok());
  foreseer.Close();
  held.LetGo();
  foreseer.Flush();
  EXPECT_EQ(waited.code(), Code::kUnavailable);
}

}  // namespace
}  // namespace berth
