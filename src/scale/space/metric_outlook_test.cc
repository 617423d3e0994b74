#include "scale/space/metric_outlook.h"

#include <gtest/gtest.h>

#include <cmath>

#include "scale/space/related_lead.h"
#include "scale/space/space_testing.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

GroupMetric MetricOf(std::string name, std::string_view method = "last_value") {
  GroupMetric metric{.name = std::move(name)};
  metric.forecast.method = FindForecaster(method).value();
  metric.forecast.history = hours(10);
  return metric;
}

class MetricOutlookTest : public ::testing::Test {
 protected:
  MetricOutlook Foresee(const GroupMetric& metric, Time now, std::size_t steps = 4) {
    MetricWindow window(application_, table_, {.now = now, .step = minutes(1), .steps = steps});
    return *window.Outlook(metric, 1).value();
  }

  ScaledApplication application_ = {
      .services = {ServiceOf("front", 1, 1), ServiceOf("back", 1, 1)}};
  MetricTable table_;
};

TEST_F(MetricOutlookTest, TheLastValueStays) {
  table_.Add("cpu", 1, MinuteSeries({0.2, 0.5, 0.3}));
  const MetricOutlook outlook = Foresee(MetricOf("cpu"), AtMinute(3));
  EXPECT_EQ(outlook.now, 0.3);
  EXPECT_EQ(outlook.mean, (std::vector<double>{0.3, 0.3, 0.3, 0.3}));
}

TEST_F(MetricOutlookTest, GapsAreFilledThenWindowsAreSummedAndUnfinishedOnesLeftOut) {
  table_.Add("load", 1, MinuteSeries({4, std::nan(""), 2, 6, 9}));
  GroupMetric metric = MetricOf("load");
  metric.filter =
      MetricFilter{.filter = FindFilter("default_na").value(), .settings = {.value = 1}};
  metric.aggregation =
      MetricAggregation{.aggregator = FindAggregator("sum").value(), .every = minutes(2)};
  // 4 + 1, 2 + 6; the window of the 9 is not over.
  const MetricOutlook outlook = Foresee(metric, AtMinute(5));
  EXPECT_EQ(outlook.now, 8);
  EXPECT_EQ(outlook.mean.front(), 8);
}

TEST_F(MetricOutlookTest, ASeasonIsCarriedOnFromNow) {
  std::vector<double> values;
  values.reserve(40);
  for (int i = 0; i < 40; ++i) values.push_back(i % 4 == 0 ? 9 : 1);
  table_.Add("load", 1, MinuteSeries(values));
  GroupMetric metric = MetricOf("load", "seasonal_naive");
  metric.forecast.seasons = {4};
  EXPECT_EQ(Foresee(metric, AtMinute(40)).mean, (std::vector<double>{9, 1, 1, 1}));
  EXPECT_EQ(Foresee(metric, AtMinute(42)).mean, (std::vector<double>{1, 1, 9, 1}));
}

TEST_F(MetricOutlookTest, WhatIsNotThereIsAnErrorThatNamesWhatIs) {
  table_.Add("cpu", 1, MinuteSeries({0.2}));
  MetricWindow window(application_, table_, {.now = AtMinute(1), .step = minutes(1), .steps = 1});
  const GroupMetric gpu = MetricOf("gpu");
  EXPECT_EQ(window.Outlook(gpu, 1).status().message(),
            "there is no metric 'gpu'; the metrics are cpu");
  GroupMetric other = MetricOf("cpu");
  other.of_service = "middle";
  EXPECT_EQ(window.Outlook(other, 1).status().message(), "cpu: there is no service 'middle'");
}

// The back follows the front by 3 minutes: back(t) = 2 front(t - 3) + 1.
class RelatedLeadTest : public MetricOutlookTest {
 protected:
  RelatedLeadTest() {
    application_.services[1].previous = {0};
    std::vector<double> back;
    for (int i = 0; i < 40; ++i) {
      front_.push_back(5 + (i * i * 7) % 11);
      back.push_back(i < 3 ? 1 : 2 * front_[static_cast<std::size_t>(i - 3)] + 1);
    }
    table_.Add("load", 0, MinuteSeries(front_));
    table_.Add("load", 1, MinuteSeries(back));
  }
  std::vector<double> front_;
};

TEST_F(RelatedLeadTest, TheServiceBeforeTellsTheNextPoints) {
  GroupMetric metric = MetricOf("load");
  metric.related = RelatedMetric{.which = RelatedServices::kPrevious,
                                 .correlator = FindCorrelator("pearson").value(),
                                 .lag_max = 5};
  const MetricOutlook outlook = Foresee(metric, AtMinute(40));
  // The last known is then the one in three minutes.
  EXPECT_NEAR(outlook.now, 2 * front_[39] + 1, 1e-9);
  for (int i = 0; i < 3; ++i) {
    metric.forecast.method = FindForecaster("last_value").value();
    const RelatedLead lead =
        LeadByRelated(*metric.related, table_.Series({.name = "load", .service = 1}, 40).value(),
                      table_.Series({.name = "load", .service = 0}, 40).value())
            .value();
    EXPECT_EQ(lead.lag, 3);
    EXPECT_NEAR(lead.series.values[static_cast<std::size_t>(40 + i)],
                2 * front_[static_cast<std::size_t>(37 + i)] + 1, 1e-9);
  }
}

TEST_F(RelatedLeadTest, EveryCorrelatorFindsTheLag) {
  const TimeSeries front = table_.Series({.name = "load", .service = 0}, 40).value();
  const TimeSeries back = table_.Series({.name = "load", .service = 1}, 40).value();
  for (const CorrelatorEntry& correlator : BuiltinCorrelators()) {
    if (correlator.name == "mas") continue;  // Says how far from rising or falling, not how near.
    const auto lead =
        LeadByRelated({.correlator = &correlator, .lag_max = 5, .least = 0}, back, front);
    ASSERT_TRUE(lead.ok()) << correlator.name << ": " << lead.status().message();
    EXPECT_EQ(lead.value().lag, 3) << correlator.name;
  }
}

TEST_F(RelatedLeadTest, AServiceThatComesFirstIsNotLed) {
  const auto lead = LeadByRelated({.correlator = FindCorrelator("pearson").value(), .lag_max = 5},
                                  table_.Series({.name = "load", .service = 0}, 40).value(),
                                  table_.Series({.name = "load", .service = 1}, 40).value());
  ASSERT_FALSE(lead.ok());
  EXPECT_EQ(lead.status().message(), "the correlation is greatest, 1.00, at a lag of -3");
}

}  // namespace
}  // namespace berth
