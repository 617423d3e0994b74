// Which distribution the degrees of a service graph follow: skewed (a power law), near-uniform or
// central (normal), by statistical tests where there are enough services and by the shape of the
// distribution where there are not. After the thesis on predictive autoscaling, chapter 8.
//
// A graph may fit several forms, or none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "apptopo/service_graph.h"
#include "berth/rng.h"

namespace berth {

inline constexpr std::size_t kDegreeTestServicesMin = 6;  // With fewer, by their shape.
inline constexpr std::size_t kDegreeTestDraws = 500;
inline constexpr double kDegreeTestLevel = 0.05;  // A form is refused when p is not above.
// An application with fewer services that call or are called is no sample.
inline constexpr std::size_t kDegreeSampleMin = 4;

struct DegreeVerdict {
  bool fits = false;
  std::optional<double> p{};  // None where the shape decided.
};

// How many of the services at most as connected as the mean, less those above it, make a skewed
// shape: more than this (Eq. 8.1). The thesis tries 1 and 2.
enum class SkewThreshold : std::uint8_t { kOne = 1, kTwo = 2 };

struct DegreeVerdicts {
  DegreeVerdict skewed{};
  DegreeVerdict near_uniform{};
  DegreeVerdict central{};

  int forms() const {
    return (skewed.fits ? 1 : 0) + (near_uniform.fits ? 1 : 0) + (central.fits ? 1 : 0);
  }
};

// Callers and callees of each service that has any, ascending.
std::vector<std::size_t> DegreesOf(const ServiceGraph& graph);

// Each form alone. At least one degree, each at least 1.
DegreeVerdict TestSkewed(std::span<const std::size_t> degrees, SkewThreshold threshold);
DegreeVerdict TestNearUniform(std::span<const std::size_t> degrees, Rng rng);
DegreeVerdict TestCentral(std::span<const std::size_t> degrees);

DegreeVerdicts TestDegrees(std::span<const std::size_t> degrees, SkewThreshold threshold, Rng rng);

// Pearson's chi-squared test of equal probabilities, by drawing: the share of `draws` samples of
// this size, the given one among them, that are at least as uneven.
double UniformByDrawing(std::span<const std::uint64_t> counts, std::size_t draws, Rng& rng);

// How many applications fit a form, and how many fit it alone: one threshold of Table 8.1.
struct DegreeFormCount {
  std::size_t total = 0;
  std::size_t pure = 0;
};
struct DegreeFormCounts {
  std::size_t applications = 0;
  DegreeFormCount skewed{};
  DegreeFormCount near_uniform{};
  DegreeFormCount central{};
  std::size_t other = 0;  // Fit none.
};
DegreeFormCounts CountForms(std::span<const DegreeVerdicts> applications);

}  // namespace berth
