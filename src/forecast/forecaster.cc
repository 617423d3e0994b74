#include "forecast/forecaster.h"

#include <fmt/format.h>

#include "base/text.h"
#include "forecast/garch_forecaster.h"
#include "forecast/methods/builtin.h"
#include "forecast/outlier_forecaster.h"
#include "forecast/plugin_names.h"

namespace berth {
namespace {

using enum ForecasterUpdates;

constexpr ForecasterEntry kForecasters[] = {
#define BERTH_FORECASTER(file, fit, points_min, updates, seasons, point, season, summary) \
  {{#file, summary, points_min, updates}, SeasonsTaken::seasons, point, season, &fit},
#include "forecast/methods/methods.def"
#undef BERTH_FORECASTER
};

template <FitFunction kFit>
Result<std::unique_ptr<FittedForecaster>> FitOutliersVariant(const FitInput& input) {
  return FitWithoutOutliers(kFit, input);
}

template <FitFunction kFit, SeasonsTaken kTaken>
Result<std::unique_ptr<FittedForecaster>> FitGarchVariant(const FitInput& input) {
  return FitWithGarch(kFit, kTaken, input);
}

// What an update does to a variant is never like fitting anew: outliers are taken out of what is
// fitted, not of what comes after.
constexpr ForecasterEntry Variant(std::string_view name, std::size_t points_min,
                                  SeasonsTaken seasons, double point_cost, double season_cost,
                                  FitFunction fit) {
  return {{name, "", points_min, kKeepsSettings}, seasons, point_cost, season_cost, fit};
}

constexpr double kOutliersCost = 2;  // Of a point.

// GARCH has the method fit half of the points and follow the rest: it needs twice the points, and
// about three times as long.
#define BERTH_FORECASTER(file, fit, points_min, updates, seasons, point, season, summary)        \
  Variant(#file "+outliers", points_min, SeasonsTaken::seasons, (point) + kOutliersCost, season, \
          &FitOutliersVariant<&fit>),                                                            \
      Variant(#file "+garch", std::size_t{2} * (points_min), SeasonsTaken::seasons, 3 * (point), \
              3 * (season), &FitGarchVariant<&fit, SeasonsTaken::seasons>),                      \
      Variant(#file "+outliers+garch", std::size_t{2} * (points_min), SeasonsTaken::seasons,     \
              3 * ((point) + kOutliersCost), 3 * (season),                                       \
              &FitGarchVariant<&FitOutliersVariant<&fit>, SeasonsTaken::seasons>),
constexpr ForecasterEntry kVariants[] = {
#include "forecast/methods/methods.def"
};
#undef BERTH_FORECASTER

Status NoSuchVariant(const ForecasterEntry& of, std::string_view name) {
  return {Code::kInvalidArgument,
          fmt::format("there are {0}+outliers, {0}+garch and {0}+outliers+garch, but no {1}",
                      of.name, Quoted(name))};
}

// NAME+garch+outliers is the same as NAME+outliers+garch.
std::string OutliersFirst(std::string_view name) {
  constexpr std::string_view kOutliersLast = "+garch+outliers";
  if (!name.ends_with(kOutliersLast)) return std::string(name);
  name.remove_suffix(kOutliersLast.size());
  return fmt::format("{}+outliers+garch", name);
}

}  // namespace

std::span<const ForecasterEntry> BuiltinForecasters() { return kForecasters; }

std::span<const ForecasterEntry> ForecasterVariants() { return kVariants; }

Result<const ForecasterEntry*> FindForecaster(std::string_view name) {
  if (name.empty()) {
    return Status(Code::kInvalidArgument,
                  "the name of a method is empty; give one, or leave out a comma too many");
  }
  const std::string in_order = OutliersFirst(name);
  for (const ForecasterEntry& variant : ForecasterVariants()) {
    if (variant.name == in_order) return &variant;
  }
  const std::string_view method = name.substr(0, name.find('+'));
  BERTH_TRY(const ForecasterEntry* entry,
            FindNamed<ForecasterEntry>(kForecasters, method, "method"));
  if (method == name) return entry;
  return NoSuchVariant(*entry, name);
}

}  // namespace berth
