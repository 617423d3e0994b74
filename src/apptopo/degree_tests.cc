#include "apptopo/degree_tests.h"

#include <algorithm>
#include <map>

#include "apptopo/power_law.h"
#include "apptopo/shapiro_wilk.h"
#include "berth/check.h"

namespace berth {
namespace {

bool AllTheSame(std::span<const std::size_t> degrees) {
  return std::ranges::adjacent_find(degrees, std::not_equal_to{}) == degrees.end();
}

std::size_t CountIf(std::span<const std::size_t> degrees, auto predicate) {
  return static_cast<std::size_t>(std::ranges::count_if(degrees, predicate));
}

// Eq. 8.1, in whole numbers: a degree is at most the mean if it, times their number, is at most
// their sum.
bool LooksSkewed(std::span<const std::size_t> degrees, SkewThreshold threshold) {
  std::size_t sum = 0;
  for (const std::size_t degree : degrees) sum += degree;
  const std::size_t low =
      CountIf(degrees, [&](std::size_t degree) { return degree * degrees.size() <= sum; });
  return low > degrees.size() - low + static_cast<std::size_t>(threshold);
}

// The smallest of the most frequent.
std::size_t MostFrequent(std::span<const std::size_t> degrees) {
  std::map<std::size_t, std::size_t> counts;
  for (const std::size_t degree : degrees) ++counts[degree];
  return std::ranges::max_element(counts, {}, [](const auto& c) { return c.second; })->first;
}

// Eq. 8.2 as its text says it: about as many services above the most frequent degree as below. The
// printed formula lacks the absolute value and counts the most frequent degree as below itself.
bool LooksCentral(std::span<const std::size_t> degrees) {
  constexpr std::size_t kApartMax = 1;
  const std::size_t middle = MostFrequent(degrees);
  const std::size_t below = CountIf(degrees, [&](std::size_t d) { return d < middle; });
  const std::size_t above = CountIf(degrees, [&](std::size_t d) { return d > middle; });
  return below > 0 && above > 0 && std::max(below, above) - std::min(below, above) <= kApartMax;
}

DegreeVerdict ByStatistic(double p) { return {.fits = p > kDegreeTestLevel, .p = p}; }
DegreeVerdict ByShape(bool fits) { return {.fits = fits}; }

// With equal probabilities chi-squared is a linear function of this, which is exact.
std::uint64_t SumOfSquares(std::span<const std::uint64_t> counts) {
  std::uint64_t sum = 0;
  for (const std::uint64_t count : counts) sum += count * count;
  return sum;
}

}  // namespace

std::vector<std::size_t> DegreesOf(const ServiceGraph& graph) {
  std::vector<std::size_t> degrees(graph.size(), 0);
  for (const CallEdge& edge : graph.edges()) {
    ++degrees[ToIndex(edge.caller)];
    ++degrees[ToIndex(edge.callee)];
  }
  std::erase(degrees, std::size_t{0});
  std::ranges::sort(degrees);
  return degrees;
}

DegreeVerdict TestSkewed(std::span<const std::size_t> degrees, SkewThreshold threshold) {
  if (degrees.size() >= kDegreeTestServicesMin) {
    if (const PowerLawFit fit = FitPowerLaw(degrees); fit.inside) return ByStatistic(fit.p);
  }
  return ByShape(LooksSkewed(degrees, threshold));
}

DegreeVerdict TestNearUniform(std::span<const std::size_t> degrees, Rng rng) {
  if (degrees.size() < kDegreeTestServicesMin || AllTheSame(degrees)) {
    return ByShape(AllTheSame(degrees));
  }
  const auto [low, high] = std::ranges::minmax(degrees);
  std::vector<std::uint64_t> counts(high - low + 1, 0);
  for (const std::size_t degree : degrees) ++counts[degree - low];
  return ByStatistic(UniformByDrawing(counts, kDegreeTestDraws, rng));
}

DegreeVerdict TestCentral(std::span<const std::size_t> degrees) {
  if (degrees.size() < kDegreeTestServicesMin || degrees.size() > kShapiroWilkMax ||
      AllTheSame(degrees)) {
    return ByShape(LooksCentral(degrees));
  }
  std::vector<double> values;
  values.reserve(degrees.size());
  for (const std::size_t degree : degrees) values.push_back(static_cast<double>(degree));
  return ByStatistic(TestNormality(std::move(values)).p);
}

DegreeVerdicts TestDegrees(std::span<const std::size_t> degrees, SkewThreshold threshold, Rng rng) {
  BERTH_CHECK(!degrees.empty());
  return {.skewed = TestSkewed(degrees, threshold),
          .near_uniform = TestNearUniform(degrees, rng),
          .central = TestCentral(degrees)};
}

double UniformByDrawing(std::span<const std::uint64_t> counts, std::size_t draws, Rng& rng) {
  BERTH_CHECK(!counts.empty() && draws > 0);
  std::uint64_t samples = 0;
  for (const std::uint64_t count : counts) samples += count;
  const std::uint64_t seen = SumOfSquares(counts);
  std::size_t as_uneven = 1;  // The given one.
  std::vector<std::uint64_t> drawn(counts.size());
  for (std::size_t i = 0; i < draws; ++i) {
    std::ranges::fill(drawn, 0);
    for (std::uint64_t s = 0; s < samples; ++s) ++drawn[rng.Below(drawn.size())];
    as_uneven += SumOfSquares(drawn) >= seen ? 1U : 0U;
  }
  return static_cast<double>(as_uneven) / static_cast<double>(draws + 1);
}

DegreeFormCounts CountForms(std::span<const DegreeVerdicts> applications) {
  DegreeFormCounts counts{.applications = applications.size()};
  for (const DegreeVerdicts& verdicts : applications) {
    const bool alone = verdicts.forms() == 1;
    const auto count = [&](const DegreeVerdict& verdict, DegreeFormCount& form) {
      form.total += verdict.fits ? 1 : 0;
      form.pure += verdict.fits && alone ? 1 : 0;
    };
    count(verdicts.skewed, counts.skewed);
    count(verdicts.near_uniform, counts.near_uniform);
    count(verdicts.central, counts.central);
    counts.other += verdicts.forms() == 0 ? 1U : 0U;
  }
  return counts;
}

}  // namespace berth
