#include "scale/scaling_mode.h"

#include <fmt/format.h>

#include "base/text.h"

namespace berth {
namespace {

constexpr ScalingMode kScalingModes[] = {ScalingMode::kOff, ScalingMode::kDryRun,
                                         ScalingMode::kAuto};

}  // namespace

std::string_view ToString(ScalingMode mode) {
  switch (mode) {
    case ScalingMode::kOff:
      return "off";
    case ScalingMode::kDryRun:
      return "dry_run";
    case ScalingMode::kAuto:
      return "auto";
  }
  return {};
}

void ReadScalingMode(Fields& fields, ScalingMode& mode) {
  const std::optional<Node> node = fields.Optional("mode");
  if (!node) return;
  const Result<std::string_view> text = node->Text();
  if (!text.ok()) return fields.Check(text.status());
  for (const ScalingMode known : kScalingModes) {
    if (ToString(known) != text.value()) continue;
    mode = known;
    return;
  }
  fields.Check(node->Error(
      fmt::format("{} is no mode; there are off, dry_run, auto", Quoted(text.value()))));
}

}  // namespace berth
