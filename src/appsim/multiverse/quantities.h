// Numbers with units, as the files of the Multiverse simulator write them.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "base/fields.h"
#include "berth/rng.h"

namespace berth::multiverse {

// vCPU in cores, the others in bytes; of the network, bytes a second.
inline constexpr std::size_t kVcpu = 0;
inline constexpr std::size_t kAmountCount = 4;
inline constexpr std::array<std::string_view, kAmountCount> kAmountNames = {
    "vCPU", "memory", "disk", "network_bandwidth"};
using Amounts = std::array<double, kAmountCount>;

// Drawn from a normal distribution; what falls below the floor is the floor.
struct Varying {
  double mean = 0;
  double deviation = 0;
  double floor = 0;
};
using VaryingAmounts = std::array<Varying, kAmountCount>;

void AddTo(Amounts& sum, const Amounts& more, double times = 1);

double Draw(const Varying& varying, Rng& rng);
Amounts Draw(const VaryingAmounts& varying, Rng& rng);
// Of what Draw gives: with a deviation far above the mean the floor moves it far up.
double MeanOfDraws(const Varying& varying);

// {"value": 5, "unit": "m"}; in old files also "500ms", or a number of milliseconds.
Result<Duration> ReadLength(const Node& node);
// As ReadLength, but above zero.
Result<Duration> ReadPositiveLength(const Node& node);
// {"value": 512, "unit": "MB"}: bytes. Units are powers of 1024; those with a lower-case b are
// bits.
Result<double> ReadBytes(const Node& node);
// {"mean": 30, "std": 10, "unit": "ms"}: microseconds. `value` means the same as `mean`; a plain
// number has the unit given from outside.
Result<Varying> ReadVaryingTime(const Node& node, std::string_view unit);
// {"mean": 31, "std": 1, "unit": "KB"}: bytes. Draws are at least a thousandth of the mean.
Result<Varying> ReadVaryingBytes(const Node& node);
// The four resources of a map; those it has not are zero. Other keys are left to the caller.
VaryingAmounts ReadVaryingAmounts(Fields& fields);

// A field through one of the readers above; T{} where it is wrong, which Finish tells.
template <typename T>
T ReadField(Fields& fields, std::string_view key, Result<T> (*read)(const Node&)) {
  const std::optional<Node> node = fields.Required(key);
  if (!node) return T{};
  Result<T> value = read(*node);
  fields.Check(value.status());
  return value.ok() ? std::move(value).value() : T{};
}
template <typename T>
T ReadFieldOr(Fields& fields, std::string_view key, Result<T> (*read)(const Node&), T otherwise) {
  const std::optional<Node> node = fields.Optional(key);
  if (!node) return otherwise;
  Result<T> value = read(*node);
  fields.Check(value.status());
  return value.ok() ? std::move(value).value() : otherwise;
}

}  // namespace berth::multiverse
