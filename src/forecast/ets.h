// Exponential smoothing as a family of state space models (Hyndman, Koehler, Ord and Snyder 2008):
// the error, the trend and the season are each absent, additive or multiplicative. A form is
// written as there: ETS(A,Ad,M).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace berth {

enum class EtsError : std::uint8_t { kAdditive, kMultiplicative };
enum class EtsTrend : std::uint8_t { kNone, kAdditive, kDamped };
enum class EtsSeason : std::uint8_t { kNone, kAdditive, kMultiplicative };

struct EtsForm {
  EtsError error = EtsError::kAdditive;
  EtsTrend trend = EtsTrend::kNone;
  EtsSeason season = EtsSeason::kNone;

  friend bool operator==(const EtsForm&, const EtsForm&) = default;
};
std::string ToString(const EtsForm& form);

// How fast each part follows the errors; of parts that the form lacks, zero, and phi is one.
struct EtsWeights {
  double alpha = 0.5;  // The level.
  double beta = 0;     // The slope.
  double gamma = 0;    // The season.
  double phi = 1;      // What is left of the slope after a step.
};

struct EtsState {
  double level = 0;
  double slope = 0;
  std::vector<double> season{};  // That of the next point at `phase`; empty without a season.
  std::size_t phase = 0;
};

struct EtsModel {
  EtsForm form{};
  EtsWeights weights{};
  EtsState state{};
  double variance = 0;  // Of an error; relative to the forecast if multiplicative.

  // What is expected of the next point.
  double Next() const;
  // Factors stay if the value is far from what was expected, or not positive.
  void Update(double value);

  std::vector<double> Means(std::size_t horizon) const;
  // Standard deviations of the errors of those means: exact, but for multiplicative seasons, where
  // it is so to the first order. Of no form with such a season and additive errors.
  std::vector<double> Deviations(std::size_t horizon) const;
};

// How well the model, from its state, follows the values.
struct EtsFollowed {
  double squares = 0;  // Sum of the squared errors.
  double logs = 0;     // Sum of the logarithms of the forecasts, for multiplicative errors.
  bool sound = true;   // False if a forecast was not positive and had to be.
};
// The state moves to the end of the values. `errors` gets one for each, if it is not empty.
EtsFollowed Follow(EtsModel& model, std::span<const double> values, std::span<double> errors);

}  // namespace berth
