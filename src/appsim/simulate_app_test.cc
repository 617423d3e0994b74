#include "appsim/simulate_app.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "appsim/app_testing.h"
#include "appsim/reference_app_testing.h"
#include "appsim/reference_scaling_testing.h"

namespace berth {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class EndsKept final : public RequestSink {
 public:
  void Ended(const RequestEnd& end) override { ends.push_back(end); }
  std::vector<RequestEnd> ends{};
};

// By type and number, as text, so that a difference can be read.
std::map<std::pair<std::uint32_t, std::uint64_t>, std::string> ByRequest(
    const std::vector<RequestEnd>& ends) {
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::string> by_request;
  for (const RequestEnd& end : ends) {
    std::string& text = by_request[{end.type, end.number}];
    EXPECT_TRUE(text.empty()) << "a request ended twice";
    text = std::to_string(end.sent_us) + " to " + std::to_string(end.ended_us);
    text += end.answered ? " answered, waited " + std::to_string(end.waited_us) + ", on links " +
                               std::to_string(end.on_links_us)
                         : " lost: " + std::string(LossCauseName(end.cause)) + " at " +
                               std::to_string(end.service);
  }
  return by_request;
}

// Of what each says of a request; empty: none.
std::string FirstDifference(const std::vector<RequestEnd>& ends,
                            const std::vector<RequestEnd>& expected) {
  const auto found = ByRequest(ends), wanted = ByRequest(expected);
  for (const auto& [request, text] : wanted) {
    const auto other = found.find(request);
    const std::string says = other == found.end() ? "nothing" : other->second;
    if (says == text) continue;
    return "request " + std::to_string(request.second) + " of type " +
           std::to_string(request.first) + ": " + says + ", not " + text;
  }
  return found.size() == wanted.size() ? "" : "more requests ended than should";
}

// Makes small applications in which much happens at the same time.
class AppMaker {
 public:
  // Odd seeds make some nodes burst.
  explicit AppMaker(std::uint64_t seed) : rng_(seed), bursts_(seed % 2 == 1) {}

  AppModel Make(bool one_instance_a_node) {
    AppModel model;
    model.duration = seconds(3);
    const std::size_t services = 1 + rng_.Below(5);
    for (std::size_t i = 0; i < services; ++i) {
      AppService service{.name = "s" + std::to_string(i)};
      for (std::size_t next = i + 1; next < services; ++next) {
        if (rng_.Below(2) == 0) service.next.push_back(next);
      }
      service.work_milli = 500 + static_cast<std::int64_t>(rng_.Below(4)) * 500;
      service.idle[0] = {.mean = static_cast<double>(rng_.Below(3)) * 100};
      service.idle[1] = {.mean = static_cast<double>(rng_.Below(3)) * 1e6};
      service.upstream = Buffer();
      service.downstream = Buffer();
      service.boot = {.mean = static_cast<double>(rng_.Below(3)) * 1e5};
      service.termination = {.mean = static_cast<double>(rng_.Below(3)) * 2e4};
      model.services.push_back(std::move(service));
    }
    for (std::size_t i = 0; i < kTypes; ++i) model.request_types.push_back(Type(model, i));
    for (std::size_t i = 0; i < 5; ++i) model.node_types.push_back(NodeType(i));
    AppRegion region{.name = "here", .user_latency = milliseconds(rng_.Below(3))};
    if (rng_.Below(4) == 0) region.user_network_mbit = 2;
    Deploy(region, services, one_instance_a_node);
    for (std::size_t i = 0; i < kTypes; ++i) {
      region.loads.push_back({.request_type = i,
                              .step = milliseconds(500),
                              .rates = {Rate(), Rate(), 0, Rate(), Rate()},
                              .arrivals = rng_.Below(2) == 0 ? AppLoad::Arrivals::kEven
                                                             : AppLoad::Arrivals::kPoisson});
    }
    model.regions.push_back(std::move(region));
    return model;
  }

  Rng& rng() { return rng_; }

 private:
  static constexpr std::size_t kTypes = 3;

  double Rate() { return static_cast<double>(rng_.Below(5)) * 20; }
  Spread Some(double mean) {
    const Spread::Kind kinds[] = {Spread::Kind::kConstant, Spread::Kind::kNormal,
                                  Spread::Kind::kExponential};
    return {.kind = kinds[rng_.Below(3)],
            .mean = mean * static_cast<double>(rng_.Below(4)),
            .deviation = mean / 2};
  }
  AppBuffer Buffer() {
    AppBuffer buffer{.order = static_cast<BufferOrder>(rng_.Below(4))};
    for (std::size_t i = 0; i < kTypes && rng_.Below(2) == 0; ++i) {
      buffer.capacity.push_back(static_cast<std::uint32_t>(rng_.Below(5)));
    }
    return buffer;
  }
  AppRequestType Type(const AppModel& model, std::size_t index) {
    const std::size_t services = model.services.size();
    AppRequestType type{.name = "t" + std::to_string(index),
                        .entry = rng_.Below(2) == 0 ? 0 : rng_.Below(services)};
    for (std::size_t i = 0; i < services; ++i) {
      type.times.push_back({.upstream = Some(10'000), .downstream = Some(5'000)});
      if (index == 2) type.visits.push_back(rng_.Below(2) == 0);
    }
    type.need[0] = Some(300);
    type.need[1] = Some(1e6);
    type.need[3] = Some(1);
    type.request_bytes = Some(300);
    type.response_bytes = Some(1000);
    type.timeout = milliseconds(50 + rng_.Below(5) * 50);
    type.priority = static_cast<std::int64_t>(rng_.Below(2));
    return type;
  }
  AppNodeType NodeType(std::size_t index) {
    AppNodeType type{.vm = {.provider = "p", .name = "n" + std::to_string(index)}};
    type.vm.capacity[Resource::kCpu] = 1000 + static_cast<std::int64_t>(rng_.Below(3)) * 1000;
    type.vm.capacity[Resource::kMemory] =
        2'000'000 + static_cast<std::int64_t>(rng_.Below(9'000'000));
    type.vm.capacity[Resource::kNetwork] = static_cast<std::int64_t>(rng_.Below(3)) * 10;
    type.latency = milliseconds(rng_.Below(4));
    type.boot = {.mean = 1e5};
    type.termination = {.mean = 1e4};
    if (bursts_) type.burst = Burst(type.vm.capacity[Resource::kCpu]);
    return type;
  }
  // Credits for some tenths of a second above the baseline.
  CpuBurst Burst(std::int64_t cpu_milli) {
    if (rng_.Below(3) == 0) return {};
    const auto most = static_cast<std::int64_t>(rng_.Below(4)) * 50'000'001;
    const auto some = static_cast<std::uint64_t>(cpu_milli * 2 / 3);
    return {.baseline_milli = 1 + static_cast<std::int64_t>(rng_.Below(some)),
            .most = most,
            .start = rng_.Below(2) == 0 ? 0 : most};
  }
  void Deploy(AppRegion& region, std::size_t services, bool one_instance_a_node) {
    for (std::size_t i = 0; i < (one_instance_a_node ? services : 3); ++i) {
      VmGroup group{.type = one_instance_a_node ? i : rng_.Below(2), .count = 1 + rng_.Below(3)};
      group.instances.resize(services);
      for (std::size_t s = 0; s < services; ++s) {
        group.instances[s] =
            one_instance_a_node ? (s == i ? 1 : 0) : static_cast<std::uint32_t>(rng_.Below(3));
      }
      region.deployment.push_back(std::move(group));
    }
  }

  Rng rng_;
  bool bursts_;
};

// Orders numbers of instances, each on a node of its own and services on nodes of their own type,
// so that none is used for another.
class Scripted final : public Autoscaler {
 public:
  explicit Scripted(std::vector<InstanceCounts> counts) : counts_(std::move(counts)) {}
  Duration sync_period() const override { return milliseconds(150); }
  ScalingPlan Decide(Time now, const DeploymentState& /*state*/,
                     const MetricSource& /*metrics*/) override {
    if (next_ == counts_.size()) return {};
    const InstanceCounts& counts = counts_[next_++];
    PlannedState planned{.at = now};
    for (std::size_t i = 0; i < counts.size(); ++i) {
      VmGroup group{.type = i, .count = counts[i]};
      group.instances.resize(counts.size());
      group.instances[i] = 1;
      planned.nodes.push_back(std::move(group));
    }
    return {.made = now, .states = {std::move(planned)}};
  }

 private:
  std::vector<InstanceCounts> counts_;
  std::size_t next_ = 0;
};

TEST(SimulateApp, SaysOfEveryRequestWhatTheReferenceSays) {
  std::set<LossCause> causes;
  std::size_t answered = 0, waited = 0;
  double throttled_s = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const AppModel model = AppMaker(seed).Make(false);
    EndsKept kept;
    const auto outcome = SimulateApp(model, {.seed = seed, .sink = &kept});
    ASSERT_TRUE(outcome.ok()) << outcome.status().message();
    for (const NodeTypeOutcome& type : outcome.value().node_types) {
      throttled_s += type.throttled_seconds;
    }
    const std::vector<RequestEnd> expected = testing::ReferenceApp(model, seed).Run();
    ASSERT_EQ(FirstDifference(kept.ends, expected), "") << "seed " << seed;
    for (const RequestEnd& end : expected) {
      answered += end.answered ? 1 : 0;
      waited += end.answered && end.waited_us > 0 ? 1 : 0;
      if (!end.answered) causes.insert(end.cause);
    }
  }
  // That all of it was compared.
  EXPECT_GT(answered, 10'000U);
  EXPECT_GT(waited, 1'000U);
  EXPECT_GT(throttled_s, 50);
  EXPECT_EQ(causes.size(), kLossCauses - 1);
}

TEST(SimulateApp, SaysOfEveryRequestWhatTheReferenceSaysWhenScaled) {
  std::size_t stopped = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    AppMaker maker(seed);
    const AppModel model = maker.Make(true);
    std::vector<InstanceCounts> counts(15, InstanceCounts(model.services.size()));
    testing::ReferenceScaledApp reference(model, seed);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      for (std::uint32_t& count : counts[i]) {
        count = static_cast<std::uint32_t>(maker.rng().Below(4));
      }
      reference.ScaleAt(150'000 * static_cast<std::int64_t>(i + 1), counts[i]);
    }
    EndsKept kept;
    Scripted scripted(counts);
    ASSERT_TRUE(SimulateApp(model, {.seed = seed, .autoscaler = &scripted, .sink = &kept}).ok());
    const std::vector<RequestEnd> expected = reference.Run();
    ASSERT_EQ(FirstDifference(kept.ends, expected), "") << "seed " << seed;
    for (const RequestEnd& end : expected) {
      stopped += !end.answered && end.cause == LossCause::kInstanceStopped ? 1 : 0;
    }
  }
  EXPECT_GT(stopped, 20U);
}

// A request a second; service 0 takes 100 ms, then 1 and 2 take 200 and 50 ms at once, then 0 takes
// 30 ms. Links take 10 ms, and the user is 5 ms away.
AppModel ThreeByHand() {
  AppModel model = testing::TreeApp(3, 2, 1);
  model.duration = seconds(10);
  model.request_types[0].need = {};
  model.request_types[0].times = {{.upstream = {.mean = 1e5}, .downstream = {.mean = 3e4}},
                                  {.upstream = {.mean = 2e5}},
                                  {.upstream = {.mean = 5e4}}};
  model.node_types[0].latency = milliseconds(10);
  model.regions[0].user_latency = milliseconds(5);
  model.regions[0].loads = {
      {.step = seconds(10), .rates = {1}, .arrivals = AppLoad::Arrivals::kEven}};
  return model;
}

TEST(SimulateApp, AddsUpTheLongestWay) {
  const AppOutcome outcome = SimulateApp(ThreeByHand(), {}).value();
  const TypeOutcome& type = outcome.types[0];
  // To s0 15, 100, to s1 10, 200, back 10, 30, to the user 5.
  EXPECT_EQ(type.sent, 9U);
  EXPECT_EQ(type.answered, 9U);
  EXPECT_DOUBLE_EQ(type.response_us, 9 * 370'000);
  EXPECT_DOUBLE_EQ(type.on_links_us, 9 * 40'000);
  EXPECT_DOUBLE_EQ(type.waited_us, 0);
  EXPECT_EQ(outcome.hops, 9 * 4U);
  EXPECT_EQ(outcome.unfinished, 0U);
  EXPECT_EQ(outcome.under_way_max, 1U);
}

TEST(SimulateApp, AnswersLaterThanTheTargetAreNotGood) {
  AppModel model = ThreeByHand();
  model.request_types[0].target = milliseconds(369);
  EXPECT_EQ(SimulateApp(model, {}).value().types[0].good, 0U);
  model.request_types[0].target = milliseconds(370);
  EXPECT_EQ(SimulateApp(model, {}).value().types[0].good, 9U);
  model.request_types[0].timeout = milliseconds(370);
  const AppOutcome late = SimulateApp(model, {}).value();
  EXPECT_EQ(late.types[0].answered, 0U);
  EXPECT_EQ(late.types[0].lost[static_cast<std::size_t>(LossCause::kLateOnLink)], 9U);
}

TEST(SimulateApp, IsTheSameWithTheSameSeedAndOtherwiseAnother) {
  AppModel model = testing::TreeApp(3, 2, 2);
  model.duration = seconds(20);
  testing::AddLoad(model, {100}, seconds(20));
  EndsKept first, again, other;
  ASSERT_TRUE(SimulateApp(model, {.seed = 5, .sink = &first}).ok());
  ASSERT_TRUE(SimulateApp(model, {.seed = 5, .sink = &again}).ok());
  ASSERT_TRUE(SimulateApp(model, {.seed = 6, .sink = &other}).ok());
  EXPECT_EQ(ByRequest(first.ends), ByRequest(again.ends));
  EXPECT_NE(ByRequest(first.ends), ByRequest(other.ends));
}

TEST(SimulateApp, PaysForNodesFromOrderToGone) {
  AppModel model = testing::TreeApp(1, 1, 2);
  model.duration = seconds(3600);
  model.node_types[0].boot = {.mean = 60e6};
  model.node_types[0].termination = {.mean = 30e6};
  model.services[0].boot = {.mean = 10e6};
  model.services[0].termination = {.mean = 20e6};
  testing::AddLoad(model, {1}, seconds(3600));
  Scripted scripted({{3}, {3}, {1}});  // At 150, 300 and 450 ms.
  const AppOutcome outcome = SimulateApp(model, {.autoscaler = &scripted}).value();
  // One all the time; one until 450 ms and then 50 s more; the third did not even boot.
  const double paid_s = 3600 + 50.45 + 0.3;
  EXPECT_NEAR(outcome.node_types[0].node_seconds, paid_s, 1e-6);
  EXPECT_NEAR(outcome.node_types[0].cost_micros, paid_s / 3600 * 50'000, 1e-6);
  EXPECT_NEAR(outcome.series.cost_micros.back(), paid_s / 3600 * 50'000, 1e-6);
  EXPECT_EQ(outcome.series.nodes.back(), 1);
  EXPECT_EQ(outcome.series.nodes[10], 2);  // The second still stops.
  EXPECT_EQ(outcome.series.nodes_desired[10], 1);
  EXPECT_EQ(LatencyOf(outcome, false).count, 1U);
  EXPECT_NEAR(LatencyOf(outcome, false).MeanSeconds(), 50, 1e-9);
  EXPECT_NEAR(LatencyOf(outcome, true).MeanSeconds(), 0.3, 1e-9);
}

TEST(SimulateApp, MeasuresWhatThePolicySees) {
  AppModel model = ThreeByHand();
  const AppOutcome outcome = SimulateApp(model, {}).value();
  const AppMetricSource metrics(model, outcome.series);
  // Requests come at 1, 2, ... s: none in the first second.
  const TimeSeries load = metrics.Series({.name = "load"}, 100).value();
  ASSERT_EQ(load.values.size(), 10U);
  EXPECT_EQ(load.values[0], 0);
  EXPECT_EQ(load.values[1], 1);
  EXPECT_EQ(load.step, Duration(seconds(1)));
  const TimeSeries response = metrics.Series({.name = "response_time", .service = 2}, 100).value();
  EXPECT_EQ(response.start, Time(seconds(1)));  // Before it there was no answer.
  EXPECT_NEAR(response.values[0], 0.37, 1e-12);
  EXPECT_NEAR(metrics.Series({.name = "buffer_time", .request_type = "get"}, 1).value().values[0],
              0, 1e-12);
  // Idle 50 of 1050 milli; the request itself needs none.
  EXPECT_NEAR(metrics.Series({.name = "cpu", .service = 0}, 3).value().values[2], 50.0 / 1050,
              1e-12);
  EXPECT_EQ(metrics.Series({.name = "cpu", .service = 0}, 3).value().start, Time(seconds(7)));
  EXPECT_NE(
      metrics.Series({.name = "cpus", .service = 0}, 3).status().message().find("waiting_time"),
      std::string::npos);
  EXPECT_NE(metrics.Series({.name = "cpu"}, 3).status().message().find("response_time"),
            std::string::npos);
  EXPECT_FALSE(metrics.Series({.name = "load", .request_type = "put"}, 3).ok());
}

TEST(SimulateApp, UtilisationIsTheShareOfTimeInWork) {
  AppModel model = ThreeByHand();
  model.request_types[0].need[0] = {.mean = 1000};
  const AppOutcome outcome = SimulateApp(model, {}).value();
  const AppMetricSource metrics(model, outcome.series);
  // 50 idle all the time, and 1000 for 100 + 30 ms of the second.
  EXPECT_NEAR(metrics.Series({.name = "cpu", .service = 0}, 1).value().values[0],
              (50 + 130) / 1050.0, 1e-9);
  // Three nodes of two cpus each.
  EXPECT_NEAR(outcome.series.utilisation[0].back(), (150 + 130 + 200 + 50) / 6000.0, 1e-9);
}

TEST(SimulateApp, SharesOfScalingTimeInViolationAreThoseWhereThePromiseWasBroken) {
  AppOutcome outcome;
  outcome.series.step = seconds(1);
  outcome.series.steps = 4;
  outcome.series.types.resize(1);
  auto& all = outcome.series.types[0];
  all[static_cast<std::size_t>(AppMetric::kAnswered)] = {100, 100, 90, 0};
  all[static_cast<std::size_t>(AppMetric::kLost)] = {0, 0, 10, 0};
  all[static_cast<std::size_t>(AppMetric::kGood)] = {95, 94, 90, 0};
  // The second and third second are broken: 1.25 s and 0.25 s of the 3 s.
  outcome.intervals = {{.from_us = 500'000, .to_us = 2'250'000, .up = true},
                       {.from_us = 2'750'000, .to_us = 4'000'000, .up = true}};
  const ScalingLatency latency = LatencyOf(outcome, true);
  EXPECT_EQ(latency.count, 2U);
  EXPECT_DOUBLE_EQ(latency.MeanSeconds(), 1.5);
  EXPECT_DOUBLE_EQ(latency.ViolatedShare(), 1.5 / 3);
  EXPECT_EQ(LatencyOf(outcome, false).count, 0U);
}

}  // namespace
}  // namespace berth
