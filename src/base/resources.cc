#include "berth/resources.h"

#include <fmt/format.h>

#include <span>

#include "base/decimal.h"
#include "base/text.h"
#include "berth/check.h"

namespace berth {
namespace {

struct Unit {
  std::string_view name;
  std::int64_t scale;
};

// Largest first: the first that fits is how an amount is written.
constexpr std::array kCountUnits = {Unit{"", 1000}, Unit{"m", 1}};
constexpr std::array kBinaryUnits = {
    Unit{"Pi", std::int64_t{1} << 50}, Unit{"Ti", std::int64_t{1} << 40},
    Unit{"Gi", std::int64_t{1} << 30}, Unit{"Mi", std::int64_t{1} << 20},
    Unit{"Ki", std::int64_t{1} << 10}, Unit{"", 1}};
constexpr std::array kDecimalUnits = {Unit{"P", 1'000'000'000'000'000},
                                      Unit{"T", 1'000'000'000'000},
                                      Unit{"G", 1'000'000'000},
                                      Unit{"M", 1'000'000},
                                      Unit{"k", 1'000},
                                      Unit{"", 1}};
constexpr std::array kRateUnits = {Unit{"Gbit", 1000}, Unit{"Mbit", 1}};

// How a resource is called, counted and written.
struct ResourceKind {
  std::string_view name;
  std::string_view counted_in;
  std::string_view example;
};

const ResourceKind& KindOf(Resource resource) {
  static constexpr std::array<ResourceKind, kResourceCount> kKinds = {
      ResourceKind{"cpu", "thousandths of a core", "\"4\", \"2.5\" or \"250m\""},
      ResourceKind{"memory", "bytes", "\"16Gi\", \"512MiB\" or \"2TB\""},
      ResourceKind{"disk", "bytes", "\"16Gi\", \"512MiB\" or \"2TB\""},
      ResourceKind{"network", "Mbit/s", "\"10Gbit\" or \"500Mbit\""},
      ResourceKind{"gpu", "thousandths of a gpu", "\"1\", \"0.5\" or \"250m\""},
  };
  const auto index = static_cast<std::size_t>(resource);
  BERTH_CHECK(index < kKinds.size());
  return kKinds[index];
}

bool IsInBytes(Resource resource) {
  return resource == Resource::kMemory || resource == Resource::kDisk;
}

// In the largest unit that takes at most `fraction_max` as divisor: 4 allows quarters.
std::string FormatIn(std::span<const Unit> units, std::uint64_t amount,
                     std::uint64_t fraction_max) {
  for (const Unit& unit : units) {
    const auto scale = static_cast<std::uint64_t>(unit.scale);
    if (amount < scale || amount % scale * fraction_max % scale != 0) continue;
    const std::uint64_t thousandths = amount % scale * fraction_max / scale * (1000 / fraction_max);
    std::string number = fmt::format("{}.{:03}", amount / scale, thousandths);
    number.erase(number.find_last_not_of('0') + 1);
    if (number.back() == '.') number.pop_back();
    return number.append(unit.name);
  }
  return fmt::format("0{}", units.back().name);
}

std::string FormatBytes(std::uint64_t amount) {
  std::string binary = FormatIn(kBinaryUnits, amount, 4);
  std::string decimal = FormatIn(kDecimalUnits, amount, 10);
  return decimal.size() < binary.size() ? decimal : binary;
}

// The unit's size in the resource's own unit, 0 if there is none of that name.
std::int64_t ScaleOf(Resource resource, std::string_view unit) {
  const auto find = [&unit](std::span<const Unit> units) -> std::int64_t {
    for (const Unit& u : units) {
      if (u.name == unit) return u.scale;
    }
    return 0;
  };
  if (resource == Resource::kNetwork) return unit.empty() ? 1 : find(kRateUnits);
  if (!IsInBytes(resource)) return find(kCountUnits);
  if (unit.ends_with('B')) unit.remove_suffix(1);
  const std::int64_t scale = find(kBinaryUnits);
  return scale != 0 ? scale : find(kDecimalUnits);
}

}  // namespace

std::string_view ResourceName(Resource resource) { return KindOf(resource).name; }

std::string FormatAmount(Resource resource, std::int64_t amount) {
  if (amount == 0) return "0";
  // Negated as unsigned, which even the smallest integer survives.
  const auto bits = static_cast<std::uint64_t>(amount);
  const std::uint64_t size = amount < 0 ? 0 - bits : bits;
  const std::string text = IsInBytes(resource)              ? FormatBytes(size)
                           : resource == Resource::kNetwork ? FormatIn(kRateUnits, size, 10)
                                                            : FormatIn(kCountUnits, size, 1000);
  return amount < 0 ? "-" + text : text;
}

Result<std::int64_t> ParseAmount(Resource resource, std::string_view text) {
  const ResourceKind& kind = KindOf(resource);
  const auto refuse = [&](std::string_view what) {
    return Status(Code::kInvalidArgument,
                  fmt::format("{} {}; write it like {}", Quoted(text), what, kind.example));
  };
  if (text.starts_with('-')) return refuse("is negative");
  const auto [number, unit] = SplitUnit(text);
  if (number.empty()) return refuse(fmt::format("is not an amount of {}", kind.name));
  const std::int64_t scale = ScaleOf(resource, unit);
  if (scale == 0) return refuse(fmt::format("has a unit that {} does not have", kind.name));

  const Scaled scaled = ScaleExactly(number, scale, kAmountMax);
  switch (scaled.outcome) {
    case Scaled::Outcome::kExact:
      return scaled.value;
    case Scaled::Outcome::kNotANumber:
      return refuse(fmt::format("is not an amount of {}", kind.name));
    case Scaled::Outcome::kNotWhole:
      return refuse(fmt::format("is not a whole number of {}", kind.counted_in));
    case Scaled::Outcome::kTooLarge:
      break;
  }
  return refuse(fmt::format("is over the most that {} can be, {}", kind.name,
                            FormatAmount(resource, kAmountMax)));
}

std::string FormatResources(const Resources& resources) {
  std::string text;
  for (const Resource resource : kAllResources) {
    if (resources[resource] == 0) continue;
    if (!text.empty()) text += ", ";
    text +=
        fmt::format("{} {}", FormatAmount(resource, resources[resource]), ResourceName(resource));
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace berth
