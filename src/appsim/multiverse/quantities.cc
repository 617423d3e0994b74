#include "appsim/multiverse/quantities.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/normal.h"
#include "base/text.h"

namespace berth::multiverse {
namespace {

constexpr double kNumberMax = 1e18;
constexpr Range<double> kNotNegative = {.min = 0, .max = kNumberMax};
// Of the mean: below it no draw of a resource or a size falls.
constexpr double kFloorShare = 0.001;

struct UnitFactor {
  std::string_view name;
  double factor;
};
constexpr std::array<UnitFactor, 12> kTimeUnits = {{{"us", 1},
                                                    {"ms", 1e3},
                                                    {"s", 1e6},
                                                    {"sec", 1e6},
                                                    {"m", 60e6},
                                                    {"min", 60e6},
                                                    {"h", 3600e6},
                                                    {"hour", 3600e6},
                                                    {"D", 86'400e6},
                                                    {"d", 86'400e6},
                                                    {"day", 86'400e6},
                                                    {"days", 86'400e6}}};
constexpr std::string_view kSizePrefixes = "KMGTPEZ";

Result<double> MicrosOf(std::string_view unit, const Node& node) {
  const auto* found = std::find_if(kTimeUnits.begin(), kTimeUnits.end(),
                                   [&](const UnitFactor& known) { return known.name == unit; });
  if (found != kTimeUnits.end()) return found->factor;
  return node.Error(fmt::format("{} is no unit of time; use us, ms, s, m, h or D", Quoted(unit)));
}

Result<double> BytesOf(std::string_view unit, const Node& node) {
  const double eighth = unit.ends_with('b') ? 8 : 1;
  if (unit == "B" || unit == "b") return 1 / eighth;
  if (unit.size() == 2 && (unit[1] == 'B' || unit[1] == 'b')) {
    const char upper = unit[0] == 'k' ? 'K' : unit[0];
    const std::size_t power = kSizePrefixes.find(upper);
    if (power != std::string_view::npos) {
      return std::pow(1024.0, static_cast<double>(power + 1)) / eighth;
    }
  }
  return node.Error(
      fmt::format("{} is no unit of size; use B, KB, MB, GB, TB, PB or EB, or Kb, Mb, Gb for bits",
                  Quoted(unit)));
}

Result<Duration> LengthOfMicros(double micros, const Node& node) {
  if (micros > static_cast<double>(kDurationMax.count())) {
    return node.Error("is longer than a century; give a shorter time");
  }
  return Duration(std::llround(micros));
}

// The number under `mean` or `value`, whichever there is.
double ReadMean(Fields& fields) {
  if (fields.Optional("mean")) return fields.Number("mean", kNotNegative);
  return fields.Number("value", kNotNegative);
}

}  // namespace

void AddTo(Amounts& sum, const Amounts& more, double times) {
  for (std::size_t i = 0; i < kAmountCount; ++i) sum[i] += times * more[i];
}

double Draw(const Varying& varying, Rng& rng) {
  if (varying.deviation == 0) return std::max(varying.mean, varying.floor);
  return std::max(varying.mean + varying.deviation * rng.Normal(), varying.floor);
}

Amounts Draw(const VaryingAmounts& varying, Rng& rng) {
  Amounts drawn{};
  for (std::size_t i = 0; i < kAmountCount; ++i) drawn[i] = Draw(varying[i], rng);
  return drawn;
}

double MeanOfDraws(const Varying& varying) {
  if (varying.deviation == 0) return std::max(varying.mean, varying.floor);
  constexpr double kInvSqrtTwoPi = 0.3989422804014327;
  const double z = (varying.floor - varying.mean) / varying.deviation;
  const double below = NormalUpperTail(-z);
  return varying.floor * below + varying.mean * (1 - below) +
         varying.deviation * kInvSqrtTwoPi * std::exp(-z * z / 2);
}

Result<Duration> ReadLength(const Node& node) {
  if (node.kind() == Node::Kind::kScalar) {
    if (const Result<double> millis = node.Number(kNotNegative); millis.ok()) {
      return LengthOfMicros(millis.value() * 1e3, node);
    }
    return node.Length();
  }
  Fields fields(node);
  const double value = fields.Number("value", kNotNegative);
  const std::string unit = fields.Text("unit");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(const double factor, MicrosOf(unit, node));
  return LengthOfMicros(value * factor, node);
}

Result<Duration> ReadPositiveLength(const Node& node) {
  BERTH_TRY(const Duration length, ReadLength(node));
  if (length <= Duration::zero()) return node.Error("must be above zero");
  return length;
}

Result<double> ReadBytes(const Node& node) {
  Fields fields(node);
  const double value = fields.Number("value", kNotNegative);
  const std::string unit = fields.Text("unit", "B");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(const double factor, BytesOf(unit, node));
  return value * factor;
}

Result<Varying> ReadVaryingTime(const Node& node, std::string_view unit) {
  Varying varying;
  std::string own_unit(unit);
  if (node.kind() == Node::Kind::kScalar) {
    BERTH_TRY(varying.mean, node.Number(kNotNegative));
  } else {
    Fields fields(node);
    varying.mean = ReadMean(fields);
    varying.deviation = fields.Number("std", kNotNegative, 0);
    own_unit = fields.Text("unit", unit);
    BERTH_RETURN_IF_ERROR(fields.Finish());
  }
  BERTH_TRY(const double factor, MicrosOf(own_unit, node));
  varying.mean *= factor;
  varying.deviation *= factor;
  if (varying.mean > static_cast<double>(kDurationMax.count()) ||
      varying.deviation > static_cast<double>(kDurationMax.count())) {
    return node.Error("is longer than a century; give a shorter time");
  }
  return varying;
}

Result<Varying> ReadVaryingBytes(const Node& node) {
  Fields fields(node);
  Varying varying;
  varying.mean = ReadMean(fields);
  varying.deviation = fields.Number("std", kNotNegative, 0);
  const std::string unit = fields.Text("unit", "B");
  BERTH_RETURN_IF_ERROR(fields.Finish());
  BERTH_TRY(const double factor, BytesOf(unit, node));
  varying.mean *= factor;
  varying.deviation *= factor;
  varying.floor = kFloorShare * varying.mean;
  return varying;
}

VaryingAmounts ReadVaryingAmounts(Fields& fields) {
  VaryingAmounts amounts{};
  if (const std::optional<Node> cores = fields.Optional(kAmountNames[kVcpu])) {
    Fields parts(*cores);
    amounts[kVcpu].mean = ReadMean(parts);
    amounts[kVcpu].deviation = parts.Number("std", kNotNegative, 0);
    amounts[kVcpu].floor = kFloorShare * amounts[kVcpu].mean;
    fields.Check(parts.Finish());
  }
  for (std::size_t i = kVcpu + 1; i < kAmountCount; ++i) {
    amounts[i] = ReadFieldOr<Varying>(fields, kAmountNames[i], ReadVaryingBytes, {});
  }
  return amounts;
}

}  // namespace berth::multiverse
