#include <fmt/format.h>

#include "base/text.h"
#include "forecast/filters/builtin.h"
#include "forecast/outliers.h"

namespace berth {

Result<std::vector<double>> RemoveOutliers(const FilterInput& input) {
  if (!input.settings.season) return WithoutOutliers(input.values, {});
  const std::size_t season = *input.settings.season;
  if (season > input.values.size() / 2) {
    return Status(Code::kInvalidArgument,
                  fmt::format("outlier_remover takes a season of at most half of the {}, not {}; "
                              "give a shorter one or none",
                              Plural(input.values.size(), "point"), season));
  }
  return WithoutOutliers(input.values, std::span(&season, 1));
}

}  // namespace berth
