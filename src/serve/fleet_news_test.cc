#include "serve/fleet_news.h"

#include <gtest/gtest.h>

#include "berth/rng.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

using testing::PutInto;
using testing::RandomFleet;
using testing::Sized;

// What a reader makes of the news: the whole map, changed where they say so.
void TakeNews(const v1::FleetNews& news, v1::FleetNews& map) {
  if (news.racks_size() > 0 || map.names_size() == 0) {
    map = news;
    return;
  }
  map.set_revision(news.revision());
  for (int i = 0; i < news.machines_size(); ++i) {
    const std::uint32_t place = news.machines(i);
    const auto at = static_cast<std::size_t>(i);
    map.mutable_health()->at(place) = news.health().at(at);
    for (int c = 0; c < news.columns_size(); ++c) {
      map.mutable_columns(c)->mutable_allocated()->at(place) = news.columns(c).allocated().at(at);
      map.mutable_columns(c)->mutable_used()->at(place) = news.columns(c).used().at(at);
    }
  }
}

struct Told {
  Inventory view;
  MachineUsage used;
};

std::vector<InstanceId> InstancesIn(const Inventory& view) {
  std::vector<InstanceId> found;
  for (const ServiceState& service : view.services()) {
    for (const KeptInstance& instance : service.instances) found.push_back(instance.id);
  }
  return found;
}

// One thing that may happen to a fleet: health, samples, an instance that comes, goes or moves, a
// machine that comes.
void ChangeSomething(Told& told, Rng& rng, int step) {
  Inventory& view = told.view;
  const std::span<const MachineState> machines = view.machines();
  const MachineState& machine = machines[rng.Below(machines.size())];
  const std::vector<InstanceId> instances = InstancesIn(view);
  switch (rng.Below(5)) {
    case 0: {
      Machine record = machine.record;
      record.health = static_cast<Health>(rng.Below(4));
      return PutInto(view, record);
    }
    case 1: {
      if (instances.empty()) return;
      Resources usage = Sized(static_cast<std::int64_t>(rng.Below(4)), 1);
      if (rng.Below(2) == 0) usage[Resource::kMemory] = -1;
      return told.used.Note(view, instances[rng.Below(instances.size())], usage,
                            Time(std::chrono::seconds(step)));
    }
    case 2:
    case 3: {
      if (instances.empty()) return;
      Instance instance = *view.Find(instances[rng.Below(instances.size())]);
      const bool comes = rng.Below(3) != 0 && instance.limit.FitsIn(machine.Free());
      instance.machine = comes ? machine.record.name : MachineId();
      instance.state = comes ? InstanceState::kPlaced : InstanceState::kPending;
      return PutInto(view, instance);
    }
    default: {
      if (rng.Below(4) != 0) return;
      Machine record = machine.record;
      record.name = MachineId(fmt::format("new-{}", step));
      record.health = Health::kReady;
      return PutInto(view, record);
    }
  }
}

TEST(FleetNews, WhatWasToldStepByStepIsWhatIsToldAtOnce) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Rng rng(seed);
    Told told{RandomFleet(rng), {}};
    FleetNewsTeller teller;
    v1::FleetNews map;
    for (int step = 0; step < 60; ++step) {
      for (std::uint64_t i = 0; i < rng.Below(4); ++i) ChangeSomething(told, rng, step);
      if (const auto news = teller.Next(told.view, told.used, nullptr)) TakeNews(*news, map);
      const auto whole = FleetNewsTeller().Next(told.view, told.used, nullptr);
      ASSERT_EQ(map.DebugString(), whole->DebugString()) << "seed " << seed << " step " << step;
      EXPECT_EQ(teller.Next(told.view, told.used, nullptr), nullptr);
    }
  }
}

// One machine of 10 cores, with 4 of them and 8 of 16 GiB allocated.
Told OneMachine() {
  Told told;
  Tenant tenant;
  tenant.name = TenantId("acme");
  PutInto(told.view, tenant);
  InstanceType type;
  type.name = TypeId("small");
  type.size = Sized(4, 8);
  PutInto(told.view, type);
  Machine machine;
  machine.name = MachineId("m1");
  machine.datacenter = DatacenterId("dc");
  machine.cluster = ClusterId("c");
  machine.row = RowId("row");
  machine.rack = RackId("rack");
  machine.sku = SkuId("s");
  machine.capacity = Sized(10, 16);
  machine.health = Health::kDraining;
  PutInto(told.view, machine);
  Service service;
  service.name = "web";
  service.tenant = tenant.name;
  service.klass = ClassId("gold");
  service.groups = {{.type = type.name, .role = RoleId(), .count = 1}};
  PutInto(told.view, service);
  Instance instance;
  instance.id = {"web", 0};
  instance.type = type.name;
  instance.limit = type.size;
  instance.machine = machine.name;
  instance.state = InstanceState::kPlaced;
  instance.timeline.created = Time(std::chrono::seconds(100));
  PutInto(told.view, instance);
  return told;
}

TEST(FleetNews, SaysWhereAMachineIsAndItsFiguresInPerCent) {
  Told told = OneMachine();
  Resources usage = Sized(1, 0);
  usage[Resource::kMemory] = -1;
  told.used.Note(told.view, {"web", 0}, usage, Time(std::chrono::seconds(101)));
  const auto news = FleetNewsTeller().Next(told.view, told.used, nullptr);
  ASSERT_EQ(news->racks_size(), 1);
  EXPECT_EQ(news->racks(0).datacenter(), "dc");
  EXPECT_EQ(news->racks(0).cluster(), "c");
  EXPECT_EQ(news->racks(0).rack(), "rack");
  EXPECT_EQ(news->racks(0).machines(), 1U);
  EXPECT_EQ(news->names(0), "m1");
  EXPECT_EQ(news->health(), std::string(1, '\1'));
  ASSERT_EQ(news->columns_size(), 2);
  EXPECT_EQ(news->columns(0).resource(), "cpu");
  EXPECT_EQ(news->columns(0).allocated(), std::string(1, '\x28'));  // 4 of 10 cores: 40 %,
  EXPECT_EQ(news->columns(0).used(), std::string(1, '\x0a'));       // 1 of 10 used: 10 %,
  EXPECT_EQ(news->columns(1).allocated(), std::string(1, '\x32'));  // 8 of 16 GiB: 50 %,
  EXPECT_EQ(news->columns(1).used(), std::string(1, '\xff'));       // of which nothing is known.
  EXPECT_TRUE(news->violation().empty());
}

TEST(FleetNews, WhatWasSeenOfAnEarlierInstanceOfThatNameIsNotOfThisOne) {
  Told told = OneMachine();
  told.used.Note(told.view, {"web", 0}, Sized(9, 1), Time(std::chrono::seconds(99)));
  EXPECT_EQ(told.used.On(told.view, MachineIndex{0})[Resource::kCpu], -1);
  told.used.Note(told.view, {"web", 0}, Sized(2, 1), Time(std::chrono::seconds(102)));
  EXPECT_EQ(told.used.On(told.view, MachineIndex{0})[Resource::kCpu], 2000);
}

TEST(FleetNews, PerCentIsRoundedBoundedAndKnowsWhatItDoesNotKnow) {
  EXPECT_EQ(PerCent(0, 10), 0);
  EXPECT_EQ(PerCent(1, 3), 33);
  EXPECT_EQ(PerCent(2, 3), 67);
  EXPECT_EQ(PerCent(25, 10), 250);
  EXPECT_EQ(PerCent(1'000'000, 10), 254);
  EXPECT_EQ(PerCent(-1, 10), 255);
  EXPECT_EQ(PerCent(5, 0), 255);
  EXPECT_EQ(PerCent(INT64_MAX, 1), 254);
}

}  // namespace
}  // namespace berth
