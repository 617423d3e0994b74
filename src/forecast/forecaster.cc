#include "forecast/forecaster.h"

#include "forecast/methods/builtin.h"
#include "forecast/plugin_names.h"

namespace berth {
namespace {

using enum ForecasterUpdates;

constexpr ForecasterEntry kForecasters[] = {
#define BERTH_FORECASTER(file, fit, points_min, updates, cost, summary) \
  {#file, summary, points_min, updates, cost, &fit},
#include "forecast/methods/methods.def"
#undef BERTH_FORECASTER
};

}  // namespace

std::span<const ForecasterEntry> BuiltinForecasters() { return kForecasters; }

Result<const ForecasterEntry*> FindForecaster(std::string_view name) {
  return FindNamed<ForecasterEntry>(kForecasters, name, "method");
}

}  // namespace berth
