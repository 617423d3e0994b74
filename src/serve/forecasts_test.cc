// Who waits for a forecast, and who does not.
#include <gtest/gtest.h>

#include <future>

#include "base/run_on.h"
#include "serve/handlers.h"
#include "store/memory_store.h"

namespace berth {
namespace {

// With a day of load of the service web.
class GetForecastTest : public ::testing::Test {
 protected:
  GetForecastTest()
      : zone_(std::make_unique<MemoryStore>(), NewMemoryObservations(), "memory", {}) {
    EXPECT_TRUE(zone_.Start().ok());
    zone_.observer().Use([](Samples& samples, Time now) {
      std::vector<UsagePoint> points;
      for (int ago = 24; ago > 0; --ago) points.push_back({now - std::chrono::hours(ago), 7});
      EXPECT_TRUE(samples.Take({"web", "load"}, points, now).ok());
    });
  }

  std::future<Result<v1::SeriesForecast>> Ask(Time deadline = Time::max()) {
    const auto answer = std::make_shared<std::promise<Result<v1::SeriesForecast>>>();
    const auto request = std::make_shared<v1::GetForecastRequest>();
    request->set_subject("web");
    request->set_metric("load");
    request->set_method("last_value");
    RunOn(zone_.decides(), [&] {
      handlers_.at("GetForecast")(
          zone_, {.caller = {}, .deadline = deadline}, *request,
          [answer, request](const Status& status, const google::protobuf::Message* message) {
            if (!status.ok()) return answer->set_value(status);
            answer->set_value(static_cast<const v1::SeriesForecast&>(*message));
          });
    });
    zone_.observer().Flush();  // It has read the samples.
    return answer->get_future();
  }
  static bool IsAnswered(const std::future<Result<v1::SeriesForecast>>& asked) {
    return asked.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  }

  // Holds the thread that forecasts until `held_` is set.
  void Hold() {
    std::promise<void> begun;
    const Status posted = zone_.foreseer().Post(
        Time::max(), [&begun, held = held_.get_future().share()](const Status&) {
          begun.set_value();
          held.wait();
        });
    EXPECT_TRUE(posted.ok());
    begun.get_future().wait();
  }

  const HandlerTable handlers_ = AllHandlers();
  std::promise<void> held_;
  Zone zone_;
};

TEST_F(GetForecastTest, PlansDoNotWaitForIt) {
  Hold();
  auto asked = Ask();
  // Where plans are made, whatever was posted before is over.
  RunOn(zone_.ponders(), [] {});
  EXPECT_FALSE(IsAnswered(asked));
  held_.set_value();
  const Result<v1::SeriesForecast> forecast = asked.get();
  ASSERT_TRUE(forecast.ok()) << forecast.status().message();
  EXPECT_EQ(forecast.value().points(0).mean(), 7);
}

TEST_F(GetForecastTest, OneMoreThanMayWaitIsRefusedAtOnce) {
  Hold();
  std::vector<std::future<Result<v1::SeriesForecast>>> asked;
  for (std::size_t i = 0; i < Foreseer::kForecastsWaitMax; ++i) asked.push_back(Ask());
  EXPECT_EQ(Ask().get().status().code(), Code::kResourceExhausted);
  held_.set_value();
  for (auto& one : asked) EXPECT_TRUE(one.get().ok());
}

TEST_F(GetForecastTest, WhoseDeadlinePassedWhileItWaitedIsTold) {
  Hold();
  auto late = Ask(Time());
  held_.set_value();
  EXPECT_EQ(late.get().status().code(), Code::kDeadlineExceeded);
}

}  // namespace
}  // namespace berth
