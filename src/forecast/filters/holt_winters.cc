#include <fmt/format.h>

#include "base/text.h"
#include "forecast/filters/builtin.h"
#include "forecast/smoothed.h"

namespace berth {

Result<std::vector<double>> SmoothSeason(const FilterInput& input) {
  const std::size_t season = input.settings.season;
  if (season > kEtsSeasonMax || 2 * season > input.values.size()) {
    return Status(Code::kInvalidArgument,
                  fmt::format("holt_winters takes a season of at most {} points and half of the "
                              "{}, not {}",
                              kEtsSeasonMax, Plural(input.values.size(), "point"), season));
  }
  return SmoothedBy({.trend = EtsTrend::kAdditive, .season = EtsSeason::kAdditive}, input.values,
                    season);
}

}  // namespace berth
