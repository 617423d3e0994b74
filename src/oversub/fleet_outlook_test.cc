#include "oversub/fleet_outlook.h"

#include <gtest/gtest.h>

#include "oversub/demand_curve.h"
#include "oversub/slow_reference_testing.h"
#include "oversub/tenant_amounts.h"
#include "support/kept_against_scratch.h"

namespace berth {
namespace {

using testing::ModelsOf;
using testing::PutInto;
using testing::RandomSlowTraces;
using testing::Sized;
using testing::TypeNames;

// Traces of all types but the last, about as large as the random fleets' instances.
std::shared_ptr<const TraceLibrary> LibraryOfTypes(Rng& rng) {
  std::vector<std::string> names = TypeNames();
  names.pop_back();
  std::vector<DemandModel> models;
  for (int i = 0; i < 400; ++i) {
    const auto maximum = static_cast<std::uint32_t>(rng.Below(12'000));
    DemandModel model;
    model.lifetime = static_cast<Step>(2 + rng.Below(150));
    model.memory =
        GrowthTo(maximum / 4, maximum,
                 static_cast<Step>(rng.Below(static_cast<std::uint64_t>(model.lifetime))));
    model.disk = GrowthTo(0, 0, 0);
    model.cpu_p90 = static_cast<std::uint32_t>(rng.Below(6000));
    model.cpu_peak = model.cpu_p90 + static_cast<std::uint32_t>(rng.Below(2000));
    model.tenant_class = TenantClass{static_cast<std::uint16_t>(rng.Below(names.size()))};
    model.role = rng.Below(2) == 0 ? TenantRole::kPrimary : TenantRole::kSecondary;
    models.push_back(model);
  }
  return std::make_shared<const TraceLibrary>(
      TraceLibrary::Build(std::move(models), std::move(names)).value());
}

class KeptAnswersLookingAhead : public ::testing::TestWithParam<std::uint64_t> {};

// Those of every rule, while tenants come and go, age and are observed, and epochs pass.
TEST_P(KeptAnswersLookingAhead, AreThoseFromScratch) {
  constexpr int kSteps = 2500;
  Rng rng(GetParam());
  const OversubPolicy policy{.repetitions = 20, .epoch = std::chrono::hours(5)};
  testing::KeptAgainstScratch fleet(
      GetParam(), std::make_unique<FleetOutlook>(LibraryOfTypes(rng),
                                                 std::make_shared<ObservedUsage>(), policy));
  for (int step = 0; step < kSteps; ++step) {
    const std::string different = fleet.Step();
    ASSERT_EQ(different, "") << "step " << step;
  }
  EXPECT_GT(fleet.hits(), kSteps / 10U);
  EXPECT_GT(fleet.found(), kSteps / 10U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, KeptAnswersLookingAhead, ::testing::Range<std::uint64_t>(0, 6));

// A small fleet whose instances and observations the test knows, and the plain Algorithm 1 on it.
class Watched {
 public:
  static constexpr std::uint32_t kRepetitions = 25;
  static constexpr int kMachines = 4;

  explicit Watched(std::uint64_t seed) : rng_(seed), traces_(RandomSlowTraces(rng_, 120, 40, 2)) {
    library_ = std::make_shared<const TraceLibrary>(
        TraceLibrary::Build(ModelsOf(traces_), {"t0", "t1"}).value());
    outlook_ = std::make_unique<FleetOutlook>(library_, std::make_shared<ObservedUsage>(),
                                              OversubPolicy{.repetitions = kRepetitions});
    for (const char* name : {"t0", "t1", "untraced"}) {
      InstanceType type;
      type.name = TypeId(name);
      type.size = Sized(8, 24);
      PutInto(view_, type);
    }
    PutInto(view_, Tenant{.name = TenantId("acme"), .quota = std::nullopt});
    for (int i = 0; i < kMachines; ++i) PutMachine(i, 150'000);
  }

  // Several things may happen before it looks: who comes may take the slot of who left.
  void Step() {
    now_ += std::chrono::minutes(rng_.Below(40));
    const std::uint64_t events = 1 + rng_.Below(3);
    for (std::uint64_t i = 0; i < events; ++i) Happen();
    outlook_->Follow(view_, now_, Duration());
  }

  void Check() {
    for (std::uint32_t i = 0; i < view_.machines().size(); ++i) {
      const MachineIndex machine{i};
      for (const char* type : {"t0", "untraced"}) {
        const ServiceClass klass;
        const Labels labels;
        const Traits traits{.type = *view_.Find(TypeId(type)),
                            .role = RoleId("secondary"),
                            .klass = klass,
                            .limit = Sized(2, 3),
                            .labels = labels,
                            .epoch = outlook_->epoch()};
        const Outlook::Risk risk = outlook_->RiskOf(traits, machine);
        const auto [before, after] = PlainRisk(machine, traits);
        EXPECT_EQ(risk.before, before);
        EXPECT_EQ(risk.after, after);
        for (const std::uint32_t theta : {1U, 10'000U, 300'000U, 1'000'000U}) {
          EXPECT_EQ(outlook_->StaysBelow(traits, machine, theta), Outlook::IsBelow(risk, theta));
        }
        if (after > before && after < kRepetitions) ++in_between_;
      }
      EXPECT_EQ(outlook_->Usage(machine), PlainUsage(machine));
    }
  }
  int in_between() const { return in_between_; }

 private:
  struct Known {
    Instance record;
    PerResource<bool> seen;
    Demand last;
    Demand peak;
  };

  void PutMachine(int number, std::int64_t cpu) {
    Machine machine;
    machine.name = MachineId(fmt::format("m{}", number));
    machine.cluster = ClusterId("c");
    machine.capacity = Sized(cpu / 1000, 400);
    machine.capacity[Resource::kDisk] = std::int64_t{400} << 30;
    PutInto(view_, machine);
  }
  MachineId AnyMachine() { return MachineId(fmt::format("m{}", rng_.Below(kMachines))); }

  void Happen() {
    switch (rng_.Below(11)) {
      case 0:
      case 1:
        Leave();
        break;
      case 2:
        Move();
        break;
      case 3:
        if (rng_.Below(5) == 0) {
          PutMachine(static_cast<int>(rng_.Below(kMachines)),
                     100'000 + static_cast<std::int64_t>(rng_.Below(100'000)));
        }
        break;
      case 4:
      case 5:
        Observe();
        break;
      case 6:
        ChangeService();
        break;
      case 7:
        Resize();
        break;
      case 8:
        Recreate();
        break;
      default:
        for (int i = 0; i < 3; ++i) Arrive();
        break;
    }
  }
  void Arrive() {
    if (known_.size() > 60) return;
    Service service;
    service.name = fmt::format("s{}", arrived_++);
    service.tenant = TenantId("acme");
    service.klass = ClassId("gold");
    PutInto(view_, service);
    Instance instance;
    instance.id = {service.name, static_cast<std::uint32_t>(rng_.Below(3))};
    instance.type = TypeId(rng_.Below(8) == 0 ? "untraced" : rng_.Below(2) == 0 ? "t0" : "t1");
    instance.role = RoleId(rng_.Below(2) == 0 ? "primary" : "secondary");
    instance.limit = Sized(3, 9);
    instance.machine = AnyMachine();
    instance.state = InstanceState::kPlaced;
    instance.timeline.created = now_;
    PutInto(view_, instance);
    known_.push_back({.record = instance, .seen = {}, .last = {}, .peak = {}});
  }
  void Leave() {
    if (known_.empty()) return;
    std::swap(known_[rng_.Below(known_.size())], known_.back());
    const RecordKey key = KeyOf(RecordKind::kService, known_.back().record.id.service);
    view_.Install({.key = key, .record = std::nullopt, .revision = view_.revision()});
    known_.pop_back();
  }
  void Resize() {
    if (known_.empty()) return;
    Known& known = known_[rng_.Below(known_.size())];
    known.record.limit = Sized(static_cast<std::int64_t>(1 + rng_.Below(9)), 9);
    PutInto(view_, known.record);
  }
  // Another of the same name, there as soon as the one before it is gone.
  void Recreate() {
    if (known_.empty()) return;
    Known& known = known_[rng_.Below(known_.size())];
    const RecordKey key = KeyOf(known.record);
    view_.Install({.key = key, .record = std::nullopt, .revision = view_.revision()});
    now_ += std::chrono::seconds(1);
    known.record.timeline.created = now_;
    known = {.record = known.record, .seen = {}, .last = {}, .peak = {}};
    PutInto(view_, known.record);
  }
  // Its instances are taken out and put back.
  void ChangeService() {
    if (known_.empty()) return;
    const std::string& name = known_[rng_.Below(known_.size())].record.id.service;
    Service service = view_.FindService(name)->record;
    service.constraints.isolate = !service.constraints.isolate;
    PutInto(view_, service);
  }
  void Move() {
    if (known_.empty()) return;
    Known& known = known_[rng_.Below(known_.size())];
    known.record.machine = AnyMachine();
    PutInto(view_, known.record);
  }
  void Observe() {
    if (known_.empty()) return;
    Known& known = known_[rng_.Below(known_.size())];
    Resources usage =
        Sized(static_cast<std::int64_t>(rng_.Below(12)), static_cast<std::int64_t>(rng_.Below(30)));
    usage[Resource::kDisk] = static_cast<std::int64_t>(rng_.Below(1U << 30)) * 20;
    for (const DemandResource r : kAllDemandResources) {
      if (rng_.Below(3) == 0) {
        usage[ToResource(r)] = -1;  // Not sampled.
        continue;
      }
      known.seen[r] = true;
      known.last[r] = UsageDemand(usage)[r];
      known.peak[r] = std::max(known.peak[r], known.last[r]);
    }
    outlook_->Observe(known.record, usage, now_);
  }

  HostedTenant TenantOf(const Known& known) const {
    HostedTenant tenant;
    tenant.key = TenantKeyOf(known.record.id.service, known.record.id.number);
    tenant.tenant_class = library_->ClassNamed(known.record.type.str());
    tenant.role =
        known.record.role.str() == "secondary" ? TenantRole::kSecondary : TenantRole::kPrimary;
    tenant.creation = StepOf(known.record.timeline.created);
    for (const DemandResource r : kAllDemandResources) {
      if (known.seen[r]) {
        tenant.observed_peak[r] = known.peak[r];
      } else {
        tenant.promised[r] = UsageDemand(known.record.limit)[r];
      }
    }
    return tenant;
  }

  // Of the repetitions, in how many a departure after now finds too much, without the newcomer and
  // with it.
  std::pair<std::uint32_t, std::uint32_t> PlainRisk(MachineIndex machine, const Traits& traits) {
    const Machine& record = view_[machine].record;
    const Thresholds thresholds = ThresholdsOf(CapacityDemand(record.capacity), 950);
    const berth::Step now = StepOf(now_);
    const std::int64_t hour = ToMicros(now_) / Duration(std::chrono::hours(1)).count();
    const Newcomer newcomer(*library_, library_->ClassNamed(traits.type.name.str()),
                            TenantRole::kSecondary, traits.epoch,
                            {.begin = StepOf(Time(std::chrono::hours(hour))),
                             .end = StepOf(Time(std::chrono::hours(hour + 1)))},
                            kRepetitions, UsageDemand(traits.limit));
    std::pair<std::uint32_t, std::uint32_t> violations;
    for (std::uint32_t i = 0; i < kRepetitions; ++i) {
      std::vector<DemandCurve> curves;
      for (const Known& known : known_) {
        if (known.record.machine != record.name) continue;
        const HostedTenant tenant = TenantOf(known);
        curves.push_back(CurveOf(*library_, tenant, library_->Draw(tenant, now, i)));
        if (curves.back().end <= now) curves.pop_back();
      }
      if (ReachesAtAnEnd(curves, thresholds)) ++violations.first;
      curves.push_back(newcomer.curve(i));
      if (ReachesAtAnEnd(curves, thresholds)) ++violations.second;
    }
    return violations;
  }
  static bool ReachesAtAnEnd(const std::vector<DemandCurve>& curves, const Thresholds& thresholds) {
    for (const DemandCurve& leaving : curves) {
      for (const DemandResource r : kAllDemandResources) {
        Load load = 0;
        for (const DemandCurve& curve : curves) load += curve.At(r, leaving.end);
        if (load >= thresholds[r]) return true;
      }
    }
    return false;
  }

  Resources PlainUsage(MachineIndex machine) const {
    Resources usage;
    for (const Known& known : known_) {
      if (known.record.machine != view_[machine].record.name) continue;
      Demand takes = MedianOf(known);
      for (const DemandResource r : kAllDemandResources) {
        if (known.seen[r]) takes[r] = known.last[r];
      }
      usage += ToResources(takes);
    }
    return usage;
  }
  Demand MedianOf(const Known& known) const {
    const HostedTenant tenant = TenantOf(known);
    PerResource<std::vector<std::uint32_t>> all;
    for (const DemandModel& model : library_->Group(tenant.tenant_class, tenant.role)) {
      all[DemandResource::kCpu].push_back(model.cpu_p90);
      all[DemandResource::kMemory].push_back(model.memory.maximum);
      all[DemandResource::kDisk].push_back(model.disk.maximum);
    }
    if (all[DemandResource::kCpu].empty()) return UsageDemand(known.record.limit);
    Demand median;
    for (const DemandResource r : kAllDemandResources) {
      std::ranges::sort(all[r]);
      median[r] = all[r][(all[r].size() + 1) / 2 - 1];
    }
    return median;
  }

  Rng rng_;
  std::vector<testing::SlowTrace> traces_;
  std::shared_ptr<const TraceLibrary> library_;
  std::unique_ptr<FleetOutlook> outlook_;
  Inventory view_;
  Time now_ = Time(std::chrono::hours(1000));
  std::vector<Known> known_;
  int arrived_ = 0;
  int in_between_ = 0;
};

TEST(FleetOutlook, IsThePlainEstimateOfWhoIsThere) {
  int in_between = 0;
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    SCOPED_TRACE(seed);
    Watched fleet(seed);
    for (int step = 0; step < 120; ++step) {
      fleet.Step();
      if (step % 4 == 0) fleet.Check();
      if (::testing::Test::HasFailure()) return;
    }
    in_between += fleet.in_between();
  }
  EXPECT_GT(in_between, 100) << "nothing is at risk";
}

}  // namespace
}  // namespace berth
