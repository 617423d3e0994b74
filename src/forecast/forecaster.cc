#include "forecast/forecaster.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "forecast/methods/builtin.h"

namespace berth {
namespace {

using enum ForecasterUpdates;

constexpr ForecasterEntry kForecasters[] = {
#define BERTH_FORECASTER(file, fit, points_min, updates, summary) \
  {#file, summary, points_min, updates, &fit},
#include "forecast/methods/methods.def"
#undef BERTH_FORECASTER
};

}  // namespace

std::span<const ForecasterEntry> BuiltinForecasters() { return kForecasters; }

Result<const ForecasterEntry*> FindForecaster(std::string_view name) {
  const auto* const entry = std::ranges::find(kForecasters, name, &ForecasterEntry::name);
  if (entry != std::end(kForecasters)) return entry;
  std::string names;
  for (const ForecasterEntry& known : kForecasters) {
    if (!names.empty()) names += ", ";
    names += known.name;
  }
  return Status(Code::kInvalidArgument,
                fmt::format("there is no method {}; the methods are {}", Quoted(name), names));
}

}  // namespace berth
