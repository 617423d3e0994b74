#include <fmt/format.h>

#include "base/text.h"
#include "forecast/filters/builtin.h"
#include "forecast/smoothed.h"

namespace berth {

Result<std::vector<double>> SmoothSeason(const FilterInput& input) {
  if (!input.settings.season) {
    return Status(Code::kInvalidArgument, "holt_winters takes a season; holt is it without one");
  }
  const std::size_t season = *input.settings.season;
  if (season > kEtsSeasonMax || season > input.values.size() / 2) {
    return Status(Code::kInvalidArgument,
                  fmt::format("holt_winters takes a season of at most {} points and half of the "
                              "{}, not {}; give a shorter one, or take holt",
                              kEtsSeasonMax, Plural(input.values.size(), "point"), season));
  }
  return SmoothedBy({.trend = EtsTrend::kAdditive, .season = EtsSeason::kAdditive}, input.values,
                    season);
}

}  // namespace berth
