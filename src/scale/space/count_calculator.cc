#include "scale/space/count_calculator.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "forecast/plugin_names.h"
#include "scale/space/calculators/builtin.h"

namespace berth {
namespace {

using enum CalculatorKind;

constexpr CalculatorEntry kCalculators[] = {
#define BERTH_CALCULATOR(file, function, kind, summary) {#file, kind, summary, &function},
#include "scale/space/calculators/calculators.def"
#undef BERTH_CALCULATOR
};

}  // namespace

Status CountCalculator::Restore(std::string_view bytes) {
  if (bytes.empty()) return {};
  return {Code::kInvalidArgument, "this calculator learns nothing, and has no state"};
}

std::span<const CalculatorEntry> CountCalculators() { return kCalculators; }

Result<const CalculatorEntry*> FindCountCalculator(std::string_view name) {
  return FindNamed<CalculatorEntry>(kCalculators, name, "calculator");
}

Result<std::size_t> IndexOfMetric(std::string_view metric, std::span<const std::string> metrics) {
  const auto found = std::ranges::find(metrics, metric);
  if (found != metrics.end()) return static_cast<std::size_t>(found - metrics.begin());
  return Status(Code::kInvalidArgument, fmt::format("there is no metric {} in the group; it has {}",
                                                    Quoted(metric), fmt::join(metrics, ", ")));
}

}  // namespace berth
