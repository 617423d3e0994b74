#include "scale/scaling_settings.h"

#include <fmt/format.h>

#include "base/fields.h"
#include "base/text.h"
#include "rightsize/external_program.h"

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

void ReadSmoothing(Fields& outer, SmoothingSettings& smoothing) {
  const std::optional<Node> node = outer.Optional("smoothing");
  if (!node) return;
  Fields fields(*node);
  const Range<double> share{.min = 0, .max = 1};
  smoothing.defer_down = fields.Length("defer_down", smoothing.defer_down);
  smoothing.halve_in = fields.Length("halve_in", smoothing.halve_in);
  smoothing.ignore_below = fields.Number("ignore_below", share, smoothing.ignore_below);
  smoothing.starting_max = fields.Number("starting_max", share, smoothing.starting_max);
  outer.Check(fields.Finish());
}

}  // namespace

void ReadServiceScaling(Fields& fields, const Node& node, const ProgramNames* programs,
                        ServiceScaling& scaling) {
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
  ReadSmoothing(fields, scaling.smoothing);
  if (scaling.min > scaling.max) fields.Check(node.Error("min is more than max"));
  if (programs != nullptr && scaling.scaler.starts_with(kExternalPrefix)) {
    const Status known = programs->Check(scaling.scaler);
    if (!known.ok()) fields.Check(fields.Optional("scaler").value_or(node).Error(known.message()));
    return;
  }
  // What a scaler needs it says itself.
  const Result<ScalerEntry> entry = FindScaler(scaling.scaler);
  const Status made = entry.ok() ? entry.value().make(basis).status() : entry.status();
  if (!made.ok()) fields.Check(node.Error(made.message()));
}

Result<ServiceScaling> ReadServiceScaling(const Node& node) {
  Fields fields(node);
  ServiceScaling scaling;
  ReadServiceScaling(fields, node, nullptr, scaling);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return scaling;
}

std::string StateKeyOf(const ServiceScaling& scaling) {
  const SmoothingSettings& smoothing = scaling.smoothing;
  return fmt::format("{} {} {} {} {} {} {} {}", scaling.scaler, scaling.basis.window.count(),
                     scaling.basis.horizon.count(), smoothing.defer_down.count(),
                     smoothing.halve_in.count(), smoothing.ignore_below > 0,
                     smoothing.starting_max > 0, scaling.basis.expression);
}

Result<ServiceScaling> ReadScalingFile(const std::string& path) {
  BERTH_TRY(const Document document, ReadDocument(path));
  return ReadServiceScaling(document.root());
}

}  // namespace berth
