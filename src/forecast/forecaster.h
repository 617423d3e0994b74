// A way to foresee a series, and what it foresees.
//
// To add one, write methods/NAME.cc with the function that fits it, and name both in methods.def.
// A method is only ever called through series_forecaster.h, which fills gaps, leaves out the
// seasons that do not fit, falls back where history is too short and keeps answers within reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "berth/forecast.h"
#include "berth/rng.h"
#include "berth/status.h"

namespace berth {

class FittedForecaster {
 public:
  virtual ~FittedForecaster() = default;

  // The `horizon` points that come next. `rng` is for bands that are simulated.
  virtual Forecast Predict(std::size_t horizon, std::span<const double> levels, Rng rng) const = 0;

  // The point that came next. What is kept of the points stays of bounded size.
  virtual void Update(double value) = 0;

  // What was fitted, for people: "ETS(A,Ad,N)".
  virtual std::string description() const = 0;

  // Why this, of a method that chooses.
  virtual std::string reason() const { return {}; }

  // What was done to the series or to its seasons, of a method that chooses.
  virtual std::vector<std::string> notes() const { return {}; }

  // The seasons that what it kept uses, of a method that chooses. Ascending.
  virtual std::vector<std::size_t> seasons() const { return {}; }
};

// What a method is given: no gap, and seasons of which the history holds at least two, ascending.
struct FitInput {
  std::span<const double> values;
  std::span<const std::size_t> seasons;
  Rng rng;
};

using FitFunction = Result<std::unique_ptr<FittedForecaster>> (*)(const FitInput& input);

// Of those it is given; season_use.h tells which that are.
enum class SeasonsTaken : std::uint8_t {
  kNone,
  kOneShort,  // The longest of at most kEtsSeasonMax points.
  kTheLongest,
  kOneOfLatest,     // The longest of which the latest points hold three.
  kAsLags,          // Those whose lags the history suffices for.
  kAsLagsOfLatest,  // The same of the latest points.
  kWithinWindow,    // Those that a window can be as long as.
  kAll,
  kOfItsMethods,  // A method that chooses says it itself.
};

struct ForecasterEntry : ForecasterInfo {
  SeasonsTaken seasons;
  // Of fitting, in about a microsecond of a core of 2020 a point; and what is added for each square
  // of the points of the season that it uses. See fit_cost.h.
  double point_cost;
  double season_cost;
  FitFunction fit;
};

// In the order of methods.def.
std::span<const ForecasterEntry> BuiltinForecasters();
// Each of these fitted without the outliers, NAME+outliers; with bands that follow the variance of
// its errors, NAME+garch; and with both, NAME+outliers+garch.
std::span<const ForecasterEntry> ForecasterVariants();
// One of either, in either order. The message names those there are.
Result<const ForecasterEntry*> FindForecaster(std::string_view name);

inline constexpr std::string_view kDefaultForecaster = "seasonal_decomposition";
inline constexpr std::string_view kChoosingForecaster = "chooser";

}  // namespace berth
