#include "sim/tenants/simulate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "berth/rng.h"
#include "sim/tenants/generate_population.h"
#include "sim/tenants/study.h"
#include "sim/tenants/tenants_testing.h"

namespace berth {
namespace {

constexpr std::uint32_t kHours = 20;

TechniqueName Named(std::string_view name) { return ParseTechniqueName(name).value(); }

TenantPopulation SmallPopulation() {
  return GeneratePopulation(PopulationRegions()[1],
                            {.tenants = 300, .library = 300, .oldest = kHours * kStepsPerHour}, 7,
                            1);
}

TenantSimulation Small(std::uint64_t seed, std::uint32_t density_hundredths) {
  return {.nodes = 6, .density_hundredths = density_hundredths, .hours = kHours, .seed = seed};
}

TEST(SimulateTenants, HoldsTheDensity) {
  // A tenant is promised 8 cores and lives 10 steps: at 2.0 there are 20 on a node of 80.
  const std::vector<Demand> samples(10, Demand(10, 10, 10));
  const auto population = testing::FollowingPopulation(samples, samples, 8'000);
  const TenantOutcome outcome =
      SimulateTenants(population, Named("worst_fit_max"), {.nodes = 2, .hours = 10});
  EXPECT_DOUBLE_EQ(outcome.tenants_mean, 20);
  // 40 at once; they leave in the steps 11, 22, 33, 44 and 55 of 60.
  EXPECT_EQ(outcome.placed, 40U * 6);
  EXPECT_EQ(outcome.violations, 0U);
  EXPECT_EQ(outcome.failovers, 0U);
}

TEST(SimulateTenants, MovesTheSmallestFromAViolatedNodeAndCountsItOnce) {
  // A node's memory is 417,792 and may be needed below 396,903. Four tenants, estimated at 100,000:
  // three on the first node, one on the second. In the second step each needs 150,000.
  std::vector<Demand> samples(200, Demand(1'000, 150'000, 7));
  samples[0] = Demand(1'000, 100'000, 7);
  samples[1] = Demand(1'000, 100'000, 7);
  const std::vector<Demand> past(200, Demand(1'000, 100'000, 7));
  const TenantOutcome outcome =
      SimulateTenants(testing::FollowingPopulation(samples, past, 40'000), Named("best_fit_max"),
                      {.nodes = 2, .density_hundredths = 100, .hours = 1});
  EXPECT_EQ(outcome.placed, 4U);
  EXPECT_EQ(outcome.violations, 1U);
  EXPECT_EQ(outcome.violations_of, PerResource<std::uint64_t>(0, 1, 0));
  EXPECT_EQ(outcome.violations_by_hour, std::vector<std::uint32_t>{1});
  EXPECT_EQ(outcome.failovers, 1U);
  EXPECT_EQ(outcome.moved_mib, 7U);
  EXPECT_EQ(outcome.unresolved, 0U);
}

TEST(SimulateTenants, AViolationThatNobodyCanTakeUpIsUnresolved) {
  std::vector<Demand> samples(200, Demand(1'000, 250'000, 0));
  samples[0] = Demand(1'000, 100'000, 0);
  const std::vector<Demand> past(200, Demand(1'000, 100'000, 0));
  // Two on each node, 500,000 from the first step on, in each of six.
  const TenantOutcome outcome =
      SimulateTenants(testing::FollowingPopulation(samples, past, 40'000), Named("worst_fit_max"),
                      {.nodes = 2, .density_hundredths = 100, .hours = 1});
  EXPECT_EQ(outcome.violations, 0U);
  EXPECT_EQ(outcome.unresolved, 12U);
}

// What is found of nodes that are violated still when the next one is looked at.
struct Left {
  int violated = 0;
  int movable = 0;  // Tenants on them that would have helped and fit elsewhere.
};
Left left;

// Best fit that looks at each violated node again when its turn is over.
class LookingBack final : public Technique {
 public:
  explicit LookingBack(const TechniqueContext& context)
      : cluster_(context.cluster), inner_(Named("best_fit_max").technique->make(context)) {}

  NodeIndex Choose(const ClusterTenant& tenant, std::span<const NodeIndex> fits) override {
    if (tenant.node != resolved_) LookBack();
    moving_ = tenant.number;
    return inner_->Choose(tenant, fits);
  }
  std::optional<Move> Relieve(NodeIndex violated) override {
    LookBack();
    resolved_ = violated;
    return std::nullopt;
  }
  std::optional<Move> Repack() override {
    LookBack();
    return std::nullopt;
  }
  void Left(const ClusterTenant& tenant, NodeIndex /*from*/) override {
    if (tenant.number != moving_) resolved_ = kNoNode;  // Who departs makes room, too late.
  }

 private:
  void LookBack() {
    const NodeIndex node = std::exchange(resolved_, kNoNode);
    if (node == kNoNode || !cluster_.InViolation(node)) return;
    ++left.violated;
    for (const TenantNumber number : cluster_.tenants(node)) {
      const ClusterTenant& tenant = cluster_.tenant(number);
      const bool helps = std::ranges::any_of(kAllDemandResources, [&](DemandResource r) {
        return tenant.demand[r] > 0 && cluster_.InViolation(node, r);
      });
      std::vector<NodeIndex> fits;
      cluster_.FindFits(tenant, node, fits);
      if (helps && !fits.empty()) ++left.movable;
    }
  }

  const TenantCluster& cluster_;
  std::unique_ptr<Technique> inner_;
  NodeIndex resolved_ = kNoNode;
  TenantNumber moving_ = 0;
};

TEST(SimulateTenants, LeavesNoViolationThatCouldBeResolved) {
  const TechniqueEntry entry = {.name = "looking_back",
                                .summary = "",
                                .estimates = false,
                                .in_all = false,
                                .make = [](const TechniqueContext& context) {
                                  return std::unique_ptr<Technique>(new LookingBack(context));
                                }};
  const TenantPopulation population = SmallPopulation();
  left = {};
  std::uint64_t violations = 0;
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const TenantOutcome outcome =
        SimulateTenants(population, {.technique = &entry}, Small(seed, 400));
    violations += outcome.violations;
  }
  EXPECT_EQ(left.movable, 0);
  EXPECT_GT(left.violated, 0);
  EXPECT_GT(violations, 0U);
}

TEST(SimulateTenants, CountsEachViolationInItsHour) {
  const TenantPopulation population = SmallPopulation();
  for (const std::string_view name : {"best_fit_max", "vector_packing", "worst_fit_sum"}) {
    const TenantOutcome outcome = SimulateTenants(population, Named(name), Small(1, 230));
    EXPECT_GE(outcome.failovers,
              outcome.violations + outcome.failovers_for_room + outcome.failovers_to_repack)
        << name;
    std::uint64_t by_hour = 0;
    for (const std::uint32_t violations : outcome.violations_by_hour) by_hour += violations;
    EXPECT_EQ(by_hour, outcome.violations);
  }
  // One that packs densely is caught out by growth.
  EXPECT_GT(SimulateTenants(population, Named("best_fit_max"), Small(1, 230)).violations, 0U);
}

TEST(SimulateTenants, PlacesTheSameSequenceWhateverTheTechnique) {
  const TenantPopulation population = SmallPopulation();
  const TenantOutcome one = SimulateTenants(population, Named("worst_fit_max"), Small(3, 150));
  for (const TechniqueEntry& entry : BuiltinTechniques()) {
    if (entry.name == "policy") continue;  // It may refuse.
    const TenantOutcome other = SimulateTenants(population, {.technique = &entry}, Small(3, 150));
    EXPECT_EQ(other.refused, 0U) << entry.name;
    EXPECT_EQ(other.placed, one.placed) << entry.name;
    EXPECT_DOUBLE_EQ(other.tenants_mean, one.tenants_mean) << entry.name;
  }
}

// Of whole numbers alone, which every compiler makes alike; a region's tenants are not.
TenantPopulation WholeNumbered() {
  constexpr Demand kLimit(3'000, 12'000, 100'000);
  Rng rng(3);
  TenantPool pool(kHours * kStepsPerHour);
  std::vector<DemandModel> models;
  for (int i = 0; i < 300; ++i) {
    Demand maximum;
    for (const DemandResource r : kAllDemandResources) {
      maximum[r] = static_cast<std::uint32_t>(rng.Below(kLimit[r]));
    }
    const DemandTrace trace{.samples = std::vector<Demand>(5 + rng.Below(100), maximum)};
    pool.Add(trace, 4'000);
    models.push_back(FitModel(trace));
  }
  pool.LookAhead();
  return {.name = "whole numbers",
          .kinds = {{"only", kLimit}},
          .pool = std::move(pool),
          .library = TraceLibrary::Build(std::move(models)).value()};
}

// Published figures rest on it: an option that is not given changes nothing.
TEST(SimulateTenants, ReplicasOneByOneArePlacedAsTheyEverWere) {
  const TenantPopulation population = WholeNumbered();
  const auto unseed = [&](std::string_view name) {
    return SimulateTenants(population, Named(name), Small(7, 230)).unseed;
  };
  EXPECT_EQ(unseed("vector_packing"), 0x22fee921484626d7U);
  EXPECT_EQ(unseed("prv_worst_fit"), 0xe02d78debbf18176U);
}

TEST(SimulateTenants, TheOracleChangesDecisionsOnceTenantsAreADayOld) {
  const TenantPopulation population = GeneratePopulation(
      PopulationRegions()[0], {.tenants = 300, .library = 300, .oldest = 48 * kStepsPerHour}, 7, 1);
  TenantSimulation options = Small(5, 220);
  const auto unseed = [&](std::string_view name) {
    return SimulateTenants(population, Named(name), options).unseed;
  };
  EXPECT_EQ(unseed("worst_fit_max"), unseed("worst_fit_max+oracle"));  // None is a day old.
  options.hours = 48;
  EXPECT_NE(unseed("worst_fit_max"), unseed("worst_fit_max+oracle"));
}

TEST(SimulateTenants, WhoKnowsTheFutureHasFewerViolations) {
  const TenantPopulation population = SmallPopulation();
  std::uint64_t guessed = 0;
  std::uint64_t known = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const TenantSimulation options = Small(seed, 260);
    guessed += SimulateTenants(population, Named("prv_worst_fit"), options).violations;
    known += SimulateTenants(population, Named("prv_worst_fit+truth"), options).violations;
  }
  EXPECT_LT(2 * known, guessed);
}

TEST(StudyTenantsThreads, GiveTheSameWhateverTheirNumber) {
  const TenantPopulation population = SmallPopulation();
  TenantStudyOptions options{
      .densities_hundredths = {200, 240},
      .techniques = ParseTechniqueNames("worst_fit_max,prv_worst_fit").value(),
      .repetitions = 2,
      .nodes = 4,
      .hours = kHours};
  std::uint64_t told = 0;
  const auto one = StudyTenants(population, options, [&](std::uint64_t done) { told = done; });
  EXPECT_EQ(told, RunsOf(options));
  options.workers = 3;
  const auto three = StudyTenants(population, options, [](std::uint64_t) {});
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].outcomes, three[i].outcomes);
  EXPECT_NE(one[0].outcomes[0][0], one[0].outcomes[0][1]);
}

TenantCell CellOf(std::uint64_t worst, std::uint64_t oracle, std::uint64_t estimate) {
  const auto outcome = [](std::uint64_t violations) {
    TenantOutcome made;
    made.violations = violations;
    return std::vector{made, made};
  };
  TenantCell cell;
  cell.outcomes = {outcome(worst + 1), outcome(worst), outcome(oracle), outcome(estimate)};
  return cell;
}

TEST(SummariseRatios, IsTheMeanOfRatiosOverCellsThatAreNotQuiet) {
  const auto techniques =
      ParseTechniqueNames("best_fit_max,worst_fit_max,worst_fit_max+oracle,prv_worst_fit").value();
  // Against the best without the oracle: 4 / 2, 3 / 3, 1 / 2, 6 / nothing, and a quiet one.
  const std::vector<TenantCell> cells = {CellOf(4, 1, 2), CellOf(3, 9, 3), CellOf(1, 2, 2),
                                         CellOf(6, 0, 0), CellOf(0, 0, 0)};
  const RatioSummary summary = SummariseRatios(cells, techniques, 3, false);
  EXPECT_DOUBLE_EQ(summary.mean_of_ratios, (2 + 1 + 0.5 + 6) / 4);
  EXPECT_EQ(summary.better, 2U);
  EXPECT_EQ(summary.equal, 2U);
  EXPECT_EQ(summary.worse, 1U);
  EXPECT_EQ(summary.quiet, 1U);
  EXPECT_EQ(BestWithoutEstimate(cells[0], techniques, true).violations, 1);
}

}  // namespace
}  // namespace berth
