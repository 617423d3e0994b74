// The mirror that followed every commit against one made anew.
#include "engine/yield_mirror.h"

#include <gtest/gtest.h>

#include "base/virtual_executor.h"
#include "berth/engine.h"
#include "engine/policy.h"
#include "store/memory_store.h"
#include "support/random_fleet.h"

namespace berth {
namespace {

using testing::RandomMachines;
using testing::RandomService;
using testing::RandomTypesAndTenants;

constexpr SchedulerPolicy kQos{.kind = SchedulerKind::kQos};

std::string TextOf(const std::vector<Seat>& seats) {
  std::string text;
  for (const Seat& seat : seats) {
    text += fmt::format("{} on {}, {} left;", seat.number, seat.machine.str(), seat.left.count());
    for (const Seat::Yields& victim : seat.victims) {
      text += fmt::format(" {} with {}", ToString(victim.instance), victim.spare.count());
    }
    text += '\n';
  }
  return text;
}

std::string TextOf(const SeatPlan& plan) {
  std::string text;
  for (const SeatPending& seating : plan.seatings) {
    text += seating.service + '\n' + TextOf(seating.seats);
  }
  for (const std::string& service : plan.too_few) text += service + " found too few\n";
  return text;
}

// A mirror made anew takes the order of machines from the view and that of instances from when they
// were created; one that followed has the order in which it learnt of them.
enum class Happens { kAnything, kWhatKeepsTheOrder };

// An engine that has no scheduler, and a mirror beside it that is told of its commits. Passes are
// made on the mirror; what they decide is committed, or comes to nothing.
class Followed {
 public:
  Followed(std::uint64_t seed, Happens happens) : rng_(seed), happens_(happens) {
    engine_.Start([](const Status& status) { EXPECT_TRUE(status.ok()) << status.message(); });
    executor_.RunUntilIdle();
    ChangeFleet fleet{.put = RandomTypesAndTenants(rng_), .remove = {}};
    machines_ = RandomMachines(rng_, true);
    fleet.put.insert(fleet.put.end(), machines_.begin(), machines_.end());
    Submit(std::move(fleet));
    mirror_ = NewMirror();
    watch_ = store_.WatchFrom(engine_.view().revision(), executor_,
                              [this](const WatchEvent& event) { mirror_->Note(*event.committed); });
    executor_.RunUntilIdle();
  }

  void Step() {
    executor_.RunUntil(executor_.now() + Duration(1) + std::chrono::seconds(rng_.Below(30)));
    Submit(AnyAction());
    if (rng_.Below(2) == 0) Pass();
    Grow();
    if (rng_.Below(4) == 0) mirror_->Unbench();
  }

  // Both decide, and all of it comes to nothing on one of them.
  void StepAndCompare() {
    executor_.RunUntil(executor_.now() + Duration(1) + std::chrono::seconds(rng_.Below(30)));
    Submit(AnyAction());
    const std::unique_ptr<YieldMirror> anew = NewMirror();
    const ResizeService grows = AnyGrowth();
    const auto seats = mirror_->PlanGrowth(grows, executor_.now());
    const auto seats_anew = anew->PlanGrowth(grows, executor_.now());
    ASSERT_EQ(seats.has_value(), seats_anew.has_value());
    if (seats) {
      EXPECT_EQ(TextOf(*seats), TextOf(*seats_anew));
    }
    const SeatPlan plan = mirror_->Pass(executor_.now());
    EXPECT_EQ(TextOf(plan), TextOf(anew->Pass(executor_.now())));
    Carry(plan);
    mirror_->ForgetRefusals();
  }

  void Check() {
    mirror_->Unbench();
    const std::unique_ptr<YieldMirror> anew = NewMirror();
    for (const ServiceState& service : engine_.view().services()) {
      for (const KeptInstance& instance : service.instances) {
        const RequestAccount* known = mirror_->Find(instance.id);
        const RequestAccount* wanted = anew->Find(instance.id);
        ASSERT_EQ(known == nullptr, wanted == nullptr) << ToString(instance.id);
        if (wanted == nullptr) continue;
        EXPECT_EQ(known->placed, wanted->placed) << ToString(instance.id);
        EXPECT_EQ(known->since, wanted->since) << ToString(instance.id);
        EXPECT_EQ(known->before, wanted->before) << ToString(instance.id);
        EXPECT_EQ(known->allocation, wanted->allocation) << ToString(instance.id);
        EXPECT_EQ(known->overhead, wanted->overhead) << ToString(instance.id);
        EXPECT_EQ(known->want.demand, wanted->want.demand) << ToString(instance.id);
      }
    }
    for (const MachineState& machine : engine_.view().machines()) {
      if (machine.vacant()) continue;
      EXPECT_EQ(mirror_->FreeOn(machine.record.name), machine.Free()) << machine.record.name.str();
    }
    EXPECT_EQ(mirror_->scheduler().waiting(), anew->scheduler().waiting());
  }

  std::uint64_t seated() const { return seated_; }
  std::uint64_t refused() const { return refused_; }
  std::uint64_t grown() const { return grown_; }

 private:
  std::unique_ptr<YieldMirror> NewMirror() const {
    return std::make_unique<YieldMirror>(engine_.view(), kQos,
                                         PolicyInForce(engine_.view()).value());
  }

  Reply Submit(Action action) {
    Reply answer;
    engine_.Submit({.what = std::move(action)}, [&](Reply reply) { answer = std::move(reply); });
    executor_.RunUntilIdle();
    return answer;
  }

  void Pass() {
    const SeatPlan plan = mirror_->Pass(executor_.now());
    for (const std::string& service : plan.too_few) mirror_->Bench(service);
    Carry(plan);
  }

  void Carry(const SeatPlan& plan) {
    for (const SeatPending& seating : plan.seatings) {
      const bool lost = rng_.Below(4) == 0;
      const Reply reply = lost ? Reply{.status = Status(Code::kAborted, "")} : Submit(seating);
      if (reply.accepted()) {
        ++seated_;
        continue;
      }
      if (!lost) ++refused_;
      if (reply.status.ok()) mirror_->NoteRefusal(seating, *reply.decision);
      mirror_->TakeBack(seating);
    }
  }

  // Of some service, up to half as much again and a little.
  ResizeService AnyGrowth() {
    ResizeService grows{.service = fmt::format("s{}", rng_.Below(12)), .type = {}, .limit = {}};
    const ServiceState* service = engine_.view().FindService(grows.service);
    if (service == nullptr || service->instances.empty()) return grows;
    const Instance& one = service->instances[rng_.Below(service->instances.size())];
    grows.type = one.type;
    grows.limit = one.limit;
    grows.limit += testing::Sized(static_cast<std::int64_t>(1 + rng_.Below(4)), 1);
    return grows;
  }

  // What is planned is committed whole, or not; nothing of it stays in the mirror otherwise.
  void Grow() {
    ResizeService grows = AnyGrowth();
    std::optional<std::vector<Seat>> seats = mirror_->PlanGrowth(grows, executor_.now());
    if (!seats) return;
    for (const Seat& seat : *seats) {
      for (const Seat::Yields& victim : seat.victims) {
        EXPECT_NE(victim.instance.service, grows.service);
      }
    }
    grows.seats = *std::move(seats);
    if (rng_.Below(4) == 0) return;
    const Reply reply = Submit(grows);
    if (!reply.accepted()) return;
    if (!reply.decision->yielded.empty()) ++grown_;
    for (const KeptInstance& instance : engine_.view().FindService(grows.service)->instances) {
      if (instance.type != grows.type || instance.state == InstanceState::kEnded) continue;
      EXPECT_EQ(instance.limit, grows.limit);
    }
  }

  MachineId AnyMachine() { return std::get<Machine>(machines_[rng_.Below(machines_.size())]).name; }

  // Which machines suit it is another than before.
  Action AnotherType() {
    InstanceType type = *engine_.view().Find(TypeId("small"));
    type.requires_labels.clear();
    if (rng_.Below(2) == 0) type.requires_labels = {{LabelName("disk"), LabelName("ssd")}};
    return ChangeFleet{.put = {type}, .remove = {}};
  }

  Action AnyAction() {
    const std::string name = fmt::format("s{}", rng_.Below(12));
    const InstanceId instance{name, static_cast<std::uint32_t>(rng_.Below(4))};
    switch (rng_.Below(10)) {
      case 0:
        return DeleteService{name};
      case 1:
        return ScaleService{.service = name, .groups = RandomService(rng_, name).groups};
      case 2:
        return MoveInstance{instance, MachineId()};
      case 3:
        return ReportInstance{instance, static_cast<Reported>(rng_.Below(4))};
      case 4:
        return SetHealth{AnyMachine(), static_cast<Health>(rng_.Below(4))};
      case 5: {
        if (happens_ == Happens::kWhatKeepsTheOrder) return AnotherType();
        Machine machine = std::get<Machine>(machines_[rng_.Below(machines_.size())]);
        machine.capacity += testing::Sized(static_cast<std::int64_t>(rng_.Below(4)), 0);
        return ChangeFleet{.put = {machine}, .remove = {}};
      }
      default: {
        Service service = RandomService(rng_, name);
        service.klass = ClassId(rng_.Below(2) == 0 ? "bronze" : "silver");
        service.yield_whole = rng_.Below(4) == 0;
        return CreateService{service};
      }
    }
  }

  Rng rng_;
  Happens happens_;
  VirtualExecutor executor_;
  MemoryStore store_;
  Engine engine_{store_, executor_, {}};
  std::vector<Record> machines_;
  std::unique_ptr<YieldMirror> mirror_;
  std::unique_ptr<Watch> watch_;
  std::uint64_t seated_ = 0;
  std::uint64_t refused_ = 0;
  std::uint64_t grown_ = 0;  // With others yielding.
};

TEST(YieldMirrorProperties, FollowsWhateverIsCommitted) {
  std::uint64_t seated = 0;
  std::uint64_t refused = 0;
  std::uint64_t grown = 0;
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Followed followed(seed, Happens::kAnything);
    for (int step = 0; step < 60; ++step) {
      followed.Step();
      if (step % 10 == 9) followed.Check();
      if (::testing::Test::HasFailure()) return;
    }
    seated += followed.seated();
    refused += followed.refused();
    grown += followed.grown();
  }
  EXPECT_GT(seated, 20U);
  EXPECT_GT(refused, 0U);
  EXPECT_GT(grown, 5U);
}

TEST(YieldMirrorProperties, DecidesAsOneMadeAnewForEveryPass) {
  std::uint64_t seated = 0;
  for (std::uint64_t seed = 0; seed < 28; ++seed) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Followed followed(seed, Happens::kWhatKeepsTheOrder);
    for (int step = 0; step < 60 && !::testing::Test::HasFailure(); ++step) {
      followed.StepAndCompare();
    }
    seated += followed.seated();
  }
  EXPECT_GT(seated, 20U);
}

}  // namespace
}  // namespace berth
