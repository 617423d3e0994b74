// What a zone knows of its instances after a restart: no less and no more than before.
#include "serve/zone.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <future>

#include "allocate/refusal.h"
#include "base/run_on.h"
#include "berth/rng.h"
#include "fleet/fleet_testing.h"
#include "serve/put_samples.h"
#include "store/open.h"
#include "support/temp_folder.h"

namespace berth {
namespace {

// A place is a good one if what was seen, and the limit of who comes, are less than the machine.
constexpr std::string_view kLooksAhead = R"(
oversubscription: {cpu: 1000%, memory: 1000%}
oversub: {held_out: {per_cluster: 0}}
allocate: {rules: [healthy, supports, fits, violation_probability, first_machines_first]}
)";
constexpr std::uint32_t kMachines = 4;

class ZoneRestarts : public ::testing::Test {
 protected:
  void SetUp() override {
    Open();
    Submit(ApplyPolicy{std::string(kLooksAhead)});
    InstanceType small{
        .name = TypeId("small"), .size = Amounts(2, 2), .skus = {}, .requires_labels = {}};
    ChangeFleet fleet{.put = {Tenant{TenantId("acme"), {}}, small}, .remove = {}};
    for (std::uint32_t i = 0; i < kMachines; ++i) fleet.put.emplace_back(MachineIn(NameOf(i)));
    Submit(std::move(fleet));
  }

  static std::string NameOf(std::uint32_t machine) { return fmt::format("m{}", machine); }

  void Open() {
    const std::string name = "rocksdb:" + folder_.File("zone");
    zone_ = std::make_unique<Zone>(OpenStore(name).value(), OpenObservations(name).value(), name,
                                   Zone::Options());
    const Status started = zone_->Start();
    ASSERT_TRUE(started.ok()) << started.message();
  }
  void Restart() {
    zone_.reset();
    Open();
  }

  void Submit(Action action) {
    std::promise<Reply> answer;
    zone_->decides().Post([&] {
      zone_->engine().Submit({.what = std::move(action)},
                             [&](Reply reply) { answer.set_value(std::move(reply)); });
    });
    const Reply reply = answer.get_future().get();
    EXPECT_TRUE(reply.accepted()) << reply.status.message();
  }

  // Of one resource of an instance, one after another from now on.
  void Put(const std::string& instance, const std::string& metric,
           const std::vector<double>& values) {
    v1::PutSamplesRequest request;
    v1::SampleSeries& series = *request.add_series();
    series.set_subject(instance);
    series.set_metric(metric);
    for (const double value : values) {
      v1::SamplePoint& point = *series.add_points();
      point.set_at_ms(ToMicros(zone_->decides().now()) / 1000 + ++sent_);
      point.set_value(value);
    }
    std::promise<v1::PutSamplesReply> answer;
    zone_->decides().Post([&] {
      PutSamples(*zone_, request, [&](const Result<v1::PutSamplesReply>& reply) {
        answer.set_value(reply.value());
      });
    });
    EXPECT_EQ(answer.get_future().get().errors(0), "");
  }

  struct Known {
    std::vector<Foreseen> foreseen;  // Of each machine, if one more of s0 came.
    std::vector<Resources> used;
    friend bool operator==(const Known&, const Known&) = default;
  };
  Known What() {
    Known known;
    RunOn(zone_->decides(), [&] {
      const Service service = zone_->view().FindService("s0")->record;
      for (std::uint32_t i = 0; i < kMachines; ++i) {
        const MachineId machine{NameOf(i)};
        const auto why = zone_->engine().AskWhyNot(service, std::nullopt, machine);
        ASSERT_TRUE(why.ok()) << why.status().message();
        ASSERT_FALSE(why.value().ahead.empty());
        known.foreseen.push_back(why.value().ahead.front().foreseen);
        known.used.push_back(zone_->used().On(zone_->view(), *zone_->view().IndexOf(machine)));
      }
    });
    return known;
  }
  std::size_t Records() { return zone_->observer().Recall("usage/", "usage0").size(); }

  testing::TempFolder folder_;
  std::unique_ptr<Zone> zone_;
  std::int64_t sent_ = 0;
};

// Right after the start, whatever was sent and wherever restarts were.
TEST_F(ZoneRestarts, NothingThatWasSeenIsForgotten) {
  Rng rng(3);
  for (int i = 0; i < 8; ++i) Submit(CreateService{ServiceOf(fmt::format("s{}", i), 2)});
  std::set<bool> violated;
  for (int round = 0; round < 12; ++round) {
    for (int i = 0; i < 6; ++i) {
      std::vector<double> values;
      for (std::uint64_t n = 0; n <= rng.Below(3); ++n) values.push_back(rng.Unit() * 2500);
      Put(fmt::format("s{}/{}", rng.Below(8), rng.Below(2)), "cpu_milli", values);
      Put(fmt::format("s{}/{}", rng.Below(8), rng.Below(2)), "memory_bytes", values);
      Put(fmt::format("s{}/{}", rng.Below(8), rng.Below(2)), "network_mbit", values);
    }
    const Known before = What();
    for (const Foreseen& one : before.foreseen) violated.insert(one.after > 0);
    if (round % 3 != 2) continue;
    Restart();
    EXPECT_EQ(What(), before) << round;
  }
  EXPECT_EQ(violated.size(), 2U) << "there is something to tell apart";
}

TEST_F(ZoneRestarts, ANamesakesUsageIsNotItsOwn) {
  Submit(CreateService{ServiceOf("s0", 1)});
  Put("s0/0", "cpu_milli", {7900});
  const Known of_another = What();
  Submit(DeleteService{"s0"});
  Submit(CreateService{ServiceOf("s0", 1)});
  Put("s0/0", "cpu_milli", {100});
  const Known before = What();
  EXPECT_NE(before, of_another);
  Restart();
  EXPECT_EQ(What(), before);
}

TEST_F(ZoneRestarts, WhatIsKeptGoesWithTheInstance) {
  Submit(CreateService{ServiceOf("s0", 2)});
  for (const char* instance : {"s0/0", "s0/1"}) Put(instance, "cpu_milli", {100});
  Restart();
  EXPECT_EQ(Records(), 2U);
  Submit(DeleteService{"s0"});
  AwaitOn(zone_->decides(), std::chrono::seconds(60), [&] { return Records() == 0; });
  EXPECT_EQ(Records(), 0U);
}

}  // namespace
}  // namespace berth
