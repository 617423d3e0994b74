// A PrV-WorstFit placement on 40 machines, incremental and straightforward, in the same run.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/quantiles.h"
#include "bench/bar.h"
#include "bench/oversub/suites.h"
#include "bench/oversub/tenants.h"
#include "berth/check.h"
#include "oversub/fleet_risk.h"

namespace berth {
namespace {

constexpr std::size_t kMachines = 40;
constexpr std::size_t kHeldOut = 3;
constexpr std::size_t kReferences = 9;  // Placements by the straightforward form.
constexpr double kTheta = 0.01;

struct Shape {
  std::size_t tenants = 100;  // On each machine.
  std::uint32_t repetitions = 100;
};

const PopulationRegion& Region() { return PopulationRegions().front(); }

// 80 cores, 5.1 GB each, 5 TB, and so much more or less.
Demand Capacity(double scale) {
  return {static_cast<std::uint32_t>(80'000 * scale), static_cast<std::uint32_t>(417'792 * scale),
          static_cast<std::uint32_t>(4'768'372 * scale)};
}

// A cluster whose machines hold the same number of tenants, of a size at which a newcomer meets a
// probability near theta.
class Cluster {
 public:
  Cluster(const TraceLibrary& library, const Shape& shape)
      : library_(&library), shape_(shape), rng_(Rng(5).Fork(shape.tenants)), hosted_(kMachines) {
    for (std::vector<HostedTenant>& tenants : hosted_) {
      while (tenants.size() < shape.tenants) {
        tenants.push_back(TenantMet(Region(), now_, rng_));
      }
    }
    double too_small = 0.1;
    double large = 4.0 * static_cast<double>(shape.tenants) / 100;
    for (int i = 0; i < 12; ++i) {
      const double middle = (too_small + large) / 2;
      Build(middle);
      (MeanProbability() > kTheta ? too_small : large) = middle;
    }
    Build(large);
  }

  double MeanProbability() {
    const HostedTenant tenant = hosted_[0][0];
    const Newcomer newcomer(*library_, tenant.tenant_class, tenant.role, 0,
                            Newcomer::Arrival::At(now_), shape_.repetitions);
    double sum = 0;
    for (std::size_t i = 0; i < kMachines; ++i) sum += fleet_->Score(i, newcomer).after;
    return sum / kMachines / shape_.repetitions;
  }

  // The next tenant to place, and the draws of its class, which all newcomers of an epoch share.
  HostedTenant Next() { return NewTenant(Region(), now_, rng_); }
  const Newcomer& NewcomerOf(const HostedTenant& tenant) {
    const auto key = std::pair(tenant.tenant_class, tenant.role);
    const auto found = newcomers_.find(key);
    if (found != newcomers_.end()) return found->second;
    return newcomers_
        .try_emplace(key, *library_, tenant.tenant_class, tenant.role, 1,
                     Newcomer::Arrival::At(now_), shape_.repetitions)
        .first->second;
  }

  // Algorithm 3: where the probability stays below theta the emptiest, the three emptiest only if
  // there is none else; otherwise where it grows least, doomed machines last.
  std::size_t Choose(const auto& risk_of) {
    std::array<std::size_t, kMachines> order{};
    for (std::size_t i = 0; i < kMachines; ++i) order[i] = i;
    std::ranges::sort(order, {}, [&](std::size_t i) { return fullness_[i]; });
    std::optional<std::size_t> held_out;
    std::optional<std::size_t> safe;
    std::size_t least_harm = 0;
    double harm_least = 2;
    for (std::size_t place = 0; place < kMachines; ++place) {
      const std::size_t machine = order[place];
      const Risk risk = risk_of(machine);
      const double repetitions = shape_.repetitions;
      if (risk.after < kTheta * repetitions) {
        std::optional<std::size_t>& best = place < kHeldOut ? held_out : safe;
        if (!best) best = machine;
      }
      const double harm =
          risk.before == shape_.repetitions ? 1.5 : (risk.after - risk.before) / repetitions;
      if (harm < harm_least) {
        harm_least = harm;
        least_harm = machine;
      }
    }
    return safe ? *safe : held_out.value_or(least_harm);
  }
  std::size_t ChooseIncrementally(const Newcomer& newcomer) {
    return Choose([&](std::size_t i) { return fleet_->Score(i, newcomer); });
  }
  // Algorithm 1 for every machine, with and without the newcomer in one pass over the draws.
  std::size_t ChooseStraightforwardly(const HostedTenant& newcomer) {
    std::vector<TraceIndex> of_newcomer(shape_.repetitions);
    library_->DrawAll(newcomer, now_, of_newcomer);
    return Choose([&](std::size_t i) {
      Risk risk;
      const auto drawn = DrawAll(*library_, hosted_[i], now_, shape_.repetitions);
      for (std::uint32_t repetition = 0; repetition < shape_.repetitions; ++repetition) {
        auto curves = CurvesOf(*library_, hosted_[i], drawn, repetition);
        const bool before = ViolatesAtDepartures(curves, now_, thresholds_);
        risk.before += before ? 1U : 0U;
        curves.push_back(CurveOf(*library_, newcomer, of_newcomer[repetition]));
        risk.after += before || ViolatesAtDepartures(curves, now_, thresholds_) ? 1U : 0U;
      }
      return risk;
    });
  }

  void Insert(std::size_t machine, const HostedTenant& tenant) {
    fleet_->Insert(machine, tenant);
    hosted_[machine].push_back(tenant);
    fullness_[machine] += 1;
  }
  // So that the machine stays as full.
  void RemoveOne(std::size_t machine) {
    const std::size_t which = rng_.Below(hosted_[machine].size());
    fleet_->Remove(machine, hosted_[machine][which].key);
    hosted_[machine].erase(hosted_[machine].begin() + static_cast<std::ptrdiff_t>(which));
    fullness_[machine] -= 1 + rng_.Unit();
  }
  // One step of time, on every machine.
  void Age() {
    ++now_;
    newcomers_.clear();
    for (std::size_t i = 0; i < kMachines; ++i) fleet_->Advance(i, now_);
  }
  FleetRisk& fleet() { return *fleet_; }

 private:
  void Build(double scale) {
    thresholds_ = ThresholdsOf(Capacity(scale), 950);
    fleet_.emplace(*library_,
                   FleetRiskOptions{.repetitions = shape_.repetitions, .profiles_max = kMachines});
    fullness_.assign(kMachines, 0);
    for (std::size_t i = 0; i < kMachines; ++i) {
      fleet_->AddMachine(thresholds_);
      fleet_->Advance(i, now_);
      for (const HostedTenant& tenant : hosted_[i]) fleet_->Insert(i, tenant);
      fullness_[i] = rng_.Unit();
    }
  }

  const TraceLibrary* library_;
  Shape shape_;
  Rng rng_;
  Step now_ = kBenchStart;
  std::vector<std::vector<HostedTenant>> hosted_;
  Thresholds thresholds_;
  std::optional<FleetRisk> fleet_;
  std::vector<double> fullness_;
  std::map<std::pair<TenantClass, TenantRole>, Newcomer> newcomers_;
};

struct Costs {
  double placement_us = 0;        // In the mean: the few that build a Newcomer count.
  double straightforward_us = 0;  // In the median.
};

Costs Measure(const TraceLibrary& library, const Shape& shape, int placements) {
  Cluster cluster(library, shape);
  std::vector<double> placed_us;
  std::vector<double> scored_us;
  std::vector<double> aged_us;
  for (int i = 0; i < placements; ++i) {
    if (i % 20 == 0) aged_us.push_back(Timed_us([&] { cluster.Age(); }) / kMachines);
    const HostedTenant tenant = cluster.Next();
    std::size_t chosen = 0;
    scored_us.push_back(
        Timed_us([&] { chosen = cluster.ChooseIncrementally(cluster.NewcomerOf(tenant)); }));
    placed_us.push_back(scored_us.back() + Timed_us([&] { cluster.Insert(chosen, tenant); }));
    cluster.RemoveOne(chosen);
  }
  const double probability = cluster.MeanProbability();
  std::vector<double> straightforward_us;
  while (straightforward_us.size() < kReferences) {
    const Newcomer& newcomer = cluster.NewcomerOf(cluster.Next());
    std::size_t chosen = 0;
    straightforward_us.push_back(
        Timed_us([&] { chosen = cluster.ChooseStraightforwardly(newcomer.tenant()); }));
    BERTH_CHECK(chosen == cluster.ChooseIncrementally(newcomer));
  }
  const Costs costs{Mean(placed_us), Quantile(straightforward_us, 0.5)};
  fmt::print(
      "  {:>4} tenants, {:>5} repetitions: placement {:.1f} us, of it scoring {:.1f}, median "
      "{:.1f}, p99 {:.1f}; straightforward {:.0f} us; a machine's ageing by a step {:.1f} us; mean "
      "probability {:.4f}\n",
      shape.tenants, shape.repetitions, costs.placement_us, Mean(scored_us),
      Quantile(placed_us, 0.5), Quantile(placed_us, 0.99), costs.straightforward_us, Mean(aged_us),
      probability);
  return costs;
}

}  // namespace

void RunPlacement(bool full) {
  Rng rng(4);
  const TraceLibrary library = GeneratedLibrary(Region(), full ? 115'000 : 20'000, rng);
  fmt::print("PrV-WorstFit on {} machines, {} traces in {:.2f} MB\n", kMachines, library.size(),
             static_cast<double>(library.bytes()) / 1e6);
  const int placements = full ? 5'000 : 1'000;
  const Costs costs = Measure(library, {}, placements);
  PrintBar("oversub.placement_us", costs.placement_us, "<=", 100);
  PrintBar("oversub.faster_than_straightforward", costs.straightforward_us / costs.placement_us,
           ">=", 500);
  for (const std::size_t tenants : {25U, 50U, 200U}) {
    Measure(library, {.tenants = tenants, .repetitions = 100}, placements / 4);
  }
  for (const std::uint32_t repetitions : {25U, 400U}) {
    Measure(library, {.tenants = 100, .repetitions = repetitions}, placements / 4);
  }
}

}  // namespace berth
