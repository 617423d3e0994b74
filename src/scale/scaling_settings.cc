#include "scale/scaling_settings.h"

#include <fmt/format.h>

#include "base/fields.h"
#include "base/text.h"

namespace berth {
namespace {

constexpr double kTargetMax = 10;

LoadStatistic ReadStatistic(Fields& fields, LoadStatistic otherwise) {
  const std::optional<Node> node = fields.Optional("statistic");
  if (!node) return otherwise;
  const Result<std::string_view> text = node->Text();
  if (!text.ok()) {
    fields.Check(text.status());
  } else if (text.value() == "p95") {
    return LoadStatistic::kP95;
  } else if (text.value() != "max") {
    fields.Check(node->Error(fmt::format("is max or p95, not {}", Quoted(text.value()))));
  }
  return LoadStatistic::kMax;
}

SmoothingSettings ReadSmoothing(Fields& outer, const Node& node) {
  Fields fields(node);
  SmoothingSettings smoothing;
  smoothing.defer_down = fields.Length("defer_down", Duration::zero());
  smoothing.halve_in = fields.Length("halve_in", Duration::zero());
  smoothing.ignore_below = fields.Number("ignore_below", {.min = 0, .max = 1}, 0);
  smoothing.starting_max = fields.Number("starting_max", {.min = 0, .max = 1}, 0);
  outer.Check(fields.Finish());
  return smoothing;
}

}  // namespace

Result<ServiceScaling> ReadServiceScaling(const Node& node) {
  Fields fields(node);
  ServiceScaling scaling;
  ScalerBasis& basis = scaling.basis;
  scaling.scaler = fields.Text("scaler", scaling.scaler);
  const Range<std::uint32_t> counts{.min = 0, .max = kReplicasMax};
  scaling.min = fields.Integer<std::uint32_t>("min", counts, scaling.min);
  scaling.max = fields.Integer<std::uint32_t>("max", {.min = 1, .max = kReplicasMax}, scaling.max);
  basis.replicas = fields.Integer<std::uint32_t>("replicas", counts, basis.replicas);
  basis.target = fields.Number("target", {.min = 0.001, .max = kTargetMax}, basis.target);
  basis.reference_milli = fields.Amount("reference", Resource::kCpu, basis.reference_milli);
  basis.window = fields.Length("window", basis.window);
  basis.horizon = fields.Length("horizon", basis.horizon);
  basis.statistic = ReadStatistic(fields, basis.statistic);
  basis.expression = fields.Text("expression", basis.expression);
  if (const std::optional<Node> smoothing = fields.Optional("smoothing")) {
    scaling.smoothing = ReadSmoothing(fields, *smoothing);
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (scaling.min > scaling.max) return node.Error("min is more than max");
  // What a scaler needs it says itself.
  const Result<ScalerEntry> entry = FindScaler(scaling.scaler);
  const Status made = entry.ok() ? entry.value().make(basis).status() : entry.status();
  if (!made.ok()) return node.Error(made.message());
  return scaling;
}

Result<ServiceScaling> ReadScalingFile(const std::string& path) {
  BERTH_TRY(const Document document, ReadDocument(path));
  return ReadServiceScaling(document.root());
}

}  // namespace berth
