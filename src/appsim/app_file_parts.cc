#include "appsim/app_file_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "fleet/file_parts.h"

namespace berth {
namespace {

// A value, or a map of mean and deviation, or of exponential.
template <typename ValueOf>
Result<Spread> SpreadFrom(const Node& node, ValueOf value_of) {
  Spread spread;
  if (node.kind() != Node::Kind::kMap) {
    BERTH_TRY(spread.mean, value_of(node));
    return spread;
  }
  Fields fields(node);
  const auto read = [&](const std::optional<Node>& part, double& into) {
    if (!part) return;
    const Result<double> value = value_of(*part);
    fields.Check(value.status());
    if (value.ok()) into = value.value();
  };
  if (node.Find("exponential")) {
    spread.kind = Spread::Kind::kExponential;
    read(fields.Required("exponential"), spread.mean);
  } else {
    spread.kind = Spread::Kind::kNormal;
    read(fields.Required("mean"), spread.mean);
    read(fields.Required("deviation"), spread.deviation);
  }
  BERTH_RETURN_IF_ERROR(fields.Finish());
  return spread;
}

template <typename ValueOf>
Spread ReadSpread(Fields& fields, std::string_view key, const Spread& otherwise, ValueOf value_of) {
  const std::optional<Node> node = fields.Optional(key);
  if (!node) return otherwise;
  const Result<Spread> spread = SpreadFrom(*node, value_of);
  fields.Check(spread.status());
  return spread.ok() ? spread.value() : otherwise;
}

template <typename Items, typename NameOf>
Result<std::size_t> FindNamed(const Node& node, std::string_view what, const Items& items,
                              std::string_view name, NameOf name_of) {
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (name_of(items[i]) == name) return i;
  }
  return node.Error(fmt::format("there is no {} {}; there are {}", what, Quoted(name),
                                ListNames(items, name_of)));
}

// A node whose baseline is used all the time spends just what it earns.
double CreditsAnHour(double milli) { return milli * 60 / 1'000; }
double MilliEarning(double credits_an_hour) { return credits_an_hour * 1'000 / 60; }
constexpr double kHoursHeld = 24;  // As public clouds have it.

std::int64_t CreditsFrom(double credits) {
  return std::llround(credits * static_cast<double>(kCpuCredit));
}

}  // namespace

Spread ReadTimeSpread(Fields& fields, std::string_view key, const Spread& otherwise) {
  return ReadSpread(fields, key, otherwise, [](const Node& node) -> Result<double> {
    BERTH_TRY(const Duration length, node.Length());
    return static_cast<double>(length.count());
  });
}

Spread ReadAmountSpread(Fields& fields, std::string_view key, Resource resource) {
  return ReadSpread(fields, key, {}, [resource](const Node& node) -> Result<double> {
    BERTH_TRY(const std::int64_t amount, node.Amount(resource));
    return static_cast<double>(amount);
  });
}

SpreadUse ReadSpreadUse(Fields& fields, std::string_view key) {
  SpreadUse use{};
  const std::optional<Node> node = fields.Optional(key);
  if (!node) return use;
  Fields parts(*node);
  for (std::size_t r = 0; r < kUsedCount; ++r) {
    use[r] = ReadAmountSpread(parts, ResourceName(kAllResources[r]), kAllResources[r]);
  }
  fields.Check(parts.Finish());
  return use;
}

Result<CpuBurst> ReadBurst(const Node& node, std::int64_t cpu_milli) {
  const auto cpu = static_cast<double>(cpu_milli);
  Fields fields(node);
  const std::optional<Node> baseline = fields.Optional("baseline");
  const std::optional<Node> earned = fields.Optional("earned");
  double milli = fields.Number("baseline", {.min = 0, .max = 1}, 0) * cpu;
  if (earned) {
    milli = MilliEarning(fields.Number("earned", {.min = 0, .max = CreditsAnHour(cpu)}));
  }
  const double held = CreditsAnHour(milli) * kHoursHeld;
  const double most = fields.Number("most", {.min = 0, .max = double{kAppCreditsMax}},
                                    std::min(held, double{kAppCreditsMax}));
  const double start = fields.Number("start", {.min = 0, .max = most}, 0);
  BERTH_RETURN_IF_ERROR(fields.Finish());
  if (baseline.has_value() == earned.has_value()) {
    return node.Error(
        "needs either baseline, a share of its cpu, or earned, in credits an hour: with 2 cpu "
        "0.1 and 12 are the same");
  }
  CpuBurst burst{.baseline_milli = std::llround(milli),
                 .most = CreditsFrom(most),
                 .start = CreditsFrom(start)};
  if (burst.baseline_milli == 0) return node.Error("has a baseline below a thousandth of a cpu");
  return burst;
}

Result<std::size_t> FindService(const Node& node, const AppModel& model, std::string_view name) {
  return FindNamed(node, "service", model.services, name,
                   [](const AppService& service) { return service.name; });
}

Result<std::size_t> FindRequestType(const Node& node, const AppModel& model,
                                    std::string_view name) {
  return FindNamed(node, "request", model.request_types, name,
                   [](const AppRequestType& type) { return type.name; });
}

Result<std::size_t> FindNodeType(const Node& node, const AppModel& model, std::string_view name) {
  return FindNamed(node, "node type", model.node_types, name,
                   [](const AppNodeType& type) { return type.vm.name; });
}

}  // namespace berth
